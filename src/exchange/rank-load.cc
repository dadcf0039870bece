/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/rank-load.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace inca
{

namespace
{

PayloadLoad&
PayloadOf(RankLoad& traffic, PayloadKind kind)
{
    return kind == PayloadKind::GRADIENT ? traffic.gradient : traffic.weight;
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
        const bool codes = step.sends[i].kind == PayloadKind::GRADIENT && !RepeatsSend(step, i);
        coded += codes ? step.sends[i].range.count : 0;
    }
    return coded;
}

void
AddStep(RankLoad& traffic, const Step& step)
{
    for (const auto& send : step.sends)
    {
        auto& kind = PayloadOf(traffic, send.kind);
        kind.sentElements += send.range.count;
        ++kind.sentMessages;
    }
    for (const auto& receive : step.receives)
    {
        auto& kind = PayloadOf(traffic, receive.kind);
        kind.receivedElements += receive.range.count;
        ++kind.receivedMessages;
    }
    if (step.reduction)
    {
        traffic.reductions.emplace_back(step.reduction->count, step.phase, 1);
    }
    traffic.addedElements += AddedElements(step);
    traffic.codedElements += CodedElements(step);
}

/** Some that follow each other. */
struct Stretch
{
    std::uint32_t first{0};
    std::uint32_t length{0};
};

std::vector<Stretch>
StretchesOf(std::uint32_t steps, std::uint32_t most)
{
    constexpr std::uint32_t count = 16;
    if (steps <= std::max(most, count))
    {
        return {{0, steps}};
    }
    const auto length = std::max(most / count, 1U);
    std::vector<Stretch> stretches;
    for (std::uint32_t i = 0; i < count; ++i)
    {
        const auto first = std::uint64_t{steps - length} * i / (count - 1);
        stretches.push_back({static_cast<std::uint32_t>(first), length});
    }
    return stretches;
}

std::size_t
CountDifferent(std::vector<Rank> ranks)
{
    std::sort(ranks.begin(), ranks.end());
    return static_cast<std::size_t>(std::unique(ranks.begin(), ranks.end()) - ranks.begin());
}

} // namespace

RankLoad
LoadOf(const StepPlan& plan, Rank rank)
{
    RankLoad traffic;
    const auto steps = plan.StepCount(rank);
    for (std::uint32_t step = 0; step < steps; ++step)
    {
        AddStep(traffic, plan.At(rank, step));
    }
    return traffic;
}

TrafficSample
SampleTraffic(const StepPlan& plan, Rank rank, std::uint32_t most)
{
    TrafficSample sample;
    std::vector<Rank> peers;
    double counted = 0;
    for (const auto& [first, length] : StretchesOf(plan.StepCount(rank), most))
    {
        for (std::uint32_t number = first; number < first + length; ++number)
        {
            const auto step = plan.At(rank, number);
            AddStep(sample.traffic, step);
            std::transform(step.receives.begin(),
                           step.receives.end(),
                           std::back_inserter(peers),
                           [](const Transfer& receive) { return receive.peer; });
        }
        counted += length;
    }
    sample.times = counted > 0 ? plan.StepCount(rank) / counted : 1;
    sample.peers = CountDifferent(std::move(peers));
    return sample;
}

} // namespace inca
