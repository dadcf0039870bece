/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/network-sum-bound.h"

#include "base/units.h"
#include "base/wire-format.h"

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

/** The time of @p values on an adder; 0 per second: as fast as they come. */
std::int64_t
AddingPs(std::uint64_t values, std::uint64_t valuesPerSecond)
{
    constexpr std::uint64_t psPerSecond = 1'000'000'000'000;
    return valuesPerSecond == 0 ? 0 : MulDivCeil(values, psPerSecond, valuesPerSecond);
}

} // namespace

TimeParts
NetworkSumsOnWorker(const AggregationScheme& scheme,
                    const HostSettings& host,
                    std::uint64_t linkBitsPerSecond,
                    const NetworkSums& sums)
{
    const auto traffic = scheme.TrafficOf(sums);
    const auto framesPs =
        MulDivCeil(traffic.frames, static_cast<std::uint64_t>(host.frameCostPs), 1);
    const auto bytesPs = WorkPs(VALUE_BYTES * Elements(sums), host.byteBytesPerSecond);
    const auto sumsPs = MulDivCeil(Count(sums), static_cast<std::uint64_t>(host.messageCostPs), 1);
    const auto linkPs = SerialisationPs(traffic.wireBytes, linkBitsPerSecond);
    return Longer({linkPs}, {0, 0, AddSaturated(AddSaturated(framesPs, bytesPs), sumsPs)});
}

TimeParts
NetworkSumsOnSwitches(const AggregationScheme& scheme,
                      const std::vector<AddingSwitch>& switches,
                      const NetworkSums& sums)
{
    const auto bytes = scheme.TrafficOf(sums).wireBytes;
    const auto elements = Elements(sums);
    TimeParts longest;
    for (const auto& [children, trunkBitsPerSecond] : switches)
    {
        const auto addingPs = AddingPs(children * elements, scheme.AddedValuesPerSecond());
        const auto trunkPs =
            trunkBitsPerSecond == 0 ? 0 : SerialisationPs(bytes, trunkBitsPerSecond);
        longest = Longer(Longer(longest, {0, 0, 0, 0, addingPs}), {trunkPs});
    }
    return longest;
}

} // namespace inca
