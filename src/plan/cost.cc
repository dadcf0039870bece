/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/cost.h"

#include "base/errors.h"
#include "base/units.h"
#include "base/wire-format.h"
#include "exchange/rank-load.h"
#include "exchange/shards.h"

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
constexpr double SECONDS_PER_HOP{0.15e-6};  ///< of a frame, over one link
constexpr double RANKS_IN_CACHE{256};       ///< more of them wait for memory at each hop
constexpr double SECONDS_PER_TCP_HOP{4e-6}; ///< of a segment, with what acknowledges it
constexpr double SECONDS_PER_MESSAGE{3e-6}; ///< or a layer's computation
constexpr double SECONDS_PER_FLOW{2.2e-6};  ///< of a message that is a flow, in all
constexpr double SECONDS_PER_SHARED_FLOW{
    5e-6}; ///< beside that, where many that begin together share links between switches
constexpr double SECONDS_PER_VALUE{1.2e-9};       ///< that is replayed
constexpr double SECONDS_PER_CARRIED_VALUE{5e-9}; ///< that travels in frames and is replayed, too
constexpr double BYTES_PER_RUN{24e6};
constexpr double BYTES_PER_RANK{35e3}; ///< that is simulated
constexpr double BYTES_PER_MESSAGE{50};
constexpr double BYTES_PER_LAYER_ROW{114};     ///< of each worker
constexpr double BYTES_OF_VALUES{16e6};        ///< in which they are compared
constexpr double BYTES_PER_CARRIED_VALUE{5.6}; ///< of all workers, of exchanges under way
constexpr double BYTES_PER_REPLAYED_VALUE{8};  ///< of all workers, of what is coded as a whole
/** @} */

/** Between which switches ranks' messages go. */
struct Ways
{
    double hops{0};   ///< in the mean
    double shared{0}; ///< share of messages from another switch, of many that a rank gets at a time
};

/** Of some steps of some ranks. A way between switches has 4 links, mostly. */
Ways
WaysOf(const TrainingJob& job, const std::vector<std::uint32_t>& switchOf)
{
    constexpr std::uint32_t most = 16;
    constexpr std::size_t many = 4;
    Ways ways;
    double messages = 0;
    const auto& plan = *job.chunks.front().rounds.front().plan;
    const auto ranks = static_cast<Rank>(std::min<std::size_t>(plan.RankCount(), switchOf.size()));
    for (Rank rank = 0; rank < ranks; rank += 1 + ranks / most)
    {
        const auto steps = plan.StepCount(rank);
        for (std::uint32_t step = 0; step < steps; step += 1 + steps / most)
        {
            const auto receives = plan.At(rank, step).receives;
            for (const auto& receive : receives)
            {
                if (IsToSelf(rank, receive))
                {
                    continue;
                }
                const bool isFar = receive.peer < ranks && switchOf[receive.peer] != switchOf[rank];
                ways.hops += isFar ? 4 : 2;
                ways.shared += isFar && receives.size() >= many ? 1 : 0;
                ++messages;
            }
        }
    }
    return messages == 0 ? Ways{2, 0} : Ways{ways.hops / messages, ways.shared / messages};
}

/** What ranks receive in an iteration. */
struct Received
{
    double messages{0};
    double bytes{0};
    double gradients{0}; ///< elements
    double frames{0};    ///< that are simulated

    void Add(double times, const Received& other)
    {
        messages += times * other.messages;
        bytes += times * other.bytes;
        gradients += times * other.gradients;
        frames += times * other.frames;
    }
};

class Estimate
{
  public:
    explicit Estimate(const PlannedJob& planned)
        : m_job(*planned.simulated),
          m_nodeSize(planned.job->nodeSize),
          m_payload(static_cast<double>(planned.resolved->framePayloadBytes)),
          m_sums(planned.resolved->sums)
    {
        const auto& job = m_job;
        if (planned.mayRepeat)
        {
            constexpr double star = 6;    // windows until the network repeats itself @{
            constexpr double leaves = 32; // @}
            constexpr double inside = 64; // frames of a message of a GPU inside a node, the same
            const bool areUnlike =
                !planned.resolved->topology.trunks.empty() && !planned.fold.IsFolded();
            const auto windows = areUnlike ? leaves : star;
            const bool isAlone = planned.fold.simulated == 1; // or with others around one switch
            if (planned.fold.IsFolded() && (isAlone || planned.resolved->topology.trunks.empty()))
            {
                m_mostSteps = 16; // until they repeat themselves
            }
            constexpr double fewestSlots = 512;
            const auto* const scheme = planned.resolved->Scheme();
            m_mostInMessage = isAlone ? 3.0 * static_cast<double>(planned.resolved->windowNeeded)
                                      : windows * planned.resolved->window;
            m_mostInside = isAlone ? inside : m_mostInMessage;
            m_mostInSum =
                windows * std::max(fewestSlots, scheme ? static_cast<double>(scheme->Slots()) : 0);
        }
        for (const auto& chunk : job.chunks)
        {
            for (const auto& round : chunk.rounds)
            {
                m_uses[round.plan.get()] += round.plan->Elements() > 0 ? 1 : 0;
            }
        }
        const bool onHost = job.coding.IsAt(CodingPlace::HOST);
        const bool crosses = job.coding.groups[0].place != CodingPlace::HOST;
        const auto bits =
            onHost ? job.coding.BitsOf({0, job.layers.back().range.End()}, crosses) : 0;
        m_bytesOfGradient = bits > 0 ? bits / 8 : static_cast<double>(job.bytesPerElement);
    }

    /** By ranks @p first .. @p first + @p count - 1; those that are looked at are spread by the golden ratio. */
    Received By(Rank first, Rank count) const
    {
        constexpr Rank most = 16;
        constexpr double goldenRatio = 0.6180339887498949;
        const auto counted = std::min(count, most);
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
    /** Of the steps of a channel, where those that are alike repeat themselves: by some of them. */
    double SimulatedShare(const StepPlan& plan, Rank rank) const
    {
        constexpr std::uint32_t looks = 8;
        const auto count = plan.StepCount(rank);
        const auto steps = static_cast<double>(count) / std::max(1U, plan.ChannelCount());
        std::uint32_t alike = 0;
        for (std::uint32_t look = 0; steps > m_mostSteps && look < looks; ++look)
        {
            const auto first = static_cast<std::uint32_t>(std::uint64_t{look} *
                                                          (count - FEWEST_ALIKE_STEPS) / looks);
            std::uint32_t next = 1;
            while (next < FEWEST_ALIKE_STEPS &&
                   AreAlike(plan.At(rank, first), plan.At(rank, first + next)))
            {
                ++next;
            }
            alike += next == FEWEST_ALIKE_STEPS ? 1 : 0;
        }
        return 1 - alike * std::max(0.0, 1 - m_mostSteps / steps) / looks;
    }

    Received ReceivedOf(const std::vector<PayloadLoad>& gradients, const PayloadLoad& weights) const
    {
        Received one;
        for (const auto& load : gradients)
        {
            one.gradients += static_cast<double>(load.receivedElements);
            one.messages += static_cast<double>(load.receivedMessages);
        }
        one.messages += static_cast<double>(weights.receivedMessages);
        one.bytes = one.gradients * m_bytesOfGradient +
                    static_cast<double>(weights.receivedElements * m_job.weightType.bytes);
        return one;
    }

    /** @param most that are simulated of a message */
    double SimulatedFrames(const Received& received, double most) const
    {
        return std::min(received.bytes / m_payload + received.messages, received.messages * most);
    }

    /** Some steps of many stand for all. */
    Received By(Rank rank) const
    {
        constexpr std::size_t mostSteps = 256;
        const auto ofEach = static_cast<std::uint32_t>(mostSteps / m_uses.size());
        Received all;
        for (const auto& [plan, uses] : m_uses)
        {
            const auto [load, times] = SampleLoad(*plan, rank, std::max(1U, ofEach), m_nodeSize);
            const auto& [gradients, handedOn] = load.inside;
            const auto between = ReceivedOf({load.gradient, load.crossesGroups}, load.weight);
            const auto inside = ReceivedOf({gradients}, handedOn);
            Received one;
            one.Add(1, between);
            one.Add(1, inside);
            const auto share = SimulatedShare(*plan, rank);
            one.messages *= share;
            one.frames = share * (SimulatedFrames(between, m_mostInMessage) +
                                  SimulatedFrames(inside, m_mostInside));
            for (const auto& sum : load.reductions)
            {
                const auto& [adding, scheme, together, areSums] = m_sums[sum.inNodes];
                const auto words = static_cast<double>(WordsGot(sum, 0, together));
                const auto frames = static_cast<double>(scheme->TrafficOf({{sum, 1}}).frames);
                const auto bytes = words * scheme->Numbers().adder.sum->bytes;
                one.Add(1, {1, bytes, 0, std::min(frames, m_mostInSum)});
            }
            all.Add(uses * times, one);
        }
        return all;
    }

    const TrainingJob& m_job;
    Rank m_nodeSize;
    double m_payload;
    const std::array<SwitchSums, 2>& m_sums;                         ///< Resolved::sums
    double m_mostInMessage{std::numeric_limits<double>::infinity()}; ///< frames that are simulated
    double m_mostInside{std::numeric_limits<double>::infinity()};    ///< of one inside a node
    double m_mostSteps{std::numeric_limits<double>::infinity()};     ///< of a channel, the same
    double m_mostInSum{std::numeric_limits<double>::infinity()};
    double m_bytesOfGradient; ///< of an element, as hosts move it; plain where values decide
    std::map<const StepPlan*, double> m_uses;
};

/** Of a worker's values, those that are replayed as a whole to find their errors and other orders: of each bucket's first chunk. */
double
ReplayedValues(const TrainingJob& job)
{
    std::uint64_t replayed = 0;
    for (const auto& bucket : job.buckets)
    {
        const auto& chunk = job.chunks[bucket.chunks.front()];
        replayed += job.coding.DecodesTogether() || chunk.coding ? chunk.range.count : 0;
    }
    return static_cast<double>(replayed);
}

/**
 * CPU time of codecs on hosts. Each value is coded in the exchange and in the one beside which it is verified, and four times
 * more in replays.
 * @param received by all workers @param own elements of a worker
 */
double
CodingSeconds(const TrainingJob& job, const Resolved& resolved, double received, double own)
{
    const auto& first = job.chunks.front();
    const auto values = job.coding.IsAt(CodingPlace::HOST) ? received
                        : first.coding                     ? own * job.workers
                                                           : 0;
    const auto& [within, between] = resolved.codecs;
    return values * std::max(within.entry->secondsPerValue, between.entry->secondsPerValue) *
           (2 + 4 * ReplayedValues(job) / std::max(1.0, own));
}

/** What makes a run smaller. @param key that sets the limit */
std::string
WhatHelps(const Plan& plan, const char* key)
{
    std::string text = plan.Job().job->iterations > 1 ? "fewer iterations, " : "";
    text += "fewer workers, a smaller tensor, larger buckets or longer frames (cluster.mtu) help";
    if (plan.Settings().IsPacketLevel())
    {
        text += ", as may simulation.mode = \"auto\"";
    }
    else if (!plan.Job().fold.IsFolded())
    {
        text += "; every worker is simulated by itself, for " + plan.Job().fold.whyNot;
    }
    return text + "; a larger " + key + " lets it run";
}

Cost
CostOfJob(const PlannedJob& planned)
{
    const auto& resolved = *planned.resolved;
    const auto& simulated = planned.simulated;
    const auto& job = *planned.job;
    const auto& fold = planned.fold;
    const auto ways = WaysOf(*simulated, resolved.topology.hostSwitch);
    const auto workers = simulated->WorkersAmong(fold.simulated);
    const Estimate estimate(planned);
    auto all = estimate.By(0, workers);
    all.Add(1, estimate.By(workers, fold.simulated - workers));
    const auto layers = static_cast<double>(job.layers.size());
    const double batches = job.BatchCount();
    Cost cost;
    cost.payloadBytes = batches * all.bytes;
    cost.frames = resolved.IsFlowLevel() ? 0 : batches * all.frames;
    cost.messages = batches * all.messages + layers * job.iterations * job.accumulation * workers;
    const auto perHop = (resolved.IsOverTcp() ? SECONDS_PER_TCP_HOP : SECONDS_PER_HOP) *
                        std::max(1.0, std::sqrt(fold.simulated / RANKS_IN_CACHE));
    const auto perMessage = resolved.IsFlowLevel()
                                ? SECONDS_PER_FLOW + ways.shared * SECONDS_PER_SHARED_FLOW
                                : SECONDS_PER_MESSAGE;
    cost.cpuSeconds = cost.frames * ways.hops * perHop + cost.messages * perMessage;
    cost.memoryBytes = fold.simulated * BYTES_PER_RANK +
                       batches * all.messages * BYTES_PER_MESSAGE +
                       (layers + 1) * job.workers * BYTES_PER_LAYER_ROW;
    if (job.HasValues()) // all workers', whoever is simulated
    {
        const bool carried = simulated->HasValues();
        const auto own = static_cast<double>(job.layers.back().range.End());
        const auto moved = all.bytes * fold.ranks / fold.simulated / VALUE_BYTES;
        const auto perValue = carried ? SECONDS_PER_CARRIED_VALUE * batches
                                      : SECONDS_PER_VALUE; // replayed ones are the same in each
        const auto received = all.gradients * fold.ranks / fold.simulated;
        cost.valueSeconds =
            perValue * (own * job.workers + moved) + CodingSeconds(job, resolved, received, own);
        cost.cpuSeconds += cost.valueSeconds;
        const auto chunks = static_cast<double>(job.chunks.size());
        const auto open = own * std::min(1.0, job.concurrent / chunks);
        cost.memoryBytes += BYTES_OF_VALUES +
                            (carried ? BYTES_PER_CARRIED_VALUE * open * job.workers : 0) +
                            BYTES_PER_REPLAYED_VALUE * ReplayedValues(job) * job.workers +
                            (job.GathersWeights() ? VALUE_BYTES * own : 0);
    }
    return cost;
}

} // namespace

Cost
CostOf(const Plan& plan)
{
    Cost all;
    all.memoryBytes = BYTES_PER_RUN;
    for (const auto& planned : plan.jobs)
    {
        const auto cost = CostOfJob(planned);
        all.messages += cost.messages;
        all.payloadBytes += cost.payloadBytes;
        all.frames += cost.frames;
        all.valueSeconds += cost.valueSeconds;
        all.cpuSeconds += cost.cpuSeconds;
        all.memoryBytes += cost.memoryBytes;
    }
    return all;
}

void
RequireFeasible(const Plan& plan)
{
    constexpr double psPerSecond = 1e12;
    const auto& cost = plan.cost;
    const auto& simulation = plan.Settings().scenario.simulation;
    const auto refuse = [&](const char* key, const std::string& takes, const std::string& most) {
        throw InputError(fmt::format("{}: this run has about {:.2g} frames in {:.2g} messages to "
                                     "simulate, which takes about {}, more than {}; {}",
                                     key,
                                     cost.frames,
                                     cost.messages,
                                     takes,
                                     most,
                                     WhatHelps(plan, key)));
    };
    const auto mostSeconds = static_cast<double>(simulation.maxCpuPs) / psPerSecond;
    if (cost.cpuSeconds > mostSeconds)
    {
        refuse("simulation.max_cpu_time",
               fmt::format("{:.1f} s{}",
                           cost.cpuSeconds,
                           cost.searchSeconds > 0 ? " with the search for its buckets" : ""),
               fmt::format("{:.1f} s", mostSeconds));
    }
    if (cost.memoryBytes > static_cast<double>(simulation.maxMemoryBytes))
    {
        refuse("simulation.max_memory",
               HumanBytes(static_cast<std::uint64_t>(cost.memoryBytes)),
               HumanBytes(simulation.maxMemoryBytes));
    }
}

} // namespace inca
