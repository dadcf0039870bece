/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/report-data.h"

#include "base/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>

namespace inca
{

namespace
{

/** A number of a row of layers.csv; @p scale to what it is counted in. */
std::int64_t
WholeAt(const CsvTable& table, const CsvTableRow& row, const char* column, double scale)
{
    const auto at = table.Find(column);
    const auto number = at ? NumberOf(row.fields[*at]) : std::nullopt;
    constexpr double tooMuch = 9e18;
    if (!number || std::abs(*number * scale) > tooMuch)
    {
        throw InputError(InputPlace{table.path, row.line, 0, ""},
                         fmt::format("is no row of a layers.csv: needs a number as {}", column));
    }
    return std::llround(*number * scale);
}

} // namespace

std::vector<LayerRow>
LayersOfLastWorker(const std::vector<LayerRow>& layers)
{
    const auto last =
        std::max_element(layers.begin(), layers.end(), [](const auto& a, const auto& b) {
            return a.endPs < b.endPs;
        });
    std::vector<LayerRow> own;
    std::copy_if(layers.begin(), layers.end(), std::back_inserter(own), [last](const auto& layer) {
        return layer.worker == last->worker;
    });
    return own;
}

std::vector<LayerRow>
LayersOf(const CsvTable& table)
{
    constexpr double psPerSecond = 1e12;
    const auto name = table.Find("layer");
    std::vector<LayerRow> layers;
    for (const auto& row : table.rows)
    {
        const auto whole = [&](const char* column, double scale = 1) {
            return WholeAt(table, row, column, scale);
        };
        LayerRow layer;
        layer.worker = static_cast<std::uint32_t>(whole("worker"));
        layer.layer = name ? row.fields[*name] : "";
        layer.elements = static_cast<std::uint64_t>(whole("elements"));
        layer.firstBucket = static_cast<std::uint32_t>(whole("first_bucket"));
        layer.lastBucket = static_cast<std::uint32_t>(whole("last_bucket"));
        layer.readyPs = whole("ready_s", psPerSecond);
        layer.startPs = whole("start_s", psPerSecond);
        layer.endPs = whole("end_s", psPerSecond);
        layer.exposedCommunicationPs = whole("exposed_communication_s", psPerSecond);
        layer.plainBytes = static_cast<std::uint64_t>(whole("plain_bytes"));
        layer.wireBytes = static_cast<std::uint64_t>(whole("wire_bytes"));
        layers.push_back(std::move(layer));
    }
    return layers;
}

} // namespace inca
