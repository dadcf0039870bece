/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/slot-warnings.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "scenario/specs.h"
#include "topology/aggregation-tree.h"
#include "topology/topology-catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace inca
{

namespace
{

std::uint64_t
FrameBytes(const SwitchSettings& settings)
{
    return FrameWireBytes(AGGREGATION_HEADER_BYTES + VALUE_BYTES * settings.valuesPerPacket);
}

/** The slowest of the workers' links: nobody is ahead of its worker. */
std::uint64_t
SlowestLink(const Scenario& scenario, const Outcome& outcome)
{
    auto slowest = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = 0; i < 2 * std::size_t{scenario.cluster.workers}; ++i)
    {
        slowest = std::min(slowest, outcome.links[i].bitsPerSecond);
    }
    return slowest;
}

/** The slots that are in use when a link is never idle: those of a round trip to the root. */
std::int64_t
SlotsNeeded(const Scenario& scenario, const Outcome& outcome)
{
    const auto& settings = scenario.inSwitch;
    const auto framePs = SerialisationPs(FrameBytes(settings), SlowestLink(scenario, outcome));
    const auto tree =
        MakeAggregationTree(MakeTopology(MakeTopologySpec(scenario)), scenario.cluster.workers);
    const std::int64_t levels{tree.Levels()};
    const auto linksPs = 2 * levels * (scenario.cluster.latencyPs + framePs);
    const auto roundTripPs = linksPs + (2 * levels - 1) * settings.latencyPs;
    return (roundTripPs + framePs - 1) / framePs;
}

void
WarnOfFewSlots(const Scenario& scenario, const Outcome& outcome, std::vector<std::string>& warnings)
{
    const auto needed = SlotsNeeded(scenario, outcome);
    if (needed > scenario.inSwitch.slots)
    {
        warnings.push_back(
            fmt::format("switch.slots: {} slots cannot fill a link of {} over this latency; it "
                        "takes about {}",
                        scenario.inSwitch.slots,
                        FormatBitsPerSecond(SlowestLink(scenario, outcome)),
                        needed));
    }
}

void
WarnOfBuffer(const Scenario& scenario, std::vector<std::string>& warnings)
{
    const auto bytes = FrameBytes(scenario.inSwitch) * scenario.inSwitch.slots;
    if (scenario.cluster.bufferBytes < bytes)
    {
        warnings.push_back(fmt::format("cluster.buffer: {} hold less than the {} that a worker's "
                                       "slots may have on their way: packets may be dropped",
                                       FormatBytes(scenario.cluster.bufferBytes),
                                       HumanBytes(bytes)));
    }
}

void
WarnOfSmallPools(const Outcome& outcome, std::vector<std::string>& warnings)
{
    for (const auto& row : outcome.switches)
    {
        if (row.droppedNoSlot > 0)
        {
            warnings.push_back(fmt::format("{}: {} packets found none of its {} slots free: its "
                                           "workers use more",
                                           row.name,
                                           row.droppedNoSlot,
                                           row.slots));
        }
    }
}

void
WarnOfTimeouts(const Scenario& scenario, const Outcome& outcome, std::vector<std::string>& warnings)
{
    if (outcome.retransmittedFrames == 0 || DroppedFrames(outcome.links) > 0)
    {
        return;
    }
    const auto text =
        fmt::format("switch.timeout: {} packets were sent again, though none was lost: {}",
                    outcome.retransmittedFrames,
                    FormatPicoseconds(scenario.inSwitch.timeoutPs));
    const auto together = text + " is shorter than a round trip, queues included";
    warnings.push_back(scenario.exchange.start == "together"
                           ? together
                           : together + ", or than workers wait for each other (exchange.start = "
                                        "\"together\" lets them begin at once)");
}

} // namespace

void
WarnOfSlots(const Scenario& scenario, const Outcome& outcome, std::vector<std::string>& warnings)
{
    WarnOfFewSlots(scenario, outcome, warnings);
    WarnOfBuffer(scenario, warnings);
    WarnOfSmallPools(outcome, warnings);
    WarnOfTimeouts(scenario, outcome, warnings);
    if (outcome.clampedValues > 0)
    {
        warnings.push_back(fmt::format("switch.fixed_exponent: {} values did not fit its scale, or "
                                       "are no numbers: they were clamped",
                                       outcome.clampedValues));
    }
}

} // namespace inca
