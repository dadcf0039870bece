/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_TOPOLOGY_PLAN_WALK_H
#define INCA_TEST_TOPOLOGY_PLAN_WALK_H

#include "topology/topology-plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <vector>

namespace inca
{

/** All ways that frames from one host to another may take, whatever hashes decide. */
struct Paths
{
    std::uint32_t count{0};                                            ///< that end at the host
    std::uint32_t lost{0};                                             ///< that end elsewhere
    std::uint32_t shortest{std::numeric_limits<std::uint32_t>::max()}; ///< trunks
    std::uint32_t longest{0};                                          ///< trunks
};

inline bool
operator==(const Paths& a, const Paths& b)
{
    return a.count == b.count && a.lost == b.lost && a.shortest == b.shortest &&
           a.longest == b.longest;
}

inline std::ostream&
operator<<(std::ostream& out, const Paths& paths)
{
    return out << paths.count << " paths of " << paths.shortest << ".." << paths.longest
               << " trunks, " << paths.lost << " lost";
}

/** Sends frames over a plan as switches do: down where a route says so, else up. */
class PlanWalk
{
  public:
    explicit PlanWalk(const TopologyPlan& plan)
        : m_plan(plan),
          m_routes(DownRoutes(plan))
    {
    }

    Paths Between(std::uint32_t from, std::uint32_t to) const
    {
        Paths paths;
        Follow(m_plan.hostSwitch[from], to, 0, paths);
        return paths;
    }

    /** By switch: how often a frame for everybody that @p from sends comes there. */
    std::vector<std::uint32_t> Visits(std::uint32_t from) const
    {
        std::vector<std::uint32_t> visits(m_plan.switches.size(), 0);
        Flood(m_plan.hostSwitch[from], m_plan.trunks.size(), visits);
        return visits;
    }

  private:
    void Follow(std::uint32_t at, std::uint32_t to, std::uint32_t trunks, Paths& paths) const
    {
        if (m_plan.hostSwitch[to] == at)
        {
            ++paths.count;
            paths.shortest = std::min(paths.shortest, trunks);
            paths.longest = std::max(paths.longest, trunks);
            return;
        }
        for (const auto& route : m_routes[at])
        {
            if (route.host == to)
            {
                for (const auto trunk : route.trunks)
                {
                    Follow(m_plan.trunks[trunk].lower, to, trunks + 1, paths);
                }
                return;
            }
        }
        Climb(at, to, trunks, paths);
    }

    void Climb(std::uint32_t at, std::uint32_t to, std::uint32_t trunks, Paths& paths) const
    {
        const auto before = paths.count + paths.lost;
        for (const auto& trunk : m_plan.trunks)
        {
            if (trunk.lower == at)
            {
                Follow(trunk.upper, to, trunks + 1, paths);
            }
        }
        paths.lost += paths.count + paths.lost == before ? 1 : 0;
    }

    void Flood(std::uint32_t at, std::size_t by, std::vector<std::uint32_t>& visits) const
    {
        constexpr std::uint32_t CIRCLES{3}; // often enough to see that it would go on
        ++visits[at];
        for (std::size_t i = 0; i < m_plan.trunks.size() && visits[at] < CIRCLES; ++i)
        {
            const auto& trunk = m_plan.trunks[i];
            if (i != by && trunk.floods && (trunk.lower == at || trunk.upper == at))
            {
                Flood(trunk.lower == at ? trunk.upper : trunk.lower, i, visits);
            }
        }
    }

    TopologyPlan m_plan;
    std::vector<std::vector<DownRoute>> m_routes;
};

/** Every host reaches every other, and a frame for everybody comes to each host's switch once. */
inline void
ExpectConnected(const TopologyPlan& plan)
{
    const PlanWalk walk(plan);
    for (std::uint32_t from = 0; from < plan.HostCount(); ++from)
    {
        for (std::uint32_t to = 0; to < plan.HostCount(); ++to)
        {
            const auto paths = walk.Between(from, to);
            EXPECT_GE(paths.count, 1U) << from << " to " << to;
            EXPECT_EQ(paths.lost, 0U) << from << " to " << to;
        }
        const auto visits = walk.Visits(from);
        for (const auto home : plan.hostSwitch)
        {
            EXPECT_EQ(visits[home], 1U) << "from " << from << " to " << plan.switches[home].name;
        }
    }
}

} // namespace inca

#endif // INCA_TEST_TOPOLOGY_PLAN_WALK_H
