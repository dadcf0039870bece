/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/feasible-run.h"

#include "base/errors.h"
#include "base/units.h"
#include "scenario/specs.h"

#include <fmt/format.h>

#include <string>

namespace inca
{

namespace
{

/** "3.5 h", "40 min" */
std::string
Duration(double seconds)
{
    constexpr double minute = 60;
    constexpr double hour = 3600;
    if (seconds >= 2 * hour)
    {
        return fmt::format("{:.0f} hours", seconds / hour);
    }
    return seconds >= 2 * minute ? fmt::format("{:.0f} minutes", seconds / minute)
                                 : fmt::format("{:.0f} seconds", seconds);
}

/** A run of one, or of as few as can be, has none of it to give up. */
std::string
FewerIterations(const Scenario& scenario)
{
    return scenario.training.iterations > 1 ? "fewer iterations, " : "";
}

/** What a run is long for. */
enum class LongFor
{
    MESSAGES, ///< of few frames, or of which as much is simulated whatever their size
    FRAMES,   ///< all of each message's
};

LongFor
LongForOf(const RunEstimate& estimate)
{
    constexpr double fewFrames = 10; // of a message: then it is messages that take time and memory
    constexpr double mostly = 0.5;
    const bool isShort = estimate.frames < fewFrames * estimate.messages;
    const bool repeats = estimate.crowd == 0 &&
                         estimate.frames > mostly * estimate.cost.frames.most * estimate.messages;
    return isShort || repeats ? LongFor::MESSAGES : LongFor::FRAMES;
}

/** Of what is counted, what there is less of with other settings. */
std::string
LessWork(const Scenario& scenario, const RunEstimate& estimate)
{
    constexpr std::uint32_t longest = 9000; // that networks know
    const auto first = FewerIterations(scenario);
    if (LongForOf(estimate) == LongFor::MESSAGES)
    {
        return first + (estimate.chunks > 1 ? "fewer workers, and larger buckets or chunks, help"
                                            : "fewer workers help");
    }
    return first + (scenario.cluster.mtu < longest
                        ? "a smaller tensor or longer frames (cluster.mtu) help"
                        : "a smaller tensor helps");
}

/** What makes it smaller, most of all first. @param key that sets the limit */
std::string
WhatHelps(const Scenario& scenario,
          const RunEstimate& estimate,
          const FoldChoice& fold,
          const char* key)
{
    auto text = LessWork(scenario, estimate);
    if (estimate.crowd > 0)
    {
        const auto bytes = estimate.crowd * static_cast<double>(scenario.cluster.bufferBytes) /
                           RoomFrames(scenario);
        text += fmt::format("; a switch port's buffer (cluster.buffer) with room for a frame of "
                            "each of {:.0f} hosts that send to one, {}, helps{}",
                            estimate.crowd,
                            HumanBytes(static_cast<std::uint64_t>(bytes)),
                            scenario.transport.credits ? "" : ", with transport.credits = true");
    }
    if (IsPacketLevel(scenario))
    {
        text += ", as may simulation.mode = \"auto\"";
    }
    else if (!fold.IsFolded())
    {
        text += "; every worker is simulated by itself, for " + fold.whyNot;
    }
    return text + "; a larger " + key + " lets it run";
}

} // namespace

void
RequireFeasible(const Scenario& scenario, const RunEstimate& estimate, const FoldChoice& fold)
{
    constexpr double psPerSecond = 1e12;
    const auto& simulation = scenario.simulation;
    const auto mostSeconds = static_cast<double>(simulation.maxCpuPs) / psPerSecond;
    const auto what =
        fmt::format("this run has about {:.2g} frames in {:.2g} messages to simulate, which takes",
                    estimate.frames,
                    estimate.messages);
    if (estimate.cpuSeconds > mostSeconds)
    {
        throw InputError(
            fmt::format("simulation.max_cpu_time: {} about {}, more than {}; {}",
                        what,
                        Duration(estimate.cpuSeconds),
                        Duration(mostSeconds),
                        WhatHelps(scenario, estimate, fold, "simulation.max_cpu_time")));
    }
    if (estimate.memoryBytes > static_cast<double>(simulation.maxMemoryBytes))
    {
        throw InputError(fmt::format("simulation.max_memory: {} about {}, more than {}; {}",
                                     what,
                                     HumanBytes(static_cast<std::uint64_t>(estimate.memoryBytes)),
                                     HumanBytes(simulation.maxMemoryBytes),
                                     WhatHelps(scenario, estimate, fold, "simulation.max_memory")));
    }
}

} // namespace inca
