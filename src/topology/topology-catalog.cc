/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/topology-catalog.h"

#include "base/errors.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace inca
{

namespace
{

constexpr std::uint32_t g_fewestHosts{2};
constexpr std::uint32_t g_mostHosts{131'072}; ///< 65,536 workers and as many servers

/** All hosts around one switch, "switch". */
TopologyPlan
MakeStar(const TopologySpec& spec)
{
    TopologyPlan plan;
    plan.name = "star";
    plan.switches = {{"switch", 0}};
    plan.hostSwitch.assign(spec.hosts, 0);
    return plan;
}

/** @return complaints of the number of hosts and of what @p checks look at, each if nothing was wrong before */
std::function<std::vector<std::string>(const TopologySpec&)>
Complaints(const std::vector<void (*)(const TopologySpec&, SpecComplaints&)>& checks)
{
    return [checks](const TopologySpec& spec) {
        SpecComplaints complaints;
        CheckHosts(spec, complaints);
        for (std::size_t i = 0; i < checks.size() && (i == 0 || complaints.empty()); ++i)
        {
            checks[i](spec, complaints);
        }
        return complaints;
    };
}

constexpr std::uint32_t g_mostParallelTrunks{1024};

/**
 * Two racks of half the hosts each, rack 0 one more if their number is odd, joined by spec.trunks
 * parallel cables, of which rack 0 is the upper end. Frames for everybody take the first of them.
 */
TopologyPlan
MakeRackPair(const TopologySpec& spec)
{
    TopologyPlan plan;
    plan.name = "rack-pair";
    plan.switches = {{"rack 0", 1}, {"rack 1", 0}};
    plan.hostSwitch.assign(spec.hosts, 0);
    for (std::uint32_t host = (spec.hosts + 1) / 2; host < spec.hosts; ++host)
    {
        plan.hostSwitch[host] = 1;
    }
    for (std::uint32_t trunk = 0; trunk < spec.trunks; ++trunk)
    {
        plan.trunks.push_back({1, 0, trunk == 0});
    }
    return plan;
}

void
CheckParallelTrunks(const TopologySpec& spec, SpecComplaints& complaints)
{
    CheckRange("cluster.trunks", spec.trunks, 1, g_mostParallelTrunks, complaints);
}

/** Every spine knows the way to every host: 64 spines above 131,072 hosts need some 1 GiB. */
constexpr std::uint32_t g_mostSpines{64};

constexpr std::uint64_t g_mostTrunks{65'536}; ///< a cable and two ports each: some 100 MiB

std::uint32_t
Leaves(const TopologySpec& spec)
{
    return (spec.hosts - 1) / spec.hostsPerLeaf + 1;
}

void
CheckTrunks(const TopologySpec& spec, SpecComplaints& complaints)
{
    const auto trunks = std::uint64_t{Leaves(spec)} * spec.spines;
    if (trunks > g_mostTrunks)
    {
        const auto mostLeaves = g_mostTrunks / spec.spines;
        complaints.push_back(
            "cluster.hosts_per_leaf: " + std::to_string(Leaves(spec)) + " leaves and " +
            std::to_string(spec.spines) + " spines need " + std::to_string(trunks) +
            " trunks, the most are " + std::to_string(g_mostTrunks) + "; " +
            std::to_string((spec.hosts - 1) / mostLeaves + 1) + " hosts per leaf would do");
    }
}

/**
 * Two levels (a folded Clos network): hosts fill the leaves in order, spec.hostsPerLeaf each, and
 * every leaf has one trunk to each of the spec.spines. Switches: leaves, then spines; trunk
 * l * spines + s joins leaf l and spine s. Frames for everybody go over spine 0.
 */
TopologyPlan
MakeLeafSpine(const TopologySpec& spec)
{
    TopologyPlan plan;
    plan.name = "leaf-spine";
    const auto leaves = Leaves(spec);
    for (std::uint32_t leaf = 0; leaf < leaves; ++leaf)
    {
        plan.switches.push_back({"leaf " + std::to_string(leaf), 0});
        for (std::uint32_t spine = 0; spine < spec.spines; ++spine)
        {
            plan.trunks.push_back({leaf, leaves + spine, spine == 0});
        }
    }
    for (std::uint32_t spine = 0; spine < spec.spines; ++spine)
    {
        plan.switches.push_back({"spine " + std::to_string(spine), 1});
    }
    for (std::uint32_t host = 0; host < spec.hosts; ++host)
    {
        plan.hostSwitch.push_back(host / spec.hostsPerLeaf);
    }
    return plan;
}

void
CheckLeafSpine(const TopologySpec& spec, SpecComplaints& complaints)
{
    const auto most = std::numeric_limits<std::uint32_t>::max();
    CheckRange("cluster.hosts_per_leaf", spec.hostsPerLeaf, 1, most, complaints);
    CheckRange("cluster.spines", spec.spines, 1, g_mostSpines, complaints);
}

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

/**
 * The k-ary fat-tree of Al-Fares et al. (SIGCOMM 2008, section 3), k = spec.arity: k pods of k/2 edge
 * and k/2 aggregation switches, (k/2)^2 cores, k^3/4 places for hosts, which fill the edges in order.
 * It is always built as a whole, so that few hosts, too, have the paths of the real thing: (k/2)^2
 * between pods, k/2 between edges of a pod.
 *
 * Switches: edges, aggregations, cores; aggregation a of each pod is joined to the cores a k/2 ..
 * (a+1) k/2 - 1. Frames for everybody go over each pod's aggregation 0 and core 0.
 */
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

void
CheckArity(const TopologySpec& spec, SpecComplaints& complaints)
{
    CheckRange("cluster.fat_tree_k", spec.arity, g_leastArity, g_mostArity, complaints);
    if (complaints.empty() && spec.arity % 2 != 0)
    {
        complaints.push_back("cluster.fat_tree_k: must be even, got " + std::to_string(spec.arity));
    }
}

/** Nothing but GPUs around the switch inside their node. */
TopologyPlan
OneNode(const TopologySpec& spec)
{
    auto plan = MakeStar(spec);
    plan.name = spec.name;
    plan.switches = {{"worker 0", 0}};
    plan.nodeSize = spec.nodeSize;
    plan.nodes = 1;
    return plan;
}

/** Hosts of @p fabric become the switches inside nodes, with NICs for trunks. */
TopologyPlan
WithNodes(const TopologyPlan& fabric, const TopologySpec& spec)
{
    TopologyPlan plan;
    plan.name = fabric.name;
    plan.nodeSize = spec.nodeSize;
    const auto nodes = fabric.HostCount();
    plan.nodes = nodes;
    for (std::uint32_t node = 0; node < nodes; ++node)
    {
        plan.switches.push_back({"worker " + std::to_string(node), 0});
        plan.hostSwitch.insert(plan.hostSwitch.end(), spec.nodeSize, node);
        for (std::uint32_t nic = 0; nic < spec.nics; ++nic)
        {
            plan.trunks.push_back({node, nodes + fabric.hostSwitch[node], nic == 0});
        }
    }
    for (const auto& above : fabric.switches)
    {
        plan.switches.push_back({above.name, above.tier + 1});
    }
    for (const auto& trunk : fabric.trunks)
    {
        plan.trunks.push_back({nodes + trunk.lower, nodes + trunk.upper, trunk.floods});
    }
    return plan;
}

std::vector<TopologyEntry>
OwnEntries()
{
    return {
        {"star", "all hosts around one switch", false, Complaints({}), MakeStar},
        {"leaf-spine",
         "leaves of hosts_per_leaf hosts, each with a trunk to every one of the spines",
         true,
         Complaints({CheckLeafSpine, CheckTrunks}),
         MakeLeafSpine,
         {"hosts_per_leaf", "spines"},
         false,
         [](const TopologySpec& s) { return 1.0 * std::min(s.hosts, s.hostsPerLeaf) / s.spines; }},
        {"fat-tree",
         "three levels of switches with fat_tree_k ports each, as much rate up as down",
         true,
         Complaints({CheckArity, CheckPlaces}),
         MakeFatTree,
         {"fat_tree_k"}},
        {"rack-pair",
         "two switches with half the hosts each, joined by parallel trunks",
         true,
         Complaints({CheckParallelTrunks}),
         MakeRackPair,
         {"trunks"},
         false,
         [](const TopologySpec& s) { return (s.hosts + 1) / 2 / double(s.trunks); }},
    };
}

} // namespace

void
CheckHosts(const TopologySpec& spec, SpecComplaints& complaints)
{
    if (spec.hosts < g_fewestHosts || spec.hosts > g_mostHosts)
    {
        complaints.push_back("cluster.workers: a network needs " + std::to_string(g_fewestHosts) +
                             ".." + std::to_string(g_mostHosts) +
                             " hosts (workers, aggregators and servers), got " +
                             std::to_string(spec.hosts));
    }
}

void
CheckRange(const std::string& key,
           std::uint32_t value,
           std::uint32_t fewest,
           std::uint32_t most,
           SpecComplaints& complaints)
{
    if (value < fewest || value > most)
    {
        complaints.push_back(key + ": must be " + std::to_string(fewest) + ".." +
                             std::to_string(most) + ", got " + std::to_string(value));
    }
}

Catalog<TopologyEntry>&
TopologyCatalog()
{
    static Catalog<TopologyEntry> topologies("cluster.topology", OwnEntries());
    return topologies;
}

TopologySpec
NodesOf(TopologySpec spec)
{
    spec.hosts /= spec.nodeSize;
    spec.nodeSize = 1;
    return spec;
}

SpecComplaints
TopologyComplaints(const TopologySpec& spec)
{
    const auto& entry = TopologyCatalog().Find(spec.name);
    const auto nodes = NodesOf(spec);
    auto complaints =
        nodes.hosts == 1 && spec.nodeSize > 1 ? SpecComplaints{} : entry.complaints(nodes);
    if (complaints.empty())
    {
        CheckHosts(spec, complaints);
    }
    const auto nics = std::uint64_t{nodes.hosts} * spec.nics;
    if (complaints.empty() && spec.nodeSize > 1 && nics > g_mostTrunks)
    {
        complaints.push_back("cluster.nics: " + std::to_string(nics) + " in all, the most are " +
                             std::to_string(g_mostTrunks));
    }
    return complaints;
}

TopologyPlan
MakeTopology(const TopologySpec& spec)
{
    auto complaints = TopologyComplaints(spec);
    if (!complaints.empty())
    {
        throw InputError(std::move(complaints));
    }
    const auto& entry = TopologyCatalog().Find(spec.name);
    return spec.nodeSize == 1            ? entry.make(spec)
           : spec.hosts == spec.nodeSize ? OneNode(spec)
                                         : WithNodes(entry.make(NodesOf(spec)), spec);
}

} // namespace inca
