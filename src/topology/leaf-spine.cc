/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/leaf-spine.h"

#include "topology/spec-checks.h"

#include <limits>

namespace inca
{

namespace
{

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

} // namespace

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

std::vector<std::string>
LeafSpineComplaints(const TopologySpec& spec)
{
    SpecComplaints complaints;
    CheckHosts(spec, complaints);
    CheckRange("cluster.hosts_per_leaf",
               spec.hostsPerLeaf,
               1,
               std::numeric_limits<std::uint32_t>::max(),
               complaints);
    CheckRange("cluster.spines", spec.spines, 1, g_mostSpines, complaints);
    if (complaints.empty())
    {
        CheckTrunks(spec, complaints);
    }
    return complaints;
}

} // namespace inca
