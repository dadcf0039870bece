/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/details.h"

#include "base/value-form.h"
#include "record/csv-text.h"

#include <algorithm>
#include <type_traits>

namespace inca
{

namespace
{

/** Call @p visit with each column's name and the row's member, in their order. @{ */
constexpr auto VISIT_LAYER = [](const LayerRow& row, const auto& visit) {
    visit("worker", row.worker);
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
};

constexpr auto VISIT_LINK = [](const LinkRow& row, const auto& visit) {
    visit("link", row.ends.name);
    visit("from", row.ends.from);
    visit("to", row.ends.to);
    visit("bandwidth_gbps", row.bitsPerSecond);
    visit("wire_bytes", row.port.out.wireBytes);
    visit("frames", row.port.frames);
    visit("utilisation", row.utilisation);
    visit("largest_queue_bytes", row.port.largestQueueBytes);
    visit("ecn_marked_frames", row.port.congestedFrames);
    for (std::size_t i = 0; i < DROP_REASONS; ++i)
    {
        const auto reason = static_cast<DropReason>(i);
        std::string name = DropReasonName(reason); // "buffer-full" becomes "drops_buffer_full"
        std::replace(name.begin(), name.end(), '-', '_');
        visit("drops_" + name, row.port.drops.Of(reason));
    }
};

constexpr auto VISIT_SWITCH = [](const SwitchRow& row, const auto& visit) {
    visit("switch", row.name);
    visit("packets_in", row.packets.in);
    visit("combined", row.packets.combined);
    visit("forwarded", row.packets.forwarded);
    visit("answered", row.packets.answered);
    visit("dropped_duplicate", row.packets.duplicates);
    visit("dropped_late", row.packets.late);
    visit("dropped_no_slot", row.packets.noSlot);
    visit("dropped_foreign", row.packets.foreign);
    visit("packets_made", row.packets.made);
    visit("slots_peak", row.slotsPeak);
    visit("slots", row.slots);
    visit("memory_bytes", row.memoryBytes);
};

constexpr auto VISIT_PATH = [](const PathRow& row, const auto& visit) {
    visit("kind", row.kind);
    visit("place", row.place);
    visit("time_s", row.ps);
    visit("pieces", row.pieces);
};

constexpr auto VISIT_ERRORS = [](const ErrorRow& row, const auto& visit) {
    visit("bucket", row.bucket);
    visit("hop", row.hop == 0 ? std::string() : std::to_string(row.hop));
    visit("values", row.values);
    visit("vnmse", row.vnmse);
    visit("cosine", row.cosine);
    visit("largest_error", row.largest);
};

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
        return column == "utilisation" ? DecimalPlaces(figure, sharePlaces) : NineDigits(figure);
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

} // namespace

std::string
LayersCsv(const RunRecord& record)
{
    return Table(record.layers, VISIT_LAYER);
}

std::string
LinksCsv(const RunRecord& record)
{
    return Table(record.links, VISIT_LINK);
}

std::string
SwitchesCsv(const RunRecord& record)
{
    return Table(record.switches, VISIT_SWITCH);
}

std::string
PathCsv(const RunRecord& record)
{
    return Table(record.path, VISIT_PATH);
}

std::string
ErrorsCsv(const RunRecord& record)
{
    return Table(record.errors, VISIT_ERRORS);
}

} // namespace inca
