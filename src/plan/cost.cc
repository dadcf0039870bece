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
#include <memory>
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
constexpr double BYTES_PER_RUN{24e6};
constexpr double BYTES_PER_RANK{35e3}; ///< that is simulated
constexpr double BYTES_PER_MESSAGE{50};
constexpr double BYTES_PER_LAYER_ROW{114};     ///< of each worker
constexpr double BYTES_OF_VALUES{16e6};        ///< in which they are compared
constexpr double BYTES_PER_CARRIED_VALUE{5.6}; ///< of all workers, of exchanges under way
/** @} */

/** So many windows, or slots, of frames are simulated before the network repeats itself. */
constexpr double WINDOWS_BEFORE_STEADY{6};

constexpr Rank MOST_RANKS{16};           ///< that are looked at, and stand for all
constexpr std::uint32_t MOST_STEPS{256}; ///< of a rank in an iteration, likewise

/** What ranks receive in an iteration. */
struct Received
{
    double messages{0};
    double bytes{0};
    double frames{0}; ///< that are simulated

    void Add(double times, const Received& other)
    {
        messages += times * other.messages;
        bytes += times * other.bytes;
        frames += times * other.frames;
    }
};

class Estimate
{
  public:
    Estimate(const Scenario& scenario, const TrainingJob& job)
        : m_job(job),
          m_payload(static_cast<double>(FramePayloadBytes(scenario))),
          m_window(scenario.transport.window),
          m_scheme(ReducesInNetwork(scenario) ? MakeScheme(scenario) : nullptr),
          m_repeats(MayRepeat(scenario, job))
    {
        for (const auto& chunk : job.chunks)
        {
            for (const auto& round : chunk.rounds)
            {
                m_uses[round.plan.get()] += round.plan->Elements() > 0 ? 1 : 0;
            }
        }
        m_bytesOfGradient = static_cast<double>(job.bytesPerElement);
        if (job.hostCodec)
        {
            m_bytesOfGradient = job.meanBits({0, job.layers.back().range.End()}) / 8;
        }
        m_mostSteps = std::max<std::size_t>(1, MOST_STEPS / m_uses.size());
    }

    /** By ranks @p first .. @p first + @p count - 1; those that are looked at are spread by the golden ratio. */
    Received By(Rank first, Rank count) const
    {
        constexpr double goldenRatio = 0.6180339887498949;
        const auto counted = std::min(count, MOST_RANKS);
        Received all;
        for (Rank i = 0; i < counted; ++i)
        {
            const auto spread = static_cast<Rank>(std::fmod(i * goldenRatio, 1) * count);
            all.Add(static_cast<double>(count) / counted,
                    By(first + (counted == count ? i : spread)));
        }
        return all;
    }

  private:
    Received By(Rank rank) const
    {
        Received all;
        for (const auto& [plan, uses] : m_uses)
        {
            const auto [load, repeated, peers] =
                SampleLoad(*plan, rank, static_cast<std::uint32_t>(m_mostSteps));
            const auto gradients = static_cast<double>(load.gradient.receivedElements);
            const auto weights = static_cast<double>(load.weight.receivedElements);
            Received one;
            one.messages =
                static_cast<double>(load.gradient.receivedMessages + load.weight.receivedMessages);
            one.bytes = gradients * m_bytesOfGradient +
                        weights * static_cast<double>(m_job.BytesPerElement(PayloadKind::WEIGHT));
            const auto senders = static_cast<double>(std::max<std::size_t>(1, peers));
            const auto most = one.messages * Simulated(m_window * senders);
            one.frames = std::min(one.bytes / m_payload + one.messages, most);
            for (auto sum : load.reductions)
            {
                one.Add(1, OfSum(sum));
            }
            all.Add(uses * repeated, one);
        }
        return all;
    }

    Received OfSum(ReductionSize sum) const
    {
        constexpr double fewestSlots = 512; // where a scheme does not tell
        constexpr double turns = 10; // of all workers' shards, before these repeat themselves
        const bool gathers = sum.phase == SumPhase::ALL_GATHER;
        const auto inWord = VALUE_BYTES / m_job.BytesPerElement(PayloadKind::WEIGHT);
        sum.perWord = gathers ? static_cast<std::uint32_t>(inWord) : 1;
        const auto words = static_cast<double>(WordsGot(sum, 0, m_job.workers));
        const auto frames = static_cast<double>(m_scheme->TrafficOf({{sum, 1}}).frames);
        const auto ofTurns = sum.phase == SumPhase::ALL_REDUCE ? 0 : turns * m_job.workers;
        const auto most =
            Simulated(std::max(fewestSlots, static_cast<double>(m_scheme->Slots()))) + ofTurns;
        return {1, words * VALUE_BYTES, std::min(frames, most)};
    }

    /** Frames of which as many are in flight as @p window, until the network repeats itself. */
    double Simulated(double window) const
    {
        return m_repeats ? WINDOWS_BEFORE_STEADY * window : std::numeric_limits<double>::infinity();
    }

    const TrainingJob& m_job;
    double m_payload;
    double m_window;
    std::unique_ptr<AggregationScheme> m_scheme; ///< null where no switch adds
    bool m_repeats;
    double m_bytesOfGradient; ///< of an element, as hosts move it
    std::map<const StepPlan*, double> m_uses;
    std::size_t m_mostSteps; ///< of each plan
};

/** Adds what values take: all workers', whoever is simulated. @param moved by all ranks */
void
AddValues(const TrainingJob& job, bool carried, double moved, Cost& cost)
{
    const auto own = static_cast<double>(job.layers.back().range.End());
    const double times = carried ? job.BatchCount() : 1; // replayed ones are the same in each
    const auto seconds = carried ? SECONDS_PER_CARRIED_VALUE : SECONDS_PER_VALUE;
    cost.valueSeconds = seconds * times * (own * job.workers + moved);
    cost.cpuSeconds += cost.valueSeconds;
    std::uint64_t largest = 0;
    for (const auto& chunk : job.chunks)
    {
        largest = std::max(largest, chunk.ValueCount());
    }
    const auto open = std::min(own, static_cast<double>(largest) * job.concurrent) * job.workers;
    cost.memoryBytes += BYTES_OF_VALUES + (carried ? BYTES_PER_CARRIED_VALUE * open : 0) +
                        (job.GathersWeights() ? VALUE_BYTES * own : 0);
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
    const Estimate estimate(scenario, simulated);
    auto all = estimate.By(0, workers);
    all.Add(1, estimate.By(workers, fold.simulated - workers));
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
        const auto movedBytes = all.bytes * fold.ranks / fold.simulated;
        AddValues(job, simulated.HasValues(), movedBytes / VALUE_BYTES, cost);
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
