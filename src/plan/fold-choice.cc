/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/fold-choice.h"

#include "exchange/exchange-catalog.h"
#include "exchange/shift-symmetry.h"
#include "plan/sum-cost.h"
#include "scenario/specs.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <variant>

namespace inca
{

namespace
{

/** In each of @p rows rows of equal length. */
bool
AreEqual(const std::vector<std::uint64_t>& rates, Rank rows)
{
    const auto length = rates.size() / rows;
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        if (rates[i] != rates[i - i % length])
        {
            return false;
        }
    }
    return true;
}

/** Why each rank must be simulated; empty if nothing sets ranks apart. @param job as frames carry it */
std::string
WhatSetsApart(const Scenario& s, const TrainingJob& job, const NetworkSpeed& network, Rank rows)
{
    if (IsPacketLevel(s))
    {
        return "every frame is to be simulated";
    }
    if (job.HasValues())
    {
        return "values travel";
    }
    if (s.training.values && job.engines)
    {
        return "engines make of each worker's values what they are";
    }
    if (s.cluster.lossRate > 0)
    {
        return "frames are lost";
    }
    if (s.training.jitter != "none" && s.training.jitterSd > 0 && HasCompute(s))
    {
        return "compute times vary";
    }
    if (!s.cluster.overrides.empty() || !AreEqual(network.linkBitsPerSecond, rows))
    {
        return "workers differ";
    }
    if (job.RankCount() > rows * job.workers)
    {
        return "aggregators or servers differ from workers";
    }
    return "";
}

/** Whether a codec makes as much of every value of a chunk, whatever its layer. */
bool
AreLayersCodedEqually(const TrainingJob& job, const JobChunk& chunk)
{
    const auto first = job.meanBits(job.layers[chunk.firstLayer].range);
    for (auto layer = chunk.firstLayer; layer <= chunk.lastLayer; ++layer)
    {
        if (job.meanBits(job.layers[layer].range) != first)
        {
            return false;
        }
    }
    return true;
}

/** Which ranks stand for all, or why none may: for people. */
using FoldOrReason = std::variant<FoldChoice, std::string>;

/** There is a way to fold for each kind of symmetry. None of them knows which exchange it is. */
class Chooser
{
  public:
    Chooser(const Scenario& scenario,
            const TrainingJob& job,
            const TopologyPlan& topology,
            const NetworkSpeed& network)
        : m_scenario(scenario),
          m_job(job),
          m_topology(topology),
          m_network(network),
          m_symmetry(SymmetryOf(scenario))
    {
    }

    FoldOrReason Choose() const
    {
        const auto& entry = FindExchange(m_scenario.exchange.algorithm);
        auto apart = WhatSetsApart(m_scenario, m_job, m_network, m_symmetry.rows);
        if (!apart.empty())
        {
            return apart;
        }
        if (!entry.symmetry)
        {
            return "in a " + entry.name + " exchange ranks are not alike";
        }
        if (!ReducesInNetwork(entry))
        {
            return ByShift();
        }
        return m_symmetry.period == 0 ? ByLastShares() : ByTree();
    }

  private:
    FoldChoice With(Fold fold, bool exact) const
    {
        const auto simulated = fold.plan.HostCount();
        return {std::move(fold), m_symmetry, m_job.RankCount(), simulated, exact, {}, ""};
    }

    /** One way up the tree of switches for each kind of worker. */
    FoldOrReason ByTree() const
    {
        auto fold = FoldTree(m_topology, m_job.workers);
        const auto kinds = fold.plan.HostCount();
        if (kinds == m_job.workers)
        {
            return "no worker does what another does";
        }
        const bool addsAtOnce = MakeScheme(m_scenario)->AddedValuesPerSecond() == 0;
        return With(std::move(fold), kinds == 1 || addsAtOnce);
    }

    /**
     * Each worker gets, and sends, a part in its turn. Where links are what limits, these are busy all the time, and the
     * order of full and empty packets on them matters at the end alone: the last packet's sum is its owner's.
     */
    FoldOrReason ByLastShares() const
    {
        if (m_topology.switches.size() > 1)
        {
            return "switches share out sums level by level";
        }
        constexpr Rank last = 2; // whose packets are the last, and whose words open slots
        if (m_job.workers <= 1 + last)
        {
            return "no worker does what another does";
        }
        const auto scheme = MakeScheme(m_scenario);
        const auto network = SummingNetworkOf(m_scenario, m_network);
        const auto needed = scheme->SlotsNeeded(network, ReductionsOf(m_job));
        const auto spare = SPARE_SLOTS * SequencesOf(m_scenario);
        if (!needed || *needed + spare > scheme->Slots())
        {
            return "workers wait for slots, and for each other's parts in them";
        }
        if (PacketsTakeTime(*scheme) && FewestPackets(*scheme) < FEWEST_PACKETS)
        {
            return "hosts or adders take their time for each of few packets";
        }
        auto choice = With(FoldAllButLast(m_topology, last), false);
        choice.partsOf = {0, m_job.workers - 2, m_job.workers - 1};
        return choice;
    }

    /** Beside that on the wire. */
    bool PacketsTakeTime(const AggregationScheme& scheme) const
    {
        const auto& host = m_scenario.host;
        return scheme.AddedValuesPerSecond() > 0 || host.byteBytesPerSecond > 0 ||
               host.frameCostPs > 0;
    }

    /** Of all exchanges. */
    std::uint64_t FewestPackets(const AggregationScheme& scheme) const
    {
        auto fewest = std::numeric_limits<std::uint64_t>::max();
        for (const auto& [sum, count] : ReductionsOf(m_job))
        {
            fewest = std::min(fewest, scheme.TrafficOf({{sum, 1}}).frames);
        }
        return fewest;
    }

    /** Ranks of the first period of the exchange's symmetry, over one switch. */
    FoldOrReason ByShift() const
    {
        if (m_topology.switches.size() > 1)
        {
            return "paths between workers differ";
        }
        if (m_symmetry.period == 0 || m_symmetry.period == m_job.RankCount())
        {
            return "no worker does what another does";
        }
        if (!m_symmetry.oneSender && m_scenario.exchange.concurrent > 1)
        {
            return "exchanges at the same time meet at a port";
        }
        if (!AreBlocksCodedEqually())
        {
            return "a codec makes more of some blocks than of others";
        }
        return With(FoldOneSwitch(m_topology, m_symmetry.period, m_symmetry.rows),
                    m_symmetry.oneSender);
    }

    bool AreBlocksCodedEqually() const
    {
        const auto& chunks = m_job.chunks;
        const bool isCoded = m_job.engines || m_job.hostCodec;
        return !isCoded || std::all_of(chunks.begin(), chunks.end(), [this](const JobChunk& chunk) {
            return AreLayersCodedEqually(m_job, chunk);
        });
    }

    const Scenario& m_scenario;
    const TrainingJob& m_job;
    const TopologyPlan& m_topology;
    const NetworkSpeed& m_network;
    ShiftSymmetry m_symmetry;
};

/** The same job, whose ranks are interleaved (ShiftSymmetry::rows). */
std::shared_ptr<TrainingJob>
WithInterleavedRanks(const TrainingJob& job, Rank rows)
{
    auto taken = std::make_shared<TrainingJob>(job);
    taken->rows = rows;
    std::map<const StepPlan*, std::shared_ptr<const StepPlan>> plans; // shared ones stay so
    for (auto& chunk : taken->chunks)
    {
        for (auto& round : chunk.rounds)
        {
            auto& plan = plans[round.plan.get()];
            plan = plan ? plan : InterleavedPlan(round.plan, rows);
            round.plan = plan;
        }
    }
    return taken;
}

} // namespace

std::vector<Rank>
FoldChoice::Times() const
{
    std::vector<Rank> times(simulated, 0);
    for (Rank rank = 0; rank < ranks; ++rank)
    {
        ++times[Representative(rank)];
    }
    return times;
}

FoldChoice
FoldNothing(const TopologyPlan& topology, Rank ranks, std::string why)
{
    FoldChoice choice;
    choice.fold = Unfolded(topology);
    choice.ranks = ranks;
    choice.simulated = ranks;
    choice.whyNot = std::move(why);
    return choice;
}

ShiftSymmetry
SymmetryOf(const Scenario& scenario)
{
    const auto& entry = FindExchange(scenario.exchange.algorithm);
    return entry.symmetry ? entry.symmetry(MakeExchangeSpec(scenario), scenario.host.IsHalfDuplex())
                          : ShiftSymmetry{};
}

std::shared_ptr<const TrainingJob>
Folded(const std::shared_ptr<const TrainingJob>& job, const FoldChoice& fold)
{
    const auto rows = fold.symmetry.rows;
    auto folded = rows > 1 ? WithInterleavedRanks(*job, rows) : std::make_shared<TrainingJob>(*job);
    folded->partsOf = fold.partsOf;
    return folded;
}

FoldChoice
ChooseFold(const Scenario& scenario,
           const TrainingJob& job,
           const TopologyPlan& topology,
           const NetworkSpeed& network)
{
    auto found = Chooser(scenario, job, topology, network).Choose();
    auto* const why = std::get_if<std::string>(&found);
    return why != nullptr ? FoldNothing(topology, job.RankCount(), std::move(*why))
                          : std::get<FoldChoice>(std::move(found));
}

} // namespace inca
