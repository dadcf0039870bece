/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/precision.h"

#include "record/result-row.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace inca
{

namespace
{

/** Columns that tell how a run was made. */
constexpr std::array<const char*, 3> g_ofTheRun{"exact", "packet_level_share", "values_in_frames"};

/** Mean of a total over the measured iterations. (ps) */
double
Mean(std::int64_t totalPs, const RunRecord& record)
{
    return static_cast<double>(totalPs) / record.results.measuredIterations;
}

double
Share(double difference, double whole)
{
    return whole == 0 ? std::abs(difference) : std::abs(difference) / whole;
}

bool
HaveSameCounts(const RunRecord& a, const RunRecord& b)
{
    const auto same = [](const LinkRow& x, const LinkRow& y) {
        return x.link == y.link && x.frames == y.frames && x.wireBytes == y.wireBytes;
    };
    return a.results.plainBytes == b.results.plainBytes &&
           a.results.wireBytes == b.results.wireBytes && a.results.drops == b.results.drops &&
           a.results.retransmitted == b.results.retransmitted && a.links.size() == b.links.size() &&
           std::equal(a.links.begin(), a.links.end(), b.links.begin(), same);
}

} // namespace

bool
Precision::IsSound(bool exact) const
{
    const bool near = iterationError <= MOST_TIME_ERROR && communicationError <= MOST_TIME_ERROR &&
                      exchangeError <= MOST_TIME_ERROR;
    return sameCounts && near && (!exact || differing.empty());
}

Precision
PrecisionOf(const RunRecord& record, const RunRecord& packetLevel)
{
    Precision precision;
    const auto& ours = record.results;
    const auto& theirs = packetLevel.results;
    const auto iterationPs = static_cast<double>(theirs.iterationTimePs);
    precision.iterationError =
        Share(static_cast<double>(ours.iterationTimePs) - iterationPs, iterationPs);
    precision.communicationError = Share(Mean(ours.shares.communicationPs, record) -
                                             Mean(theirs.shares.communicationPs, packetLevel),
                                         iterationPs);
    const auto exchangePs = static_cast<double>(theirs.exchangeTimePs.value_or(0));
    precision.exchangeError =
        Share(static_cast<double>(ours.exchangeTimePs.value_or(0)) - exchangePs, exchangePs);
    precision.sameCounts = HaveSameCounts(record, packetLevel);
    for (const auto& column : ResultColumns())
    {
        const bool counts =
            std::find(g_ofTheRun.begin(), g_ofTheRun.end(), column.name) == g_ofTheRun.end();
        if (counts && column.text(record) != column.text(packetLevel))
        {
            precision.differing.push_back(column.name);
        }
    }
    return precision;
}

} // namespace inca
