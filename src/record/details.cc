/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/details.h"

#include "base/errors.h"
#include "base/value-form.h"
#include "record/csv-text.h"
#include "record/json-text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <type_traits>

namespace inca
{

namespace
{

using Json = nlohmann::json;

/** Call @p visit with each column's name and the row's member, in their order. @{ */
template <class Row, class Visit>
void
VisitLayer(Row& row, const Visit& visit)
{
    visit("layer", row.layer);
    visit("elements", row.elements);
    visit("first_bucket", row.firstBucket);
    visit("last_bucket", row.lastBucket);
    visit("ready_s", row.readyPs);
    visit("start_s", row.startPs);
    visit("end_s", row.endPs);
    visit("exposed_communication_s", row.exposedCommunicationPs);
    visit("weights_wait_s", row.weightsWaitPs);
    visit("plain_bytes", row.plainBytes);
    visit("wire_bytes", row.wireBytes);
}

template <class Visit>
void
VisitLink(const LinkRow& row, const Visit& visit)
{
    visit("link", row.link);
    visit("from", row.from);
    visit("to", row.to);
    visit("bandwidth_gbps", row.bitsPerSecond);
    visit("wire_bytes", row.wireBytes);
    visit("frames", row.frames);
    visit("utilisation", row.utilisation);
    visit("largest_queue_bytes", row.largestQueueBytes);
    visit("ecn_marked_frames", row.markedFrames);
}

template <class Visit>
void
VisitSwitch(const SwitchRow& row, const Visit& visit)
{
    visit("switch", row.name);
    visit("packets_in", row.packetsIn);
    visit("combined", row.combined);
    visit("forwarded", row.forwarded);
    visit("answered", row.answered);
    visit("dropped_duplicate", row.droppedDuplicate);
    visit("dropped_late", row.droppedLate);
    visit("dropped_no_slot", row.droppedNoSlot);
    visit("dropped_foreign", row.droppedForeign);
    visit("packets_made", row.packetsMade);
    visit("slots_peak", row.slotsPeak);
    visit("slots", row.slots);
    visit("memory_bytes", row.memoryBytes);
}

/** @} */

/** A figure as it stands in CSV: times, which are in ps, are written in seconds. */
template <class Figure>
std::string
CellOf(const std::string& column, const Figure& figure)
{
    constexpr int sharePlaces = 6;
    constexpr unsigned giga = 9;
    if constexpr (std::is_same_v<Figure, std::string>)
    {
        return figure;
    }
    else if constexpr (std::is_floating_point_v<Figure>)
    {
        return DecimalPlaces(figure, sharePlaces);
    }
    else if constexpr (std::is_signed_v<Figure>)
    {
        return SecondsText(figure);
    }
    else
    {
        return column == "bandwidth_gbps" ? ScaledText(figure, giga) : std::to_string(figure);
    }
}

/** @param visitRow calls its second argument with each column and figure of its first one */
template <class Row, class VisitRow>
std::string
Table(const std::vector<Row>& rows, const VisitRow& visitRow)
{
    std::vector<std::string> fields;
    visitRow(rows.empty() ? Row{} : rows.front(),
             [&](const std::string& column, const auto& /*figure*/) { fields.push_back(column); });
    auto text = CsvLine(fields);
    for (const auto& row : rows)
    {
        fields.clear();
        visitRow(row, [&](const std::string& column, const auto& figure) {
            fields.push_back(CellOf(column, figure));
        });
        text += CsvLine(fields);
    }
    return text;
}

/** @throws Json's exceptions */
std::vector<LayerRow>
LayersIn(const Json& list)
{
    std::vector<LayerRow> layers;
    for (const auto& figures : list)
    {
        LayerRow row;
        std::size_t next = 2; // behind the worker, and how many there are
        VisitLayer(row, [&](const char* /*column*/, auto& figure) {
            figures.at(next).get_to(figure);
            ++next;
        });
        const std::uint64_t workers = figures.at(1);
        if (workers > MOST_DETAILS - layers.size())
        {
            throw InvariantError("a result with more layers than are kept");
        }
        for (std::uint32_t i = 0; i < workers; ++i)
        {
            layers.push_back(row);
            layers.back().worker = figures.at(0).get<std::uint32_t>() + i;
        }
    }
    std::stable_sort(layers.begin(), layers.end(), [](const LayerRow& a, const LayerRow& b) {
        return a.worker < b.worker;
    });
    return layers;
}

} // namespace

std::string
LayersCsv(const RunRecord& record)
{
    return Table(record.layers, [](const LayerRow& row, const auto& visit) {
        visit("worker", row.worker);
        VisitLayer(row, visit);
    });
}

std::string
LinksCsv(const RunRecord& record)
{
    return Table(record.links, [](const LinkRow& row, const auto& visit) {
        VisitLink(row, visit);
        for (const auto& drop : row.drops)
        {
            auto reason = drop.reason; // "buffer-full" becomes "drops_buffer_full"
            std::replace(reason.begin(), reason.end(), '-', '_');
            visit("drops_" + reason, drop.frames);
        }
    });
}

std::string
SwitchesCsv(const RunRecord& record)
{
    return Table(record.switches,
                 [](const SwitchRow& row, const auto& visit) { VisitSwitch(row, visit); });
}

std::string
LayersJson(const std::vector<LayerRow>& layers)
{
    std::map<std::size_t, Json> lists; // by the layer's place in the model
    std::size_t place = 0;
    for (std::size_t i = 0; i < layers.size() && layers.size() <= MOST_DETAILS; ++i)
    {
        const auto& row = layers[i];
        place = i > 0 && layers[i - 1].worker == row.worker ? place + 1 : 0;
        auto& list = lists[place];
        auto figures = Json::array({row.worker, 1});
        VisitLayer(row, [&](const char*, const auto& figure) { figures.push_back(figure); });
        if (!list.empty())
        {
            auto& last = list.back();
            const bool follows =
                last[0].get<std::uint64_t>() + last[1].get<std::uint64_t>() == row.worker;
            if (follows && std::equal(last.begin() + 2, last.end(), figures.begin() + 2))
            {
                last[1] = last[1].get<std::uint64_t>() + 1;
                continue;
            }
        }
        list.push_back(std::move(figures));
    }
    auto all = Json::array();
    for (const auto& [key, list] : lists)
    {
        all.insert(all.end(), list.begin(), list.end());
    }
    return JsonText(all);
}

std::vector<LayerRow>
LayersOfJson(std::string_view json)
{
    try
    {
        return LayersIn(Json::parse(json));
    }
    catch (const Json::exception& error)
    {
        throw InvariantError(std::string("no layers of a result: ") + error.what());
    }
}

} // namespace inca
