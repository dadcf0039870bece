/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-warnings.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "experiment/sketch-results.h"
#include "experiment/slot-warnings.h"
#include "scenario/specs.h"
#include "topology/aggregation-tree.h"
#include "topology/topology-catalog.h"

#include <fmt/format.h>

#include <algorithm>

namespace inca
{

namespace
{

void
WarnOfDrops(const Outcome& outcome, std::vector<std::string>& warnings)
{
    const auto drops = DroppedFrames(outcome.links);
    const bool explained = drops == 0 && !outcome.switches.empty(); // by WarnOfSlots
    if ((drops > 0 || outcome.retransmittedFrames > 0) && !explained)
    {
        warnings.push_back(
            fmt::format("{} frames were dropped and {} sent again: links.csv says where",
                        drops,
                        outcome.retransmittedFrames));
    }
}

/** Links from host to host, at most: up to where all can be reached, and down again. */
std::int64_t
LongestWay(const TopologyPlan& plan)
{
    return 2 * std::int64_t{MakeAggregationTree(plan, plan.HostCount()).Levels()};
}

/** The frames that a sender needs in flight: the round trip, and those that one acknowledgement waits for. */
std::int64_t
WindowNeeded(const Scenario& scenario, std::uint64_t bitsPerSecond)
{
    const auto payloadBytes = MaxPayloadBytes(scenario.cluster.mtu);
    const auto framePs =
        SerialisationPs(FrameWireBytes(INCA_HEADER_BYTES + payloadBytes), bitsPerSecond);
    const auto ackPs = SerialisationPs(FrameWireBytes(INCA_HEADER_BYTES), bitsPerSecond);
    const auto hops = LongestWay(MakeTopology(MakeTopologySpec(scenario)));
    const auto roundTripPs = hops * (2 * scenario.cluster.latencyPs + framePs + ackPs);
    const auto perAck = std::min(scenario.transport.ackEvery, scenario.transport.window);
    return perAck + (roundTripPs + framePs - 1) / framePs;
}

void
WarnOfWindow(const Scenario& scenario, const Outcome& outcome, std::vector<std::string>& warnings)
{
    std::uint64_t fastest = 0;
    for (const auto& link : outcome.links)
    {
        fastest = std::max(fastest, link.bitsPerSecond);
    }
    const auto needed = WindowNeeded(scenario, fastest);
    if (needed > scenario.transport.window)
    {
        warnings.push_back(
            fmt::format("transport.window: {} frames cannot fill a link of {} over this "
                        "latency; it takes about {}",
                        scenario.transport.window,
                        FormatBitsPerSecond(fastest),
                        needed));
    }
}

/** Whether a model's gradients are all in one exchange is known only when its trace was read. */
void
WarnOfIdleKeys(const Scenario& scenario, const TrainingJob& job, std::vector<std::string>& warnings)
{
    const bool known = scenario.training.send == "end" || !HasCompute(scenario);
    if (job.chunks.size() > 1 || known)
    {
        return;
    }
    const auto idle = [&warnings](const char* key) {
        warnings.push_back(fmt::format("{}: has no effect: all gradients fit one bucket", key));
    };
    if (!scenario.training.overlap)
    {
        idle("training.overlap");
    }
    if (job.priority)
    {
        idle("exchange.order");
    }
    if (job.concurrent > 1)
    {
        idle("exchange.concurrent");
    }
}

void
WarnOfSizes(const Scenario& scenario, const Outcome& outcome, std::vector<std::string>& warnings)
{
    // A codec that makes the same of every value needs no statistics.
    const auto& codec = outcome.prepared.codec;
    const bool coded = codec != nullptr && !codec->MeanBits({});
    const bool values = outcome.prepared.job->HasValues();
    if (coded && !values)
    {
        warnings.emplace_back(
            "sizes only: every hop is as large as a single worker's gradient; sums "
            "are wider (training.values = true counts every hop)");
    }
    if ((coded || values) && !HasCompute(scenario))
    {
        warnings.emplace_back("a lone tensor's values are assumed to be normal with a standard "
                              "deviation of 2^-6");
    }
}

void
WarnOfNotFinite(const Outcome& outcome, std::vector<std::string>& warnings)
{
    if (outcome.errors && outcome.errors->notFinite > 0)
    {
        warnings.push_back(
            fmt::format("{} values or their sums are infinite or no numbers: the errors "
                        "leave them out",
                        outcome.errors->notFinite));
    }
}

} // namespace

std::vector<std::string>
RunWarnings(const Scenario& scenario, const Outcome& outcome)
{
    std::vector<std::string> warnings;
    WarnOfIdleKeys(scenario, *outcome.prepared.job, warnings);
    outcome.switches.empty() ? WarnOfWindow(scenario, outcome, warnings)
                             : WarnOfSlots(scenario, outcome, warnings);
    WarnOfDrops(outcome, warnings);
    WarnOfSketches(scenario, outcome.prepared.sketches, CountedPerIteration(outcome), warnings);
    WarnOfSizes(scenario, outcome, warnings);
    WarnOfNotFinite(outcome, warnings);
    return warnings;
}

} // namespace inca
