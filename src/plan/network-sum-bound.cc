/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/network-sum-bound.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "scenario/specs.h"

#include <algorithm>

namespace inca
{

namespace
{

std::uint64_t
Elements(const NetworkSums& sums)
{
    std::uint64_t elements = 0;
    for (const auto& [each, count] : sums)
    {
        elements += each * count;
    }
    return elements;
}

std::uint64_t
Count(const NetworkSums& sums)
{
    std::uint64_t all = 0;
    for (const auto& [each, count] : sums)
    {
        all += count;
    }
    return all;
}

/** What a worker sends, and gets: packets with values, and those that tell exponents ahead. */
struct SumFrames
{
    std::uint64_t full{0};
    std::uint64_t empty{0};
};

SumFrames
FramesOf(const Scenario& scenario, const NetworkSums& sums)
{
    const auto& settings = scenario.inSwitch;
    SumFrames frames;
    for (const auto& [elements, count] : sums)
    {
        const auto blocks = (elements + settings.valuesPerPacket - 1) / settings.valuesPerPacket;
        frames.full += count * blocks;
        frames.empty +=
            HasExponents(scenario) ? count * std::min<std::uint64_t>(settings.slots, blocks) : 0;
    }
    return frames;
}

/** The time of @p values on an adder; 0 per second: as fast as they come. */
std::int64_t
AddingPs(std::uint64_t values, std::uint64_t valuesPerSecond)
{
    constexpr std::uint64_t psPerSecond = 1'000'000'000'000;
    return valuesPerSecond == 0 ? 0 : MulDivCeil(values, psPerSecond, valuesPerSecond);
}

} // namespace

bool
HasExponents(const Scenario& scenario)
{
    const auto& settings = scenario.inSwitch;
    return settings.adder != "fp32" && settings.scaling == "block" && !HasSketch(scenario);
}

std::uint64_t
NetworkSumBytes(const Scenario& scenario, const NetworkSums& sums)
{
    const auto emptyBytes = FrameWireBytes(AGGREGATION_HEADER_BYTES);
    const auto fullBytes =
        FrameWireBytes(AGGREGATION_HEADER_BYTES + VALUE_BYTES * scenario.inSwitch.valuesPerPacket);
    const auto frames = FramesOf(scenario, sums);
    return frames.full * fullBytes + frames.empty * emptyBytes;
}

TimeParts
NetworkSumsOnWorker(const Scenario& scenario,
                    std::uint64_t linkBitsPerSecond,
                    const NetworkSums& sums)
{
    const auto& host = scenario.host;
    const auto frames = FramesOf(scenario, sums);
    const auto framesPs =
        MulDivCeil(frames.full + frames.empty, static_cast<std::uint64_t>(host.frameCostPs), 1);
    const auto bytesPs = WorkPs(VALUE_BYTES * Elements(sums), host.byteBytesPerSecond);
    const auto sumsPs = MulDivCeil(Count(sums), static_cast<std::uint64_t>(host.messageCostPs), 1);
    const auto linkPs = SerialisationPs(NetworkSumBytes(scenario, sums), linkBitsPerSecond);
    return Longer({linkPs}, {0, 0, AddSaturated(AddSaturated(framesPs, bytesPs), sumsPs)});
}

TimeParts
NetworkSumsOnSwitches(const Scenario& scenario,
                      const std::vector<AddingSwitch>& switches,
                      const NetworkSums& sums)
{
    const auto& settings = scenario.inSwitch;
    const auto bytes = NetworkSumBytes(scenario, sums);
    const auto elements = Elements(sums);
    TimeParts longest;
    for (const auto& [children, trunkBitsPerSecond] : switches)
    {
        const auto addingPs = AddingPs(children * elements, settings.valuesPerSecond);
        const auto trunkPs =
            trunkBitsPerSecond == 0 ? 0 : SerialisationPs(bytes, trunkBitsPerSecond);
        longest = Longer(Longer(longest, {0, 0, 0, 0, addingPs}), {trunkPs});
    }
    return longest;
}

} // namespace inca
