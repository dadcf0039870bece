/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/fold-choice.h"

#include "base/errors.h"
#include "exchange/composed-plan.h"
#include "exchange/shift-symmetry.h"
#include "plan/job-exchanges.h"
#include "scenario/specs.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace inca
{

namespace
{

constexpr std::size_t MOST_PLANS{8}; ///< of a job whose symmetry is looked at

/** Why each rank must be simulated; empty if nothing sets ranks apart. @param job as frames carry it */
std::string
WhatSetsApart(const Resolved& resolved, const TrainingJob& job, Rank rows)
{
    const auto& s = resolved.scenario;
    if (resolved.IsPacketLevel())
    {
        return "every frame is to be simulated";
    }
    if (resolved.IsFlowLevel())
    {
        return "every message is a flow of its own";
    }
    if (job.HasValues())
    {
        return "values travel";
    }
    if (s.training.values && job.coding.IsAt(CodingPlace::ENGINE))
    {
        return "engines make of each worker's values what they are";
    }
    if (s.cluster.lossRate > 0)
    {
        return "frames are lost";
    }
    if (HasJitter(s))
    {
        return "compute times vary";
    }
    if (!s.cluster.overrides.empty())
    {
        return "workers differ";
    }
    if (resolved.transport->isExtension)
    {
        return "what " + resolved.transport->name + " does with equal messages is not known";
    }
    if (job.programs.size() > 1)
    {
        return "workers run programs of their own";
    }
    if (job.RankCount() > rows * job.workers)
    {
        return "aggregators or servers differ from workers";
    }
    return "";
}

/** There is a way to fold for each kind of symmetry. None of them knows which exchange it is. */
class Chooser
{
  public:
    Chooser(const Resolved& resolved, const TrainingJob& job)
        : m_resolved(resolved),
          m_job(job),
          m_topology(resolved.topology),
          m_entry(*resolved.exchange),
          m_symmetry(SymmetryOf(job, resolved.scenario.host.isHalfDuplex))
    {
    }

    FoldChoice Choose() const
    {
        auto apart = WhatSetsApart(m_resolved, m_job, m_symmetry.rows);
        if (!apart.empty())
        {
            return Nothing(std::move(apart));
        }
        const bool inCommunicators = InCommunicators(m_job);
        if (inCommunicators && m_resolved.scenario.host.isHalfDuplex)
        {
            return Nothing("ranks exchange in communicators, in half duplex");
        }
        if (!inCommunicators && !m_entry.symmetry)
        {
            return Nothing("in a " + m_entry.name + " exchange ranks are not alike");
        }
        if (m_resolved.AddsForAll() && m_symmetry.period == 0)
        {
            return Nothing("each worker has a part of what switches share out, in its turn");
        }
        auto choice = m_resolved.AddsForAll() ? ByTree() : ByShift();
        if (choice.IsFolded() && !inCommunicators) // else it was found in the plans
        {
            RequireSymmetry(choice.symmetry);
        }
        return choice;
    }

  private:
    /** @param why for people */
    FoldChoice Nothing(std::string why) const
    {
        return FoldNothing(m_topology, m_job.RankCount(), std::move(why));
    }

    FoldChoice With(Fold fold, bool exact) const
    {
        const auto simulated = fold.plan.HostCount();
        return {std::move(fold), m_symmetry, m_job.RankCount(), simulated, exact, "", false};
    }

    /** @throws InvariantError if the exchange's row says of its ranks what its plans do not show */
    void RequireSymmetry(const ShiftSymmetry& symmetry) const
    {
        auto rounds = RoundsOfPlans(m_job);
        rounds.resize(std::min(rounds.size(), MOST_PLANS));
        for (const auto* round : rounds)
        {
            const auto plan =
                symmetry.rows > 1 ? InterleavedPlan(round->plan, symmetry.rows) : round->plan;
            const auto contradiction = ContradictionTo(symmetry, *plan);
            if (!contradiction.empty())
            {
                throw InvariantError("exchange '" + round->exchange->algorithm +
                                     "' says that rank r + " + std::to_string(symmetry.period) +
                                     " does what rank r does (ExchangeEntry::symmetry), but " +
                                     contradiction);
            }
        }
    }

    /** One way up the tree of switches for each kind of worker. */
    FoldChoice ByTree() const
    {
        auto fold = FoldTree(m_topology, m_job.workers);
        const auto kinds = fold.plan.HostCount();
        if (kinds == m_job.workers)
        {
            return Nothing("no worker does what another does");
        }
        const bool addsAtOnce = m_resolved.Scheme()->AddedValuesPerSecond() == 0;
        return With(std::move(fold), kinds == 1 || addsAtOnce);
    }

    /** Ranks of the first leaves: as many as have whole periods, and a multiple of the spines, for the same ways. */
    FoldChoice ByLeaves() const
    {
        if (m_resolved.IsOverTcp())
        {
            return Nothing(
                "what TCP makes of frames that meet at a port differs from leaf to leaf");
        }
        const bool areNodesAlike =
            m_symmetry.period == 1 && m_symmetry.group == m_topology.nodeSize;
        if (auto fold = areNodesAlike ? FoldNodes(m_topology) : std::nullopt)
        {
            auto choice = With(std::move(*fold), true);
            choice.exactWithoutTies = true;
            return choice;
        }
        const auto ofLeaf = HostsOfFirstSwitch(m_topology);
        const auto spines = m_topology.trunks.size() * ofLeaf / m_topology.HostCount();
        const auto ways = static_cast<Rank>(std::max<std::size_t>(1, spines));
        const auto period = std::max(m_symmetry.period, m_symmetry.group);
        const auto hosts = std::lcm(std::lcm(period, ofLeaf), ways);
        auto fold = m_symmetry.rows == 1 && hosts < m_topology.HostCount()
                        ? FoldLeaves(m_topology, hosts)
                        : std::nullopt;
        if (!fold || (m_symmetry.bitwise && (hosts & (hosts - 1)) != 0))
        {
            return Nothing("leaves differ");
        }
        auto choice = With(std::move(*fold), true);
        choice.symmetry.period = hosts;
        choice.symmetry.group = 0; // whole groups are moved
        choice.symmetry.oneSender = false;
        choice.exactWithoutTies = true;
        return choice;
    }

    /** Ranks of the first period of the exchange's symmetry, over one switch, or the same over some leaves. */
    FoldChoice ByShift() const
    {
        const bool isOneSwitch = m_topology.switches.size() == 1;
        const bool areOnlyNodes = m_topology.trunks.size() == m_topology.NicCount();
        if (!areOnlyNodes && m_resolved.scenario.cluster.routing != Routing::D_MOD_K)
        {
            return Nothing("paths between workers differ");
        }
        if (m_symmetry.period == 0 || m_symmetry.period == m_job.RankCount())
        {
            return Nothing("no worker does what another does");
        }
        const bool mayMeet = !m_symmetry.oneSender || m_entry.allToAll;
        if (mayMeet && m_resolved.concurrent > 1)
        {
            return Nothing("exchanges at the same time meet at a port");
        }
        if (m_entry.allToAll && (m_job.startTogether || m_job.cyclePs > 0))
        {
            return Nothing("all workers send to all at one instant, in an order of their own");
        }
        if (m_job.gathersApart && m_job.startTogether)
        {
            return Nothing(
                "gathers and sums start at one instant, in an order of each worker's own");
        }
        if (mayMeet && m_resolved.IsOverTcp())
        {
            return Nothing("frames of two senders meet at a port, whose order decides what TCP "
                           "makes of them");
        }
        if (!AreBlocksCodedEqually())
        {
            return Nothing("a codec makes more of some blocks than of others");
        }
        if (!isOneSwitch)
        {
            return ByLeaves();
        }
        return With(FoldOneSwitch(m_topology, m_symmetry.period, m_symmetry.rows),
                    m_symmetry.oneSender);
    }

    /** Whether a codec makes as much of every value of a chunk, whatever its layer. */
    bool AreBlocksCodedEqually() const
    {
        const auto isUniform = [this](const JobChunk& chunk) {
            const auto first = m_job.layers.begin() + chunk.firstLayer;
            const auto end = m_job.layers.begin() + chunk.lastLayer + 1;
            return std::all_of(first, end, [this, first](const JobLayer& layer) {
                return m_job.coding.BitsOf(layer.range, false) ==
                           m_job.coding.BitsOf(first->range, false) &&
                       m_job.coding.BitsOf(layer.range, true) ==
                           m_job.coding.BitsOf(first->range, true);
            });
        };
        return !m_job.coding.IsSome() ||
               std::all_of(m_job.chunks.begin(), m_job.chunks.end(), isUniform);
    }

    const Resolved& m_resolved;
    const TrainingJob& m_job;
    const TopologyPlan& m_topology;
    const ExchangeEntry& m_entry;
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

std::shared_ptr<const TrainingJob>
Folded(const std::shared_ptr<const TrainingJob>& job, const FoldChoice& fold)
{
    const auto rows = fold.symmetry.rows;
    return rows > 1 ? WithInterleavedRanks(*job, rows) : job;
}

FoldChoice
ChooseFold(const Resolved& resolved, const TrainingJob& job)
{
    return Chooser(resolved, job).Choose();
}

} // namespace inca
