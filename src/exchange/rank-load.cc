/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/rank-load.h"

#include <algorithm>
#include <limits>

namespace inca
{

namespace
{

PayloadLoad&
PayloadOf(RankLoad& load, const Transfer& transfer, bool isInside)
{
    if (isInside)
    {
        return load.inside[transfer.kind == PayloadKind::GRADIENT ? 0 : 1];
    }
    auto& gradients = transfer.crossesGroups ? load.crossesGroups : load.gradient;
    return transfer.kind == PayloadKind::GRADIENT ? gradients : load.weight;
}

void
AddStep(RankLoad& load, Rank rank, Rank nodeSize, const Step& step)
{
    const auto isInside = [&](const Transfer& transfer) {
        return nodeSize > 1 && rank / nodeSize == transfer.peer / nodeSize;
    };
    for (std::size_t i = 0; i < step.sends.size(); ++i)
    {
        const auto& send = step.sends[i];
        auto& payload = PayloadOf(load, send, isInside(send));
        const bool moves = !IsToSelf(rank, send);
        payload.sentElements += moves ? send.range.count : 0;
        payload.sentMessages += moves ? 1 : 0;
        const bool isCoded = send.kind == PayloadKind::GRADIENT && !RepeatsSend(step, i);
        load.codedElements += isCoded ? send.range.count : 0;
    }
    for (const auto& receive : step.receives)
    {
        auto& payload = PayloadOf(load, receive, isInside(receive));
        const bool moves = !IsToSelf(rank, receive);
        payload.receivedElements += moves ? receive.range.count : 0;
        payload.receivedMessages += moves ? 1 : 0;
        const bool isGradient = receive.kind == PayloadKind::GRADIENT;
        load.decodedElements += isGradient ? receive.range.count : 0;
        const bool isAdded = receive.combine == Combine::ADD && !isInside(receive);
        load.addedElements += isAdded ? receive.range.count : 0;
    }
    if (step.reduction)
    {
        load.reductions.emplace_back(
            step.reduction->count, step.phase, 1, step.addsInNodes, step.oneIn);
    }
}

} // namespace

RankLoad
LoadOf(const StepPlan& plan, Rank rank, Rank nodeSize)
{
    return SampleLoad(plan, rank, std::numeric_limits<std::uint32_t>::max(), nodeSize).load;
}

LoadSample
SampleLoad(const StepPlan& plan, Rank rank, std::uint32_t most, Rank nodeSize)
{
    constexpr std::uint32_t runs = 16;
    const auto steps = plan.StepCount(rank);
    const bool isWhole = steps <= std::max(most, runs);
    const auto length = isWhole ? steps : std::max(most / runs, 1U);
    LoadSample sample;
    for (std::uint32_t run = 0; run < (isWhole ? 1 : runs); ++run)
    {
        const auto first = std::uint64_t{steps - length} * run / (runs - 1);
        for (std::uint32_t i = 0; i < length; ++i)
        {
            AddStep(
                sample.load, rank, nodeSize, plan.At(rank, static_cast<std::uint32_t>(first) + i));
        }
    }
    sample.times = isWhole ? 1 : steps / (static_cast<double>(length) * runs);
    return sample;
}

} // namespace inca
