/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/report-data.h"

#include "base/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace inca
{

namespace
{

bool
AreAlike(const LayerRow& a, const LayerRow& b)
{
    return a.layer == b.layer && a.readyPs == b.readyPs && a.startPs == b.startPs &&
           a.endPs == b.endPs && a.exposedCommunicationPs == b.exposedCommunicationPs &&
           a.wireBytes == b.wireBytes;
}

/** "0, 2 to 7" */
std::string
RangesOf(const std::vector<std::uint32_t>& numbers)
{
    std::string text;
    for (std::size_t i = 0; i < numbers.size();)
    {
        auto last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
        {
            ++last;
        }
        text += text.empty() ? "" : ", ";
        text += last == i ? fmt::format("{}", numbers[i])
                          : fmt::format("{} to {}", numbers[i], numbers[last]);
        i = last + 1;
    }
    return text;
}

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

WorkerLanes
LanesOf(const std::vector<LayerRow>& layers)
{
    WorkerLanes lanes;
    std::vector<std::vector<std::uint32_t>> workers; // of each lane
    for (auto begin = layers.begin(); begin != layers.end();)
    {
        const auto end = std::find_if(begin, layers.end(), [begin](const LayerRow& row) {
            return row.worker != begin->worker;
        });
        const auto found = std::find_if(lanes.begin(), lanes.end(), [&](const WorkerLane& lane) {
            return std::equal(lane.layers.begin(), lane.layers.end(), begin, end, AreAlike);
        });
        const auto place = static_cast<std::size_t>(found - lanes.begin());
        if (found == lanes.end())
        {
            lanes.push_back({"", {begin, end}});
            workers.emplace_back();
        }
        workers[place].push_back(begin->worker);
        begin = end;
    }
    for (std::size_t i = 0; i < lanes.size(); ++i)
    {
        lanes[i].workers = RangesOf(workers[i]);
    }
    return lanes;
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

std::size_t
CountLayers(const WorkerLanes& lanes)
{
    return std::accumulate(
        lanes.begin(), lanes.end(), std::size_t{0}, [](std::size_t sum, const WorkerLane& lane) {
            return sum + lane.layers.size();
        });
}

} // namespace inca
