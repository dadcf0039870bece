/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/fat-tree.h"

#include "topology/spec-checks.h"

namespace inca
{

namespace
{

constexpr std::uint32_t g_leastArity{2};

/** 256 cores know the way to 8,192 hosts each, some 200 MiB; twice the arity: 32 times as much. */
constexpr std::uint32_t g_mostArity{32};

/** Counts of a fat-tree, and the numbers of its switches. */
struct FatTree
{
    std::uint32_t arity;
    std::uint32_t half{arity / 2};
    std::uint32_t perTier{arity * half}; ///< edges, and aggregations

    std::uint32_t Places() const
    {
        return perTier * half;
    }

    std::uint32_t Edge(std::uint32_t pod, std::uint32_t i) const
    {
        return pod * half + i;
    }

    std::uint32_t Aggregation(std::uint32_t pod, std::uint32_t i) const
    {
        return perTier + pod * half + i;
    }

    std::uint32_t Core(std::uint32_t aggregation, std::uint32_t i) const
    {
        return 2 * perTier + aggregation * half + i;
    }
};

void
AddSwitches(TopologyPlan& plan, const std::string& kind, std::uint32_t count, std::uint32_t tier)
{
    for (std::uint32_t i = 0; i < count; ++i)
    {
        plan.switches.push_back({kind + " " + std::to_string(i), tier});
    }
}

void
AddPodTrunks(TopologyPlan& plan, const FatTree& tree, std::uint32_t pod)
{
    for (std::uint32_t edge = 0; edge < tree.half; ++edge)
    {
        for (std::uint32_t upper = 0; upper < tree.half; ++upper)
        {
            plan.trunks.push_back({tree.Edge(pod, edge), tree.Aggregation(pod, upper), upper == 0});
        }
    }
}

void
AddCoreTrunks(TopologyPlan& plan, const FatTree& tree, std::uint32_t pod)
{
    for (std::uint32_t lower = 0; lower < tree.half; ++lower)
    {
        for (std::uint32_t core = 0; core < tree.half; ++core)
        {
            plan.trunks.push_back(
                {tree.Aggregation(pod, lower), tree.Core(lower, core), lower == 0 && core == 0});
        }
    }
}

/** The least arity with places for @p hosts, or 0 if none may have so many. */
std::uint32_t
ArityFor(std::uint32_t hosts)
{
    for (auto arity = g_leastArity; arity <= g_mostArity; arity += 2)
    {
        if (FatTree{arity}.Places() >= hosts)
        {
            return arity;
        }
    }
    return 0;
}

void
CheckPlaces(const TopologySpec& spec, SpecComplaints& complaints)
{
    const auto places = FatTree{spec.arity}.Places();
    if (spec.hosts <= places)
    {
        return;
    }
    const auto enough = ArityFor(spec.hosts);
    complaints.push_back(
        "cluster.fat_tree_k: a fat-tree of k = " + std::to_string(spec.arity) + " holds " +
        std::to_string(places) + " hosts, " + std::to_string(spec.hosts) + " are needed; " +
        (enough == 0 ? "the largest, of k = " + std::to_string(g_mostArity) + ", holds " +
                           std::to_string(FatTree{g_mostArity}.Places())
                     : "k = " + std::to_string(enough) + " would do"));
}

} // namespace

TopologyPlan
MakeFatTree(const TopologySpec& spec)
{
    const FatTree tree{spec.arity};
    TopologyPlan plan;
    plan.name = "fat-tree";
    AddSwitches(plan, "edge", tree.perTier, 0);
    AddSwitches(plan, "aggregation", tree.perTier, 1);
    AddSwitches(plan, "core", tree.half * tree.half, 2);
    for (std::uint32_t pod = 0; pod < tree.arity; ++pod)
    {
        AddPodTrunks(plan, tree, pod);
        AddCoreTrunks(plan, tree, pod);
    }
    for (std::uint32_t host = 0; host < spec.hosts; ++host)
    {
        plan.hostSwitch.push_back(host / tree.half);
    }
    return plan;
}

std::vector<std::string>
FatTreeComplaints(const TopologySpec& spec)
{
    SpecComplaints complaints;
    CheckHosts(spec, complaints);
    CheckRange("cluster.fat_tree_k", spec.arity, g_leastArity, g_mostArity, complaints);
    if (complaints.empty() && spec.arity % 2 != 0)
    {
        complaints.push_back("cluster.fat_tree_k: must be even, got " + std::to_string(spec.arity));
    }
    if (complaints.empty())
    {
        CheckPlaces(spec, complaints);
    }
    return complaints;
}

} // namespace inca
