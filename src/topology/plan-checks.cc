/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/plan-checks.h"

#include "base/errors.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <utility>

namespace inca
{

namespace
{

using Texts = std::vector<std::string>;
using Numbers = std::vector<std::uint32_t>;

std::string
TrunkName(const TopologyPlan& plan, std::size_t trunk)
{
    return plan.name + ": trunk " + std::to_string(trunk);
}

void
CheckNumbers(const TopologyPlan& plan, Texts& texts)
{
    const auto switches = plan.switches.size();
    for (std::uint32_t host = 0; host < plan.HostCount(); ++host)
    {
        if (plan.hostSwitch[host] >= switches)
        {
            texts.push_back(plan.name + ": host " + std::to_string(host) +
                            " is plugged into switch " + std::to_string(plan.hostSwitch[host]) +
                            ", but there are only " + std::to_string(switches));
        }
    }
    for (std::size_t trunk = 0; trunk < plan.trunks.size(); ++trunk)
    {
        if (std::max(plan.trunks[trunk].lower, plan.trunks[trunk].upper) >= switches)
        {
            texts.push_back(TrunkName(plan, trunk) + " ends at a switch that is not there");
        }
    }
}

void
CheckNames(const TopologyPlan& plan, Texts& texts)
{
    std::set<std::string> names;
    for (const auto& planned : plan.switches)
    {
        if (!names.insert(planned.name).second)
        {
            texts.push_back(plan.name + ": two switches are called '" + planned.name + "'");
        }
    }
}

void
CheckTiers(const TopologyPlan& plan, Texts& texts)
{
    for (std::size_t trunk = 0; trunk < plan.trunks.size(); ++trunk)
    {
        const auto& lower = plan.switches[plan.trunks[trunk].lower];
        const auto& upper = plan.switches[plan.trunks[trunk].upper];
        if (lower.tier >= upper.tier)
        {
            texts.push_back(TrunkName(plan, trunk) + " leads from '" + lower.name + "' up to '" +
                            upper.name + "', whose tier must be higher");
        }
    }
}

void
CheckFlooding(const TopologyPlan& plan, Texts& texts)
{
    Numbers above(
        plan.switches.size()); // those that frames for everybody join are below the same one
    std::iota(above.begin(), above.end(), 0U);
    const auto top = [&above](std::uint32_t number) {
        while (above[number] != number)
        {
            above[number] = above[above[number]];
            number = above[number];
        }
        return number;
    };
    for (std::size_t trunk = 0; trunk < plan.trunks.size(); ++trunk)
    {
        const auto& planned = plan.trunks[trunk];
        const auto lower = top(planned.lower);
        const auto upper = top(planned.upper);
        if (planned.floods && lower == upper)
        {
            texts.push_back(TrunkName(plan, trunk) +
                            " closes a loop of trunks that flood: frames would circle");
        }
        above[lower] = planned.floods ? upper : lower;
    }
    for (const auto home : plan.hostSwitch)
    {
        if (top(home) != top(plan.hostSwitch.front()))
        {
            texts.push_back(plan.name + ": frames for everybody do not reach '" +
                            plan.switches[home].name + "'; let one of its trunks flood");
            return;
        }
    }
}

/** By switch: whether a frame of some host may come there on its way up. */
std::vector<bool>
ReachedGoingUp(const TopologyPlan& plan)
{
    std::vector<bool> reached(plan.switches.size(), false);
    for (const auto home : plan.hostSwitch)
    {
        reached[home] = true;
    }
    auto trunks = plan.trunks;
    std::stable_sort(
        trunks.begin(), trunks.end(), [&plan](const PlannedTrunk& a, const PlannedTrunk& b) {
            return plan.switches[a.lower].tier < plan.switches[b.lower].tier;
        });
    for (const auto& trunk : trunks)
    {
        reached[trunk.upper] = reached[trunk.upper] || reached[trunk.lower];
    }
    return reached;
}

/** Where there is no way further up, every host must be plugged in or below. */
void
CheckTops(const TopologyPlan& plan, Texts& texts)
{
    auto ends = ReachedGoingUp(plan);
    for (const auto& trunk : plan.trunks)
    {
        ends[trunk.lower] = false;
    }
    const auto routes = DownRoutes(plan);
    Numbers plugged(plan.switches.size(), 0);
    for (const auto home : plan.hostSwitch)
    {
        ++plugged[home];
    }
    for (std::size_t number = 0; number < ends.size(); ++number)
    {
        if (ends[number] && plugged[number] + routes[number].size() != plan.HostCount())
        {
            texts.push_back(plan.name + ": flows end at '" + plan.switches[number].name +
                            "', from which " +
                            std::to_string(plugged[number] + routes[number].size()) + " of " +
                            std::to_string(plan.HostCount()) +
                            " hosts can be reached; it needs trunks to the others, up or down");
        }
    }
}

} // namespace

std::vector<std::string>
PlanComplaints(const TopologyPlan& plan)
{
    Texts texts;
    if (plan.HostCount() == 0)
    {
        texts.push_back(plan.name + ": a network needs at least 1 host");
    }
    CheckNumbers(plan, texts);
    CheckNames(plan, texts);
    for (const auto check : {CheckTiers, CheckFlooding, CheckTops})
    {
        if (texts.empty()) // the next check may rely on what those before it have seen
        {
            check(plan, texts);
        }
    }
    return texts;
}

void
CheckPlan(const TopologyPlan& plan)
{
    auto texts = PlanComplaints(plan);
    if (!texts.empty())
    {
        throw InputError(std::move(texts));
    }
}

} // namespace inca
