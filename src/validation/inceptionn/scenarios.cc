/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/inceptionn/scenarios.h"

#include "scenario/keys.h"

namespace inca
{

namespace
{

void
SetExchange(InceptionnSystem system, Scenario& scenario)
{
    if (IsRing(system))
    {
        scenario.exchange.algorithm = "ring";
        return;
    }
    scenario.exchange.algorithm = "worker-aggregator";
    scenario.exchange.broadcast = "binomial";
    scenario.exchange.sum = "after";
}

void
SetCodec(InceptionnSystem system, Scenario& scenario)
{
    if (IsCompressed(system))
    {
        scenario.codec.name = "inceptionn";
        scenario.codec.bound = 10;
        scenario.codec.placement = "nic";
    }
}

void
SetHost(const InceptionnModel& model, Scenario& scenario)
{
    SetKey(scenario, "host.preset", "inceptionn");
    if (model.steps.copy == 0)
    {
        scenario.host.copyBytesPerSecond = 0;
    }
}

} // namespace

Scenario
InceptionnScenario(const InceptionnModel& model, InceptionnSystem system)
{
    Scenario scenario;
    scenario.training.trace = model.name;
    scenario.training.send = "end";
    scenario.cluster.workers = g_inceptionnWorkers;
    scenario.cluster.bitsPerSecond = 10'000'000'000;
    scenario.cluster.latencyPs = 1'000'000;
    SetExchange(system, scenario);
    SetCodec(system, scenario);
    SetHost(model, scenario);
    return scenario;
}

} // namespace inca
