/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/switch.h"

#include "base/units.h"
#include "exchange/slot-scheme.h"
#include "scenario/keys.h"

#include <sstream>

namespace inca
{

namespace
{

/** A trace, its rate in Gb/s, and the seconds after 1, 2, ... iterations. */
constexpr const char* g_referenceTimes = R"(
alexnet-a100 10
  0.278793241348 0.55737556696 0.83469933826 1.11475938086 1.395157222529
  1.670398885594 1.950908785259 2.224619898205 2.506831098765 2.783059617631
alexnet-a100 100
  0.138387987434 0.276321785314 0.413612672199 0.554477611276 0.694796962147
  0.832558935996 0.971116481763 1.110656451494 1.245595607024 1.384723404524
resnet101-a100 10
  0.193342706147 0.38504875631 0.578239414322 0.770428136736 0.96370890181
  1.157690747172 1.348882671566 1.540631853734 1.732838739041 1.925654892063
resnet101-a100 100
  0.13964541404 0.280142716222 0.420610712289 0.561928450832 0.702512862175
  0.8376423879 0.978061502398 1.120908340898 1.260554771344 1.396771002384
resnet50-a100 10
  0.150167997092 0.300700530453 0.45011673194 0.602614385923 0.757969951707
  0.910110178978 1.055331510312 1.208277785687 1.3571418023 1.517912289484
resnet50-a100 100
  0.149248521734 0.297182923917 0.451250142388 0.599611654746 0.749971071605
  0.90476630969 1.053424422633 1.201438378134 1.352508563481 1.503244190793
vgg11-a100 10
  0.466930762775 0.934005549012 1.40075226781 1.867381407326 2.336072643945
  2.801301827387 3.269948321458 3.735486430045 4.203378670679 4.66972228259
vgg11-a100 100
  0.094933441665 0.189783763658 0.284618862057 0.38268250875 0.478901232129
  0.572248421525 0.667190589037 0.768086513751 0.856477590156 0.950461158257
vgg16-a100 10
  0.517781309667 1.033360175055 1.549026890472 2.065870763964 2.583554762271
  3.099346137239 3.61830077596 4.132520627097 4.646790952865 5.165279283306
vgg16-a100 100
  0.204498354531 0.417676835099 0.615681245397 0.813248533891 1.028731825014
  1.224947582441 1.438608617745 1.640701597503 1.850452174574 2.050455090994
)";

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

const std::vector<ReferenceTimes>&
SwitchReferenceTimes()
{
    static const auto times = [] {
        std::vector<ReferenceTimes> all;
        std::istringstream text(g_referenceTimes);
        for (ReferenceTimes one; text >> one.trace >> one.gigabitsPerSecond;)
        {
            for (auto& seconds : one.seconds)
            {
                text >> seconds;
            }
            all.push_back(one);
        }
        return all;
    }();
    return times;
}

const ReferenceTimes*
FindReferenceTimes(const std::string& trace, std::uint64_t gigabitsPerSecond)
{
    for (const auto& times : SwitchReferenceTimes())
    {
        if (times.trace == trace && times.gigabitsPerSecond == gigabitsPerSecond)
        {
            return &times;
        }
    }
    return nullptr;
}

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
