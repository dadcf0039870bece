/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/inceptionn/scenarios.h"

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
    const InceptionnHost host;
    const bool copies = model.steps.copy > 0;
    scenario.host.sumBytesPerSecond = host.sumBytesPerSecond;
    scenario.host.copyBytesPerSecond = copies ? host.copyBytesPerSecond : 0;
    scenario.host.byteBytesPerSecond = host.byteBytesPerSecond;
    scenario.host.messageCostPs = host.messageCostPs;
    scenario.host.duplex = host.duplex;
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
