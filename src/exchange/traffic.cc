/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/traffic.h"

#include <cstddef>

namespace inca
{

namespace
{

LegTraffic&
LegOf(RankTraffic& traffic, Leg leg)
{
    return leg == Leg::GRADIENT ? traffic.gradient : traffic.weight;
}

std::uint64_t
AddedElements(const Step& step)
{
    std::uint64_t added = 0;
    for (const auto& receive : step.receives)
    {
        added += receive.combine == Combine::ADD ? receive.range.count : 0;
    }
    return added;
}

std::uint64_t
CodedElements(const Step& step)
{
    std::uint64_t coded = 0;
    for (std::size_t i = 0; i < step.sends.size(); ++i)
    {
        const bool codes = step.sends[i].leg == Leg::GRADIENT && !RepeatsSend(step, i);
        coded += codes ? step.sends[i].range.count : 0;
    }
    return coded;
}

void
AddStep(RankTraffic& traffic, const Step& step)
{
    for (const auto& send : step.sends)
    {
        auto& leg = LegOf(traffic, send.leg);
        leg.sentElements += send.range.count;
        ++leg.sentMessages;
    }
    for (const auto& receive : step.receives)
    {
        auto& leg = LegOf(traffic, receive.leg);
        leg.receivedElements += receive.range.count;
        ++leg.receivedMessages;
    }
    if (step.networkSum)
    {
        traffic.networkSums.emplace_back(step.networkSum->count, step.networkHalves, 1);
    }
    traffic.addedElements += AddedElements(step);
    traffic.codedElements += CodedElements(step);
}

} // namespace

RankTraffic
Traffic(const StepPlan& plan, Rank rank)
{
    RankTraffic traffic;
    const auto steps = plan.StepCount(rank);
    for (std::uint32_t step = 0; step < steps; ++step)
    {
        AddStep(traffic, plan.At(rank, step));
    }
    return traffic;
}

} // namespace inca
