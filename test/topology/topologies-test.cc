/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "topology/plan-checks.h"
#include "topology/topology-catalog.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

namespace inca
{

namespace
{

using testing::Each;
using testing::ElementsAre;

using Texts = std::vector<std::string>;

/** All ways that frames from one host to another may take, whatever hashes decide. */
struct Paths
{
    std::uint32_t count{0};                                            ///< that end at the host
    std::uint32_t lost{0};                                             ///< that end elsewhere
    std::uint32_t shortest{std::numeric_limits<std::uint32_t>::max()}; ///< trunks
    std::uint32_t longest{0};                                          ///< trunks
};

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
        const auto& routes = m_routes[at];
        const auto down = std::find_if(routes.begin(), routes.end(), [to](const DownRoute& route) {
            return route.host == to;
        });
        const auto before = paths.count + paths.lost;
        for (std::uint32_t i = 0; i < m_plan.trunks.size(); ++i)
        {
            const auto& trunk = m_plan.trunks[i];
            if (down == routes.end() && trunk.lower == at)
            {
                Follow(trunk.upper, to, trunks + 1, paths);
            }
            else if (down != routes.end() &&
                     std::count(down->trunks.begin(), down->trunks.end(), i) > 0)
            {
                Follow(trunk.lower, to, trunks + 1, paths);
            }
        }
        paths.lost += paths.count + paths.lost == before ? 1 : 0;
    }

    void Flood(std::uint32_t at, std::size_t by, std::vector<std::uint32_t>& visits) const
    {
        constexpr std::uint32_t circles = 3; // often enough to see that it would go on
        ++visits[at];
        for (std::size_t i = 0; i < m_plan.trunks.size() && visits[at] < circles; ++i)
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

/** @param number hosts per leaf, k of a fat-tree, trunks of racks */
TopologySpec
SpecOf(const std::string& name,
       std::uint32_t hosts,
       std::uint32_t number = 1,
       std::uint32_t spines = 2)
{
    TopologySpec spec;
    spec.name = name;
    spec.hosts = hosts;
    spec.spines = spines;
    (name == "leaf-spine" ? spec.hostsPerLeaf
     : name == "fat-tree" ? spec.arity
                          : spec.trunks) = number;
    return spec;
}

Texts
ComplaintsOf(const TopologySpec& spec)
{
    return TopologyCatalog().Find(spec.name).complaints(spec);
}

} // namespace

TEST(Topologies, SayWhatTheyRead)
{
    EXPECT_EQ(TopologyCatalog().Find("star").keys, Texts{});
    EXPECT_EQ(TopologyCatalog().Find("leaf-spine").keys, (Texts{"hosts_per_leaf", "spines"}));
    EXPECT_EQ(TopologyCatalog().Find("fat-tree").keys, Texts{"fat_tree_k"});
    EXPECT_EQ(TopologyCatalog().Find("rack-pair").keys, Texts{"trunks"});
    EXPECT_THROW(MakeTopology(SpecOf("rack-pair", 4, 0)), InputError);
}

/* With what a spec has by default, and of every size, each row makes a plan of its name that can be built; 4 hosts
 * have trunks between them on all but a star. */
TEST(Topologies, MakePlansThatCanBeBuilt)
{
    for (const auto& entry : TopologyCatalog().Rows())
    {
        TopologySpec spec;
        spec.name = entry.name;
        EXPECT_EQ(MakeTopology(spec).trunks.empty(), !entry.hasTrunks) << entry.name;
        for (spec.hosts = 2; spec.hosts <= 16; ++spec.hosts)
        {
            const auto plan = MakeTopology(spec);
            EXPECT_EQ(plan.name, entry.name);
            EXPECT_EQ(plan.HostCount(), spec.hosts);
            EXPECT_EQ(PlanComplaints(plan), Texts{}) << entry.name << " of " << spec.hosts;
        }
    }
}

/* Every host reaches every other, and a frame for everybody comes to each host's switch once. */
TEST(Topologies, ConnectAllHosts)
{
    for (const auto& spec : {SpecOf("star", 5),
                             SpecOf("rack-pair", 5, 2),
                             SpecOf("leaf-spine", 10, 4),
                             SpecOf("leaf-spine", 3, 4),
                             SpecOf("fat-tree", 2, 2),
                             SpecOf("fat-tree", 16, 4),
                             SpecOf("fat-tree", 7, 4),
                             SpecOf("fat-tree", 54, 6)})
    {
        SCOPED_TRACE(spec.name + " of " + std::to_string(spec.hosts));
        const auto plan = MakeTopology(spec);
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
                EXPECT_EQ(visits[home], 1U) << "from " << from << " to " << home;
            }
        }
    }
}

/* Between racks one trunk, any of 3. Within a leaf none, to another leaf one up and one down, over any of 3 spines.
 * A fat-tree of k = 4: hosts 0 and 1 share an edge, 0 and 2 a pod (k/2 = 2 paths of 2 trunks), 0 and 4 do not ((k/2)^2
 * = 4 paths of 4 trunks), with few hosts, too. */
TEST(Topologies, HaveThePathsOfTheirShape)
{
    struct Row
    {
        TopologySpec spec;
        std::uint32_t from;
        std::uint32_t to;
        std::uint32_t paths;
        std::uint32_t trunks;
    };

    for (const auto& [spec, from, to, count, trunks] :
         {Row{SpecOf("rack-pair", 4, 3), 0, 3, 3, 1},
          Row{SpecOf("rack-pair", 4, 3), 3, 0, 3, 1},
          Row{SpecOf("rack-pair", 4, 3), 2, 3, 1, 0},
          Row{SpecOf("leaf-spine", 8, 4, 3), 0, 3, 1, 0},
          Row{SpecOf("leaf-spine", 8, 4, 3), 0, 4, 3, 2},
          Row{SpecOf("fat-tree", 16, 4), 0, 1, 1, 0},
          Row{SpecOf("fat-tree", 16, 4), 0, 2, 2, 2},
          Row{SpecOf("fat-tree", 16, 4), 0, 4, 4, 4},
          Row{SpecOf("fat-tree", 16, 4), 15, 0, 4, 4},
          Row{SpecOf("fat-tree", 5, 4), 0, 4, 4, 4}})
    {
        SCOPED_TRACE(spec.name + " from " + std::to_string(from) + " to " + std::to_string(to));
        const auto paths = PlanWalk(MakeTopology(spec)).Between(from, to);
        EXPECT_EQ(paths.count, count);
        EXPECT_EQ(paths.lost, 0U);
        EXPECT_EQ(paths.shortest, trunks);
        EXPECT_EQ(paths.longest, trunks);
    }
}

/* The first rack has the odd host; 10 hosts fill leaves of 4, 4 and 2, each of which has a trunk to each of 2 spines. */
/* A leaf of 2 spines chooses between them; a fat-tree's edge of 4 ports between 2 aggregations, which then do between 2 cores. */
TEST(Topologies, SayAmongHowManyWaysSwitchesHaveChosen)
{
    TopologySpec spec;
    spec.name = "leaf-spine";
    EXPECT_EQ(WaysUp(MakeTopology(spec)), (std::vector<std::uint64_t>{1, 2, 2}));
    spec.name = "fat-tree";
    std::vector<std::uint64_t> ways(8, 1); // edges
    ways.insert(ways.end(), 8, 2);         // aggregations
    ways.insert(ways.end(), 4, 4);         // cores
    EXPECT_EQ(WaysUp(MakeTopology(spec)), ways);
}

TEST(Topologies, NameSwitchesAndFillThemInOrder)
{
    const auto star = MakeTopology(SpecOf("star", 5));
    EXPECT_THAT(star.hostSwitch, ElementsAre(0, 0, 0, 0, 0));
    EXPECT_EQ(star.switches.at(0).name, "switch");
    const auto racks = MakeTopology(SpecOf("rack-pair", 5, 2));
    EXPECT_THAT(racks.hostSwitch, ElementsAre(0, 0, 0, 1, 1));
    EXPECT_EQ(racks.switches.at(1).name, "rack 1");
    EXPECT_EQ(racks.trunks.size(), 2U);
    const auto leaves = MakeTopology(SpecOf("leaf-spine", 10, 4));
    EXPECT_THAT(leaves.hostSwitch, ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 2, 2));
    ASSERT_EQ(leaves.switches.size(), 5U);
    EXPECT_EQ(leaves.switches[2].name, "leaf 2");
    EXPECT_EQ(leaves.switches[4].name, "spine 1");
    ASSERT_EQ(leaves.trunks.size(), 6U);
    EXPECT_EQ(leaves.trunks[2 * 2 + 1].lower, 2U);
    EXPECT_EQ(leaves.trunks[2 * 2 + 1].upper, 4U);
    EXPECT_EQ(MakeTopology(SpecOf("leaf-spine", 3, 4)).switches.size(), 3U); // a single leaf
    const auto tree = MakeTopology(SpecOf("fat-tree", 5, 4));
    EXPECT_THAT(tree.hostSwitch, ElementsAre(0, 0, 1, 1, 2));
    EXPECT_EQ(tree.switches.size(), 20U); // all are there for few hosts, too
}

/* k pods of k/2 edges and k/2 aggregations, (k/2)^2 cores: k^2 + k^2/4 switches. k^3/4 trunks between edges and
 * aggregations, and as many to the cores. Every port is used, k/2 of an edge by hosts. Aggregation 0 of each pod floods
 * to its k/2 edges and to core 0. */
TEST(FatTree, UsesEveryPortAndFloodsOverOneTree)
{
    for (const std::uint32_t k : {2U, 4U, 6U, 8U})
    {
        const auto plan = MakeTopology(SpecOf("fat-tree", k * k * k / 4, k));
        EXPECT_EQ(plan.switches.size(), k * k + k * k / 4) << k;
        EXPECT_EQ(plan.trunks.size(), k * k * k / 2) << k;
        std::vector<std::uint32_t> ports;
        for (const auto& planned : plan.switches)
        {
            ports.push_back(planned.tier == 0 ? k / 2 : 0);
        }
        std::uint32_t floods = 0;
        for (const auto& trunk : plan.trunks)
        {
            ++ports[trunk.lower];
            ++ports[trunk.upper];
            floods += trunk.floods ? 1 : 0;
        }
        EXPECT_THAT(ports, Each(k));
        EXPECT_EQ(floods, k * (k / 2 + 1));
    }
}

/* 65,536 trunks / 64 spines = 1024 leaves; 65,536 hosts on 1024 leaves are 64 each. */
TEST(Topologies, NameTheKeyThatIsOutOfRange)
{
    const std::vector<std::pair<TopologySpec, Texts>> rows{
        {SpecOf("star", 2), {}},
        {SpecOf("star", 131'072), {}},
        {SpecOf("star", 131'073), {"cluster.workers:"}},
        {SpecOf("star", 1), {"cluster.workers:"}},
        {SpecOf("rack-pair", 2, 1024), {}},
        {SpecOf("rack-pair", 2, 0), {"cluster.trunks:"}},
        {SpecOf("leaf-spine", 3, 4), {}},
        {SpecOf("leaf-spine", 4, 0, 0), {"cluster.hosts_per_leaf:", "cluster.spines:"}},
        {SpecOf("leaf-spine", 4, 4, 65), {"cluster.spines:"}},
        {SpecOf("leaf-spine", 65'536, 64, 64), {}},
        {SpecOf("leaf-spine", 65'536, 63, 64), {"64 hosts per leaf would do"}},
        {SpecOf("fat-tree", 16, 4), {}},
        {SpecOf("fat-tree", 20, 4), {"k = 6 would do"}},
        {SpecOf("fat-tree", 8193, 4), {"k = 32, holds 8192"}},
        {SpecOf("fat-tree", 4, 5), {"cluster.fat_tree_k:"}},
        {SpecOf("fat-tree", 4, 0), {"cluster.fat_tree_k:"}},
        {SpecOf("fat-tree", 4, 34), {"cluster.fat_tree_k:"}},
    };
    for (const auto& [spec, complaints] : rows)
    {
        std::vector<testing::Matcher<std::string>> parts;
        for (const auto& complaint : complaints)
        {
            parts.push_back(testing::HasSubstr(complaint));
        }
        EXPECT_THAT(ComplaintsOf(spec), testing::ElementsAreArray(parts))
            << spec.name << " of " << spec.hosts;
    }
}

} // namespace inca
