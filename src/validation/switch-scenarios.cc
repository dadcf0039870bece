/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/switch-scenarios.h"

#include "base/units.h"
#include "exchange/slot-scheme.h"
#include "scenario/keys.h"

namespace inca
{

namespace
{

constexpr std::uint64_t g_bitsPerGigabit = 1'000'000'000;
constexpr double g_psPerSecond = 1e12;
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

std::uint64_t
SlotFrameBytes(std::uint64_t valuesPerPacket)
{
    constexpr std::uint64_t around = 8 + 14 + 20 + 8 + 16 + 4 + 12;
    constexpr std::uint64_t bytesPerValue = 4;
    return around + valuesPerPacket * bytesPerValue;
}

std::int64_t
SlotFramePs(const Scenario& scenario)
{
    return SerialisationPs(SlotFrameBytes(ReadSlotSettings(scenario.aggregation).valuesPerPacket),
                           scenario.cluster.bitsPerSecond);
}

std::int64_t
SlotRoundTripPs(const Scenario& scenario)
{
    const auto linkPs = SlotFramePs(scenario) + scenario.cluster.latencyPs;
    return 2 * linkPs + scenario.inSwitch.latencyPs;
}

std::int64_t
SlotExchangePs(const Scenario& scenario, std::uint64_t values)
{
    const std::uint64_t perPacket = ReadSlotSettings(scenario.aggregation).valuesPerPacket;
    const auto packets = static_cast<std::int64_t>((values + perPacket - 1) / perPacket);
    return (packets - 1) * SlotFramePs(scenario) + SlotRoundTripPs(scenario);
}

double
PooledValuesPerSecond(const Scenario& scenario)
{
    const auto settings = ReadSlotSettings(scenario.aggregation);
    const auto values = static_cast<double>(settings.slots * settings.valuesPerPacket);
    return values * g_psPerSecond / static_cast<double>(SlotRoundTripPs(scenario));
}

double
LineValuesPerSecond(const Scenario& scenario)
{
    return static_cast<double>(ReadSlotSettings(scenario.aggregation).valuesPerPacket) *
           g_psPerSecond / static_cast<double>(SlotFramePs(scenario));
}

} // namespace inca
