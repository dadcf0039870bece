/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/spec-checks.h"

namespace inca
{

namespace
{

constexpr std::uint32_t g_fewestHosts{2};
constexpr std::uint32_t g_mostHosts{131'072};

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

} // namespace inca
