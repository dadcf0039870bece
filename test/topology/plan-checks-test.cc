/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/plan-checks.h"

#include "base/errors.h"
#include "topology/topology-catalog.h"

#include <gtest/gtest.h>

namespace inca
{

/** Two lower switches with two hosts each under an upper one; each test breaks one thing. */
class PlanChecks : public testing::Test
{
  protected:
    PlanChecks()
    {
        plan.name = "mine";
        plan.switches = {{"left", 0}, {"right", 0}, {"top", 1}};
        plan.hostSwitch = {0, 0, 1, 1};
        plan.trunks = {{0, 2, true}, {1, 2, true}};
    }

    void ExpectComplaint(const std::string& text)
    {
        EXPECT_EQ(PlanComplaints(plan), std::vector<std::string>{text});
        EXPECT_THROW(CheckPlan(plan), InputError);
    }

    TopologyPlan plan;
};

TEST_F(PlanChecks, LikeAPlanThatIsRight)
{
    EXPECT_EQ(PlanComplaints(plan), std::vector<std::string>{});
    EXPECT_NO_THROW(CheckPlan(plan));
}

TEST_F(PlanChecks, WantAHost)
{
    plan.hostSwitch = {};
    ExpectComplaint("mine: a network needs at least 1 host");
}

TEST_F(PlanChecks, WantSwitchesThatAreThere)
{
    plan.hostSwitch[3] = 3;
    ExpectComplaint("mine: host 3 is plugged into switch 3, but there are only 3");
    plan.hostSwitch[3] = 1;
    plan.trunks[1].upper = 7;
    ExpectComplaint("mine: trunk 1 ends at a switch that is not there");
}

TEST_F(PlanChecks, WantNamesOfTheirOwn)
{
    plan.switches[1].name = "left";
    ExpectComplaint("mine: two switches are called 'left'");
}

TEST_F(PlanChecks, WantTrunksToLeadUp)
{
    plan.switches[2].tier = 0;
    plan.trunks.pop_back();
    ExpectComplaint("mine: trunk 0 leads from 'left' up to 'top', whose tier must be higher");
}

TEST_F(PlanChecks, WantNoLoopOfFloods)
{
    plan.trunks.push_back({0, 2, true});
    ExpectComplaint("mine: trunk 2 closes a loop of trunks that flood: frames would circle");
    plan.trunks.back().floods = false;
    EXPECT_EQ(PlanComplaints(plan), std::vector<std::string>{});
}

TEST_F(PlanChecks, WantFloodsToReachEveryHost)
{
    plan.trunks[1].floods = false;
    ExpectComplaint("mine: frames for everybody do not reach 'right'; let one of its trunks flood");
}

/* A second top has a trunk to the left alone: flows of the left that a hash sends there end. */
TEST_F(PlanChecks, WantNoTopThatMissesHosts)
{
    plan.switches.push_back({"half", 1});
    plan.trunks.push_back({0, 3, false});
    ExpectComplaint("mine: flows end at 'half', from which 2 of 4 hosts can be reached; it needs "
                    "trunks to the others, up or down");
}

/* The same two tiers up, and the upper trunk comes first in the list. */
TEST_F(PlanChecks, WantNoTopThatMissesHostsHoweverTrunksAreListed)
{
    plan.switches.push_back({"middle", 1});
    plan.switches.push_back({"half", 2});
    plan.trunks.insert(plan.trunks.begin(), {{3, 4, false}, {0, 3, false}});
    ExpectComplaint("mine: flows end at 'half', from which 2 of 4 hosts can be reached; it needs "
                    "trunks to the others, up or down");
}

/* A switch with host 4 is joined to the others by a trunk down to one and another up: the way up and
 * down again that it needs is none, neither from it nor to it. */
TEST_F(PlanChecks, WantNoWayThatGoesDownFirst)
{
    plan.switches.push_back({"aside", 1});
    plan.switches.push_back({"between", 0});
    plan.hostSwitch.push_back(3);
    plan.trunks.push_back({4, 3, true});
    plan.trunks.push_back({4, 2, true});
    const std::string rest =
        " of 5 hosts can be reached; it needs trunks to the others, up or down";
    EXPECT_EQ(PlanComplaints(plan),
              (std::vector<std::string>{"mine: flows end at 'top', from which 4" + rest,
                                        "mine: flows end at 'aside', from which 1" + rest}));
}

/* A switch that nobody's frames can reach does no harm. */
TEST_F(PlanChecks, AllowSwitchesWithoutUse)
{
    plan.switches.push_back({"spare", 0});
    EXPECT_EQ(PlanComplaints(plan), std::vector<std::string>{});
}

TEST(PlanChecksOfTheCatalogue, LikeEveryTopologyOfEverySize)
{
    for (const auto& entry : TopologyCatalog())
    {
        for (std::uint32_t hosts = 2; hosts <= 16; ++hosts)
        {
            TopologySpec spec;
            spec.name = entry.name;
            spec.hosts = hosts;
            spec.hostsPerLeaf = 3;
            spec.trunks = 2;
            if (entry.complaints(spec).empty())
            {
                EXPECT_EQ(PlanComplaints(MakeTopology(spec)), std::vector<std::string>{})
                    << entry.name << " of " << hosts;
            }
        }
    }
}

} // namespace inca
