/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/precision.h"

#include "record/result-row.h"

#include <array>
#include <cmath>
#include <cstdint>

namespace inca
{

Precision
PrecisionOf(const RunRecord& record, const RunRecord& packetLevel)
{
    const auto& ours = record.results;
    const auto& theirs = packetLevel.results;
    const auto off = [](std::int64_t a, std::int64_t b, std::int64_t whole) {
        const auto difference = std::abs(static_cast<double>(a - b));
        return whole == 0 ? difference : difference / static_cast<double>(whole);
    };
    const auto iterationPs = theirs.iterationTimePs;
    const auto exchangePs = theirs.exchangeTimePs.value_or(0);
    Precision precision;
    precision.iterationError = off(ours.iterationTimePs, iterationPs, iterationPs);
    precision.communicationError = off(ours.shares.communicationPs,
                                       theirs.shares.communicationPs,
                                       iterationPs * theirs.measuredIterations);
    precision.exchangeError = off(ours.exchangeTimePs.value_or(0), exchangePs, exchangePs);
    precision.sameCounts = std::equal(record.links.begin(),
                                      record.links.end(),
                                      packetLevel.links.begin(),
                                      packetLevel.links.end(),
                                      [](const LinkRow& a, const LinkRow& b) {
                                          return a.ends.name == b.ends.name &&
                                                 a.port.frames == b.port.frames &&
                                                 a.port.out.wireBytes == b.port.out.wireBytes;
                                      });
    constexpr std::array ofTheRun{"exact", "packet_level_share", "values_in_frames"};
    for (const auto& column : ResultColumns())
    {
        if (std::find(ofTheRun.begin(), ofTheRun.end(), column.name) == ofTheRun.end() &&
            column.text(record) != column.text(packetLevel))
        {
            precision.differing.push_back(column.name);
        }
    }
    for (const auto* count : {"plain_bytes", "wire_bytes", "drops", "retransmitted"})
    {
        const auto& differing = precision.differing;
        precision.sameCounts =
            precision.sameCounts &&
            std::find(differing.begin(), differing.end(), count) == differing.end();
    }
    return precision;
}

} // namespace inca
