/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/switch/scenarios.h"
#include "scenario/keys.h"

namespace inca
{

namespace
{

constexpr std::uint64_t g_bitsPerGigabit = 1'000'000'000;
constexpr std::uint32_t g_replayWorkers = 2;

Scenario
Star(std::uint32_t workers, std::uint64_t gigabitsPerSecond)
{
    Scenario scenario;
    scenario.cluster.workers = workers;
    scenario.cluster.bitsPerSecond = gigabitsPerSecond * g_bitsPerGigabit;
    scenario.cluster.latencyPs = 1'000'000;
    return scenario;
}

void
SetTensor(std::uint64_t values, Scenario& scenario)
{
    constexpr std::uint64_t bytesPerValue = 4;
    scenario.training.trace = "tensor:" + std::to_string(values * bytesPerValue) + "B";
}

Scenario
ReplayNetwork(std::uint64_t gigabitsPerSecond)
{
    auto scenario = Star(g_replayWorkers, gigabitsPerSecond);
    scenario.cluster.mtu = 9000;
    scenario.exchange.algorithm = "switch-slots";
    SetKey(scenario, "switch.slots", std::to_string(SwitchMlSlots(gigabitsPerSecond)));
    SetKey(scenario, "switch.values_per_packet", "2229");
    SetKey(scenario, "switch.scaling", "fixed");
    return scenario;
}

} // namespace

std::uint32_t
SwitchMlSlots(std::uint64_t gigabitsPerSecond)
{
    return gigabitsPerSecond <= 10 ? 128 : 512;
}

Scenario
SwitchReplayScenario(const std::string& trace, std::uint64_t gigabitsPerSecond)
{
    auto scenario = ReplayNetwork(gigabitsPerSecond);
    scenario.training.trace = trace;
    scenario.training.iterations = 10;
    scenario.training.send = "layer";
    scenario.exchange.start = "together";
    scenario.host.copyBytesPerSecond = 0;
    return scenario;
}

Scenario
SwitchDrawnScenario(const std::string& trace, std::uint64_t gigabitsPerSecond, std::uint64_t seed)
{
    auto scenario = SwitchReplayScenario(trace, gigabitsPerSecond);
    scenario.training.jitter = "normal";
    scenario.training.jitterSd = 0.02;
    scenario.simulation.seed = seed;
    return scenario;
}

Scenario
SwitchExchangeScenario(std::uint64_t values, std::uint64_t gigabitsPerSecond)
{
    auto scenario = ReplayNetwork(gigabitsPerSecond);
    SetTensor(values, scenario);
    return scenario;
}

Scenario
SmallPoolScenario(std::uint64_t values, std::uint32_t slots)
{
    auto scenario = SwitchMlScenario(values, 64, 100, g_replayWorkers);
    SetKey(scenario, "switch.slots", std::to_string(slots));
    SetKey(scenario, "switch.scaling", "fixed");
    return scenario;
}

Scenario
SwitchMlScenario(std::uint64_t values,
                 std::uint32_t valuesPerPacket,
                 std::uint64_t gigabitsPerSecond,
                 std::uint32_t workers)
{
    auto scenario = Star(workers, gigabitsPerSecond);
    SetTensor(values, scenario);
    scenario.exchange.algorithm = "switch-slots";
    SetKey(scenario, "switch.slots", std::to_string(SwitchMlSlots(gigabitsPerSecond)));
    SetKey(scenario, "switch.values_per_packet", std::to_string(valuesPerPacket));
    return scenario;
}

Scenario
RingBesideScenario(std::uint64_t values, std::uint64_t gigabitsPerSecond, std::uint32_t workers)
{
    auto scenario = Star(workers, gigabitsPerSecond);
    SetTensor(values, scenario);
    scenario.exchange.algorithm = "ring";
    scenario.host.sumBytesPerSecond = 0;
    return scenario;
}

} // namespace inca
