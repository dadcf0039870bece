/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/cost.h"

#include "base/errors.h"
#include "base/units.h"
#include "base/wire-format.h"
#include "exchange/block-packets.h"
#include "exchange/rank-load.h"
#include "scenario/specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace inca
{

namespace
{

/** What INCA takes on one core of a server of 2023. @{ */
constexpr double SECONDS_PER_HOP{0.3e-6}; ///< of a frame, over one link
constexpr double SECONDS_PER_MESSAGE{3e-6};
constexpr double SECONDS_PER_VALUE{1.2e-9};       ///< that is replayed
constexpr double SECONDS_PER_CARRIED_VALUE{5e-9}; ///< that travels in frames and is replayed, too
constexpr double COPIES_OF_CARRIED_VALUES{1.4};   ///< of an open exchange
constexpr double BYTES_PER_RUN{24e6};
constexpr double BYTES_PER_RANK{35e3}; ///< that is simulated
constexpr double BYTES_PER_MESSAGE{50};
constexpr double BYTES_PER_LAYER_ROW{114}; ///< of each worker
constexpr double BYTES_OF_WINDOWS{16e6};   ///< in which values are compared
/** @} */

/** Of a message, or of a sum, as many full windows are simulated before the network repeats itself. */
constexpr double WINDOWS_BEFORE_STEADY{6};

constexpr Rank MOST_RANKS{16};           ///< of workers, and of others, that are counted
constexpr std::size_t MOST_PLANS{64};    ///< of exchanges of different sizes, likewise
constexpr std::uint32_t MOST_STEPS{256}; ///< of a rank in an exchange, likewise

/** Exchanges of one size, or of sizes near it. */
struct PlanUse
{
    double times{0};
    double elements{0};
    double bytes{0}; ///< as hosts move them
};

using PlanUses = std::map<const StepPlan*, PlanUse>;

/** What one rank gets in an iteration. */
struct Received
{
    double messages{0};
    double bytes{0};
    double values{0};
    double frames{0};
};

PlanUses
UsesOf(const TrainingJob& job)
{
    constexpr double bitsPerByte = 8;
    PlanUses uses;
    const StepPlan* last = nullptr;
    for (const auto& chunk : job.chunks)
    {
        const auto elementBytes = job.hostCodec ? job.meanBits(chunk.range) / bitsPerByte
                                                : static_cast<double>(job.bytesPerElement);
        for (const auto& round : chunk.rounds)
        {
            const auto elements = static_cast<double>(round.plan->Elements());
            if (elements == 0) // it takes no step
            {
                continue;
            }
            const bool isCounted = uses.size() < MOST_PLANS || uses.count(round.plan.get()) > 0;
            last = isCounted ? round.plan.get()
                             : last; // of many sizes, the last one stands for others
            auto& use = uses[last];
            use.times += 1;
            use.elements += elements;
            use.bytes += elements * elementBytes;
        }
    }
    return uses;
}

/** Adds the sums that switches make for one worker. @param times of each */
void
AddSums(const Scenario& scenario,
        const TrainingJob& job,
        const std::vector<ReductionSize>& sums,
        double times,
        Received& received)
{
    constexpr double slots = 512; // as many as most pools have, or more
    constexpr double turns = 10;  // of all workers' shards, before these repeat themselves
    for (auto sum : sums)
    {
        const bool gathers = sum.phase == SumPhase::ALL_GATHER;
        sum.perWord =
            gathers
                ? static_cast<std::uint32_t>(VALUE_BYTES / job.BytesPerElement(PayloadKind::WEIGHT))
                : 1;
        const auto words = static_cast<double>(WordsGot(sum, 0, job.workers));
        const auto frames = static_cast<double>(MakeScheme(scenario)->TrafficOf({{sum, 1}}).frames);
        const auto ofTurns = sum.phase == SumPhase::ALL_REDUCE ? 0 : turns * job.workers;
        const auto most = MayRepeat(scenario, job) ? WINDOWS_BEFORE_STEADY * slots + ofTurns
                                                   : std::numeric_limits<double>::infinity();
        received.messages += times;
        received.bytes += times * words * VALUE_BYTES;
        received.values += times * words;
        received.frames += times * std::min(frames, most);
    }
}

/** Of a message to a rank that so many send to: until the network repeats itself. */
double
MostFrames(const Scenario& scenario, const TrainingJob& job, std::size_t peers)
{
    const auto senders = static_cast<double>(std::max<std::size_t>(1, peers));
    return MayRepeat(scenario, job) ? WINDOWS_BEFORE_STEADY * scenario.transport.window * senders
                                    : std::numeric_limits<double>::infinity();
}

Received
ReceivedBy(const Scenario& scenario, const TrainingJob& job, const PlanUses& uses, Rank rank)
{
    const auto payload = static_cast<double>(MaxPayloadBytes(scenario.cluster.mtu));
    Received all;
    for (const auto& [plan, use] : uses)
    {
        const auto [traffic, repeated, peers] = SampleTraffic(*plan, rank, MOST_STEPS);
        const auto& [gradient, weight] = std::tie(traffic.gradient, traffic.weight);
        const auto size = repeated * use.elements / static_cast<double>(plan->Elements());
        const auto gradients = size * static_cast<double>(gradient.receivedElements);
        const auto weights = size * static_cast<double>(weight.receivedElements);
        const auto bytes = gradients * use.bytes / use.elements +
                           weights * static_cast<double>(job.BytesPerElement(PayloadKind::WEIGHT));
        const auto messages =
            use.times * repeated *
            static_cast<double>(gradient.receivedMessages + weight.receivedMessages);
        const auto perMessage = messages > 0 ? bytes / messages / payload + 1 : 0;
        all.messages += messages;
        all.bytes += bytes;
        all.values += gradients + weights;
        all.frames += messages * std::min(perMessage, MostFrames(scenario, job, peers));
        AddSums(scenario, job, traffic.reductions, use.times * repeated, all);
    }
    return all;
}

/** Adds what ranks @p first .. @p first + @p count - 1 get; those that are counted are spread by the golden ratio. */
void
AddRanks(const Scenario& scenario,
         const TrainingJob& job,
         const PlanUses& uses,
         Rank first,
         Rank count,
         Received& all)
{
    constexpr double goldenRatio = 0.6180339887498949;
    const auto counted = std::min(count, MOST_RANKS);
    for (Rank i = 0; i < counted; ++i)
    {
        const auto spread = static_cast<Rank>(std::fmod(i * goldenRatio, 1) * count);
        const auto rank = first + (counted == count ? i : spread);
        const auto received = ReceivedBy(scenario, job, uses, rank);
        const double times = static_cast<double>(count) / counted;
        all.messages += times * received.messages;
        all.bytes += times * received.bytes;
        all.values += times * received.values;
        all.frames += times * received.frames;
    }
}

/** Of all workers, of the exchanges that may be under way at a time. */
double
OpenValues(const TrainingJob& job)
{
    std::uint64_t largest = 0;
    for (const auto& chunk : job.chunks)
    {
        largest = std::max(largest, chunk.ValueCount());
    }
    const auto open = static_cast<double>(largest) * job.concurrent;
    return std::min(open, static_cast<double>(job.layers.back().range.End())) * job.workers;
}

/** Adds what values take: all workers', whoever is simulated. @param all what simulated ranks get */
void
AddValues(const TrainingJob& job, bool carried, const Received& all, double unfolded, Cost& cost)
{
    const auto own = static_cast<double>(job.layers.back().range.End());
    const double times = carried ? job.BatchCount() : 1; // replayed ones are alike
    const auto each = carried ? SECONDS_PER_CARRIED_VALUE : SECONDS_PER_VALUE;
    cost.valueSeconds = each * times * (own * job.workers + unfolded * all.values);
    cost.cpuSeconds += cost.valueSeconds;
    const auto held = carried ? COPIES_OF_CARRIED_VALUES * OpenValues(job) : 0;
    const auto weights = job.GathersWeights() ? own : 0;
    cost.memoryBytes += BYTES_OF_WINDOWS + VALUE_BYTES * (held + weights);
}

/** "3 hours", "40 minutes" */
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

/** What makes a run smaller. @param key that sets the limit */
std::string
WhatHelps(const Scenario& scenario, const FoldChoice& fold, const char* key)
{
    std::string text = scenario.training.iterations > 1 ? "fewer iterations, " : "";
    text += "fewer workers, a smaller tensor, larger buckets or longer frames (cluster.mtu) help";
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

bool
MayRepeat(const Scenario& scenario, const TrainingJob& job)
{
    const bool sizesAreOfValues = scenario.training.values && job.engines;
    return !IsPacketLevel(scenario) && scenario.cluster.lossRate == 0 && !job.HasValues() &&
           !sizesAreOfValues;
}

Cost
SimulationCost(const Scenario& scenario,
               const TrainingJob& job,
               const TrainingJob& simulated,
               const FoldChoice& fold)
{
    const double hops = scenario.cluster.topology == "star" ? 2 : 4; // mostly, in a tree
    const auto workers = simulated.WorkersAmong(fold.simulated);
    const auto uses = UsesOf(simulated);
    Received all;
    AddRanks(scenario, simulated, uses, 0, workers, all);
    AddRanks(scenario, simulated, uses, workers, fold.simulated - workers, all);
    const auto layers = static_cast<double>(simulated.layers.size());
    const double batches = simulated.BatchCount();
    const auto computed = layers * simulated.iterations * simulated.accumulation * workers;
    Cost cost;
    cost.payloadBytes = batches * all.bytes;
    cost.frames = batches * all.frames;
    cost.messages = batches * all.messages + computed;
    cost.cpuSeconds = cost.frames * hops * SECONDS_PER_HOP + cost.messages * SECONDS_PER_MESSAGE;
    cost.memoryBytes = BYTES_PER_RUN + fold.simulated * BYTES_PER_RANK +
                       batches * all.messages * BYTES_PER_MESSAGE +
                       (layers + 1) * job.workers * BYTES_PER_LAYER_ROW;
    if (job.HasValues())
    {
        const auto unfolded = static_cast<double>(fold.ranks) / fold.simulated;
        AddValues(job, simulated.HasValues(), all, unfolded, cost);
    }
    return cost;
}

void
RequireFeasible(const Scenario& scenario, const Cost& cost, const FoldChoice& fold)
{
    constexpr double psPerSecond = 1e12;
    const auto& simulation = scenario.simulation;
    const auto refuse = [&](const char* key, const std::string& takes, const std::string& most) {
        throw InputError(fmt::format("{}: this run has about {:.2g} frames in {:.2g} messages to "
                                     "simulate, which takes about {}, more than {}; {}",
                                     key,
                                     cost.frames,
                                     cost.messages,
                                     takes,
                                     most,
                                     WhatHelps(scenario, fold, key)));
    };
    const auto mostSeconds = static_cast<double>(simulation.maxCpuPs) / psPerSecond;
    if (cost.cpuSeconds > mostSeconds)
    {
        refuse("simulation.max_cpu_time", Duration(cost.cpuSeconds), Duration(mostSeconds));
    }
    if (cost.memoryBytes > static_cast<double>(simulation.maxMemoryBytes))
    {
        refuse("simulation.max_memory",
               HumanBytes(static_cast<std::uint64_t>(cost.memoryBytes)),
               HumanBytes(simulation.maxMemoryBytes));
    }
}

} // namespace inca
