/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/sum-order.h"

#include "scenario/specs.h"

namespace inca
{

namespace
{

SumOrder
OfSwitches(const Scenario& scenario)
{
    const auto scheme = MakeScheme(scenario);
    if (scheme->Reduction({}).isExact)
    {
        return {false, "switches add integers, which gives the same in any order"};
    }
    if (scenario.cluster.workers == 2)
    {
        return {false, "switches add two operands, which either order rounds alike"};
    }
    return {true,
            std::string("switches add ") + scheme->Numbers().adder.name +
                " as packets arrive, and round each time"};
}

} // namespace

SumOrder
SumOrderOf(const Scenario& scenario)
{
    if (ReducesInNetwork(scenario))
    {
        return OfSwitches(scenario);
    }
    if (scenario.exchange.sum == "arrival" && (HasAggregator(scenario) || HasServers(scenario)))
    {
        return {false, "hosts add in a fixed order: exchange.sum = \"arrival\" is in times only"};
    }
    return {false, "hosts add in a fixed order, that of the exchange's plan"};
}

} // namespace inca
