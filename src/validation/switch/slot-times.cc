/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/switch/slot-times.h"

#include "base/units.h"
#include "exchange/slot-scheme.h"

#include <cmath>
#include <numeric>

namespace inca
{

namespace
{

constexpr double g_psPerSecond = 1e12;

} // namespace

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

double
MeanOf(const std::vector<double>& samples)
{
    return std::accumulate(samples.begin(), samples.end(), 0.0) /
           static_cast<double>(samples.size());
}

double
StandardDeviationOf(const std::vector<double>& samples)
{
    const auto mean = MeanOf(samples);
    double squares = 0;
    for (const auto sample : samples)
    {
        squares += (sample - mean) * (sample - mean);
    }
    return std::sqrt(squares / static_cast<double>(samples.size() - 1));
}

} // namespace inca
