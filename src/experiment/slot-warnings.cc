/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/slot-warnings.h"

#include "base/units.h"

#include <fmt/format.h>

namespace inca
{

namespace
{

void
WarnOfSmallPools(const Outcome& outcome, Warnings& warnings)
{
    for (const auto& row : outcome.switches)
    {
        if (row.droppedNoSlot > 0)
        {
            warnings.push_back({WarningTopic::NETWORK,
                                fmt::format("{}: {} packets found none of its {} slots free: its "
                                            "workers use more",
                                            row.name,
                                            row.droppedNoSlot,
                                            row.slots)});
        }
    }
}

void
WarnOfTimeouts(const Outcome& outcome, Warnings& warnings)
{
    const auto& scenario = outcome.plan.scenario;
    if (outcome.retransmittedFrames == 0 || DroppedFrames(outcome.links) > 0)
    {
        return;
    }
    const auto text =
        fmt::format("switch.timeout: {} packets were sent again, though none was lost: {}",
                    outcome.retransmittedFrames,
                    FormatPicoseconds(scenario.inSwitch.timeoutPs));
    const auto together = text + " is shorter than a round trip, queues included";
    warnings.push_back({WarningTopic::NETWORK,
                        scenario.exchange.start == "together"
                            ? together
                            : together + ", or than workers wait for each other (exchange.start = "
                                         "\"together\" lets them begin at once)"});
}

void
WarnOfClamped(const Outcome& outcome, Warnings& warnings)
{
    if (outcome.clampedValues > 0)
    {
        warnings.push_back(
            {WarningTopic::NETWORK,
             fmt::format("switch.fixed_exponent: {} values did not fit its scale, or "
                         "are no numbers: they were clamped",
                         outcome.clampedValues)});
    }
}

} // namespace

void
WarnOfSlotsSeen(const Outcome& outcome, Warnings& warnings)
{
    WarnOfSmallPools(outcome, warnings);
    WarnOfTimeouts(outcome, warnings);
    WarnOfClamped(outcome, warnings);
}

} // namespace inca
