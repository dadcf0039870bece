/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/plan-checks.h"

#include "base/errors.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

/** Two lower switches with two hosts each under an upper one. */
TopologyPlan
RightPlan()
{
    TopologyPlan plan;
    plan.name = "mine";
    plan.switches = {{"left", 0}, {"right", 0}, {"top", 1}};
    plan.hostSwitch = {0, 0, 1, 1};
    plan.trunks = {{0, 2, true}, {1, 2, true}};
    return plan;
}

struct BrokenPlan
{
    const char* what;
    void (*change)(TopologyPlan& plan);
    std::vector<std::string> complaints; ///< without "mine: "
};

const std::string g_half = "flows end at 'half', from which 2 of 4 hosts can be reached; it needs "
                           "trunks to the others, up or down";
const std::string g_ofFive =
    " of 5 hosts can be reached; it needs trunks to the others, up or down";

/* "half" is a second top with a trunk to the left alone: flows of the left that a hash sends there end, whether its
 * trunk is listed before the one below it or not. "aside", with host 4, is joined to the others by a trunk down to one
 * and another up: the way up and down again that it needs is none, neither from it nor to it. */
const std::vector<BrokenPlan> g_plans{
    {"right", [](TopologyPlan&) {}, {}},
    {"no hosts",
     [](TopologyPlan& plan) { plan.hostSwitch = {}; },
     {"a network needs at least 1 host"}},
    {"a host nowhere",
     [](TopologyPlan& plan) { plan.hostSwitch[3] = 3; },
     {"host 3 is plugged into switch 3, but there are only 3"}},
    {"a trunk nowhere",
     [](TopologyPlan& plan) { plan.trunks[1].upper = 7; },
     {"trunk 1 ends at a switch that is not there"}},
    {"a name twice",
     [](TopologyPlan& plan) { plan.switches[1].name = "left"; },
     {"two switches are called 'left'"}},
    {"a trunk that leads level",
     [](TopologyPlan& plan) {
         plan.switches[2].tier = 0;
         plan.trunks.pop_back();
     },
     {"trunk 0 leads from 'left' up to 'top', whose tier must be higher"}},
    {"a loop of floods",
     [](TopologyPlan& plan) {
         plan.trunks.push_back({0, 2, true});
     },
     {"trunk 2 closes a loop of trunks that flood: frames would circle"}},
    {"a second trunk",
     [](TopologyPlan& plan) {
         plan.trunks.push_back({0, 2, false});
     },
     {}},
    {"no flood to the right",
     [](TopologyPlan& plan) { plan.trunks[1].floods = false; },
     {"frames for everybody do not reach 'right'; let one of its trunks flood"}},
    {"half a top",
     [](TopologyPlan& plan) {
         plan.switches.push_back({"half", 1});
         plan.trunks.push_back({0, 3, false});
     },
     {g_half}},
    {"half a top, two tiers up",
     [](TopologyPlan& plan) {
         plan.switches.push_back({"middle", 1});
         plan.switches.push_back({"half", 2});
         plan.trunks.insert(plan.trunks.begin(), {{3, 4, false}, {0, 3, false}});
     },
     {g_half}},
    {"a way that goes down first",
     [](TopologyPlan& plan) {
         plan.switches.push_back({"aside", 1});
         plan.switches.push_back({"between", 0});
         plan.hostSwitch.push_back(3);
         plan.trunks.push_back({4, 3, true});
         plan.trunks.push_back({4, 2, true});
     },
     {"flows end at 'top', from which 4" + g_ofFive,
      "flows end at 'aside', from which 1" + g_ofFive}},
    {"a switch without use",
     [](TopologyPlan& plan) {
         plan.switches.push_back({"spare", 0});
     },
     {}},
};

} // namespace

TEST(PlanChecks, SayWhatIsWrong)
{
    for (const auto& broken : g_plans)
    {
        auto plan = RightPlan();
        broken.change(plan);
        auto complaints = broken.complaints;
        for (auto& complaint : complaints)
        {
            complaint.insert(0, "mine: ");
        }
        EXPECT_EQ(PlanComplaints(plan), complaints) << broken.what;
        if (complaints.empty())
        {
            EXPECT_NO_THROW(CheckPlan(plan));
        }
        else
        {
            EXPECT_THROW(CheckPlan(plan), InputError);
        }
    }
}

} // namespace inca
