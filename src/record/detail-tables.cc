/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/detail-tables.h"

#include "record/csv-text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr int g_sharePlaces = 6;
constexpr int g_gigaPlaces = 9;
constexpr double g_bitsPerGigabit = 1e9;

/** One column of a table with one row per item. */
template <class Row>
struct TableColumn
{
    std::string name;
    std::function<std::string(const Row&)> text;
};

template <class Row>
std::string
Table(const std::vector<TableColumn<Row>>& columns, const std::vector<Row>& rows)
{
    std::vector<std::string> fields;
    for (const auto& column : columns)
    {
        fields.push_back(column.name);
    }
    auto text = CsvLine(fields);
    for (const auto& row : rows)
    {
        fields.clear();
        for (const auto& column : columns)
        {
            fields.push_back(column.text(row));
        }
        text += CsvLine(fields);
    }
    return text;
}

std::vector<TableColumn<LinkRow>>
LinkColumns()
{
    return {
        {"link", [](const LinkRow& row) { return row.link; }},
        {"from", [](const LinkRow& row) { return row.from; }},
        {"to", [](const LinkRow& row) { return row.to; }},
        {"bandwidth_gbps",
         [](const LinkRow& row) {
             return DecimalPlaces(static_cast<double>(row.bitsPerSecond) / g_bitsPerGigabit,
                                  g_gigaPlaces);
         }},
        {"wire_bytes", [](const LinkRow& row) { return std::to_string(row.wireBytes); }},
        {"frames", [](const LinkRow& row) { return std::to_string(row.frames); }},
        {"utilisation",
         [](const LinkRow& row) { return DecimalPlaces(row.utilisation, g_sharePlaces); }},
        {"largest_queue_bytes",
         [](const LinkRow& row) { return std::to_string(row.largestQueueBytes); }},
        {"ecn_marked_frames", [](const LinkRow& row) { return std::to_string(row.markedFrames); }},
    };
}

/** A reason as a part of a column's name: "buffer_full". */
std::string
ColumnName(std::string reason)
{
    std::replace(reason.begin(), reason.end(), '-', '_');
    return reason;
}

} // namespace

std::string
LayersCsv(const RunRecord& record)
{
    const std::vector<TableColumn<LayerRow>> columns{
        {"worker", [](const LayerRow& row) { return std::to_string(row.worker); }},
        {"layer", [](const LayerRow& row) { return row.layer; }},
        {"elements", [](const LayerRow& row) { return std::to_string(row.elements); }},
        {"first_bucket", [](const LayerRow& row) { return std::to_string(row.firstBucket); }},
        {"last_bucket", [](const LayerRow& row) { return std::to_string(row.lastBucket); }},
        {"ready_s", [](const LayerRow& row) { return SecondsText(row.readyPs); }},
        {"start_s", [](const LayerRow& row) { return SecondsText(row.startPs); }},
        {"end_s", [](const LayerRow& row) { return SecondsText(row.endPs); }},
        {"exposed_communication_s",
         [](const LayerRow& row) { return SecondsText(row.exposedCommunicationPs); }},
        {"weights_wait_s", [](const LayerRow& row) { return SecondsText(row.weightsWaitPs); }},
        {"plain_bytes", [](const LayerRow& row) { return std::to_string(row.plainBytes); }},
        {"wire_bytes", [](const LayerRow& row) { return std::to_string(row.wireBytes); }},
    };
    return Table(columns, record.layers);
}

std::string
LinksCsv(const RunRecord& record)
{
    auto columns = LinkColumns();
    const auto reasons = record.links.empty() ? 0 : record.links.front().drops.size();
    for (std::size_t i = 0; i < reasons; ++i)
    {
        columns.push_back(
            {"drops_" + ColumnName(record.links.front().drops[i].reason),
             [i](const LinkRow& row) { return std::to_string(row.drops.at(i).frames); }});
    }
    return Table(columns, record.links);
}

std::string
SwitchesCsv(const RunRecord& record)
{
    using Count = std::uint64_t SwitchRow::*;
    const std::vector<std::pair<const char*, Count>> counts{
        {"packets_in", &SwitchRow::packetsIn},
        {"combined", &SwitchRow::combined},
        {"forwarded", &SwitchRow::forwarded},
        {"answered", &SwitchRow::answered},
        {"dropped_duplicate", &SwitchRow::droppedDuplicate},
        {"dropped_late", &SwitchRow::droppedLate},
        {"dropped_no_slot", &SwitchRow::droppedNoSlot},
        {"dropped_foreign", &SwitchRow::droppedForeign},
        {"packets_made", &SwitchRow::packetsMade},
        {"slots_peak", &SwitchRow::slotsPeak},
        {"slots", &SwitchRow::slots},
        {"memory_bytes", &SwitchRow::memoryBytes},
    };
    std::vector<TableColumn<SwitchRow>> columns{
        {"switch", [](const SwitchRow& row) { return row.name; }}};
    for (const auto& [name, count] : counts)
    {
        columns.push_back(
            {name, [count = count](const SwitchRow& row) { return std::to_string(row.*count); }});
    }
    return Table(columns, record.switches);
}

} // namespace inca
