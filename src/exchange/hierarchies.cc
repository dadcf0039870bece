/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/exchanges.h"
#include "exchange/pieces.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

namespace inca
{

namespace
{

/** Consecutive workers in groups of equal size; the first member of each group is its leader. */
struct Groups
{
    explicit Groups(const ExchangeSpec& spec)
        : size(spec.groupSize),
          count(spec.workers / spec.groupSize)
    {
    }

    Rank size;
    Rank count;
};

/** A group: its leader, then its other members in order. An aggregator is in none. */
std::function<std::optional<Seat>(Rank)>
InGroup(Groups groups)
{
    return [groups](Rank rank) -> std::optional<Seat> {
        if (rank >= groups.size * groups.count)
        {
            return std::nullopt;
        }
        const auto position = rank % groups.size;
        const auto leader = rank - position;
        return Seat{{leader, leader + 1, 1}, position};
    };
}

/** The leaders of all groups in order. */
std::function<std::optional<Seat>(Rank)>
Leaders(Groups groups)
{
    return [groups](Rank rank) {
        return rank % groups.size == 0
                   ? std::optional(Seat{{0, groups.size, groups.size}, rank / groups.size})
                   : std::nullopt;
    };
}

/** The aggregator, whose rank follows those of the workers, then the leaders in order. */
std::function<std::optional<Seat>(Rank)>
LeadersUnderAggregator(Groups groups)
{
    return [groups](Rank rank) -> std::optional<Seat> {
        const auto aggregator = groups.size * groups.count;
        const Lineup lineup{aggregator, 0, groups.size};
        if (rank == aggregator)
        {
            return Seat{lineup, 0};
        }
        return rank % groups.size == 0 ? std::optional(Seat{lineup, rank / groups.size + 1})
                                       : std::nullopt;
    };
}

/** Ascending: the sizes of two or more equal groups that @p workers can be cut into. */
std::set<Rank>
GroupSizes(Rank workers)
{
    std::set<Rank> sizes;
    for (Rank size = 2; size <= workers / size; ++size)
    {
        if (workers % size == 0)
        {
            sizes.insert({size, workers / size});
        }
    }
    return sizes;
}

std::vector<std::string>
HierarchicalAggregatorComplaints(const ExchangeSpec& spec)
{
    auto texts = GroupComplaints(spec);
    ComplainOfBroadcast(spec, texts);
    return texts;
}

std::unique_ptr<StepPlan>
MakeHierarchicalRing(const ExchangeSpec& spec, std::uint64_t elements)
{
    const Groups groups(spec);
    return std::make_unique<ComposedPlan>(
        spec.workers,
        0,
        elements,
        std::vector<PlanPart>{
            {RingReduceScatter(groups.size, elements, RingSums::INTERMEDIATE), InGroup(groups)},
            {RingAllGather(groups.size, elements, 1), InGroup(groups)},
            {RingReduceScatter(groups.count, elements, RingSums::FINAL), Leaders(groups)},
            {RingAllGather(groups.count, elements, 1), Leaders(groups)},
            {Scatter(groups.size, elements), InGroup(groups)},
            {RingAllGather(groups.size, elements, 0), InGroup(groups)}});
}

std::unique_ptr<StepPlan>
MakeHierarchicalAggregator(const ExchangeSpec& spec, std::uint64_t elements)
{
    const Groups groups(spec);
    const auto leaders = LeadersUnderAggregator(groups);
    return std::make_unique<ComposedPlan>(
        spec.workers,
        1,
        elements,
        std::vector<PlanPart>{
            {RingReduceScatter(groups.size, elements, RingSums::INTERMEDIATE), InGroup(groups)},
            {RingAllGather(groups.size, elements, 1), InGroup(groups)},
            {SumAtRoot(groups.count + 1, elements), leaders},
            {Broadcast(spec, groups.count + 1, elements), leaders},
            {Broadcast(spec, groups.size, elements), InGroup(groups)}});
}

/** A group's first member hears from its group and from the groups' first members. */
ShiftSymmetry
HierarchicalRingSymmetry(const ExchangeSpec& spec, bool alternates)
{
    const Groups groups(spec);
    if (!alternates)
    {
        return {groups.size, false};
    }
    return {groups.count % 2 == 0 ? 2 * groups.size : 0, false};
}

} // namespace

std::vector<std::string>
GroupComplaints(const ExchangeSpec& spec)
{
    auto texts = WorkerComplaints(spec);
    const bool cut = spec.groupSize >= 2 && spec.workers % spec.groupSize == 0;
    if (!texts.empty() || (cut && spec.workers / spec.groupSize >= 2))
    {
        return texts;
    }
    const auto sizes = GroupSizes(spec.workers);
    std::string listed;
    for (const auto size : sizes)
    {
        listed += (listed.empty() ? "these sizes do: " : ", ") + std::to_string(size);
    }
    return {"exchange.group_size: " + std::to_string(spec.workers) + " workers and groups of " +
            std::to_string(spec.groupSize) + " do not make two or more equal groups; " +
            (sizes.empty() ? "no size does; another cluster.workers does, such as " +
                                 std::to_string(std::max<Rank>(4, spec.workers + 1))
                           : listed)};
}

Rank
UsualGroupSize(Rank workers)
{
    constexpr Rank usual = 4;
    const auto sizes = GroupSizes(workers);
    const auto larger = sizes.upper_bound(usual);
    return larger != sizes.begin() ? *std::prev(larger) : sizes.empty() ? usual : *larger;
}

ExchangeEntry
HierarchicalAggregatorExchange()
{
    ExchangeEntry aggregator{"hierarchical-aggregator",
                             "a ring in each group, an aggregator above the groups' first members",
                             MakeHierarchicalAggregator,
                             HierarchicalAggregatorComplaints};
    aggregator.otherRanks = [](const ExchangeSpec&) -> Rank { return 1; };
    aggregator.returnsWeights = true;
    aggregator.inGroups = true;
    aggregator.blocks = [](const ExchangeSpec& spec) { return std::uint64_t{spec.groupSize}; };
    return aggregator;
}

ExchangeEntry
HierarchicalRingExchange()
{
    ExchangeEntry ring{"hierarchical-ring",
                       "a ring in each group, and a ring of the groups' first members",
                       MakeHierarchicalRing,
                       GroupComplaints};
    ring.inGroups = true;
    ring.blocks = [](const ExchangeSpec& spec) { // for the rings in groups, and for that of groups
        const Groups groups(spec);
        return std::lcm(std::uint64_t{groups.size}, std::uint64_t{groups.count});
    };
    ring.symmetry = HierarchicalRingSymmetry;
    return ring;
}

} // namespace inca
