/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/pieces.h"

#include "base/errors.h"
#include "base/nearest.h"

#include <algorithm>

namespace inca
{

namespace
{

/** @return the next member gets block @p block of @p range, the previous one's is received */
Step
PassOn(Rank members, ElementRange range, Rank position, Rank block, PayloadKind kind)
{
    const auto blockOf = [members, range](Rank index) {
        const auto found = BlockOf(range.count, members, index % members);
        return ElementRange{range.begin + found.begin, found.count};
    };
    Step step;
    step.sends = {{(position + 1) % members, blockOf(block), kind}};
    step.receives = {{(position + members - 1) % members, blockOf(block + members - 1), kind}};
    step.receiveFirst = position % 2 == 1;
    return step;
}

Step
SendTo(Rank peer, ElementRange range, PayloadKind kind = PayloadKind::WEIGHT)
{
    Step step;
    step.sends = {{peer, range, kind}};
    return step;
}

Step
ReceiveFrom(Rank peer, ElementRange range, PayloadKind kind = PayloadKind::WEIGHT)
{
    Step step;
    step.receives = {{peer, range, kind}};
    return step;
}

Piece
FlatBroadcast(Rank members, ElementRange all)
{
    return {[=](Rank position) { return position == 0 ? members - 1 : 1; },
            [=](Rank position, std::uint32_t step) {
                return position == 0 ? SendTo(step + 1, all) : ReceiveFrom(0, all);
            }};
}

/** The largest power of two below the lowest bit that leads to a member of a binomial tree, or 0. */
Rank
FarthestChild(Rank members, Rank position)
{
    const auto below = members - position; // a child's distance is smaller
    const auto limit = position == 0 ? below : std::min(below, LowestBit(position));
    Rank distance = 0;
    for (Rank next = 1; next < limit; next *= 2)
    {
        distance = next;
    }
    return distance;
}

Piece
BinomialBroadcast(Rank members, ElementRange all)
{
    const auto stepCount = [members](Rank position) {
        std::uint32_t count = position == 0 ? 0 : 1;
        for (auto distance = FarthestChild(members, position); distance > 0; distance /= 2)
        {
            ++count;
        }
        return count;
    };
    const auto at = [=](Rank position, std::uint32_t step) {
        if (position > 0 && step == 0)
        {
            return ReceiveFrom(position - LowestBit(position), all);
        }
        const auto child = position == 0 ? step : step - 1;
        return SendTo(position + (FarthestChild(members, position) >> child), all);
    };
    return {stepCount, at};
}

} // namespace

Rank
LowestBit(Rank position)
{
    return position & (~position + 1);
}

Rank
CeilLog2(Rank members)
{
    Rank log = 0;
    while ((std::uint64_t{1} << log) < members)
    {
        ++log;
    }
    return log;
}

Step
RingReduceScatterStep(Rank members,
                      ElementRange range,
                      RingSums sums,
                      Rank lastBlock,
                      Rank position,
                      std::uint32_t step)
{
    auto one = PassOn(
        members, range, position, position + lastBlock + members - 1 - step, PayloadKind::GRADIENT);
    const bool isLast = step + 1 == members - 1;
    one.receives.front().combine = Combine::ADD;
    one.ownsResult = isLast && sums == RingSums::FINAL;
    one.update = isLast && sums == RingSums::UPDATED;
    return one;
}

Step
RingAllGatherStep(Rank members,
                  ElementRange range,
                  Rank firstBlock,
                  PayloadKind kind,
                  Rank position,
                  std::uint32_t step)
{
    return PassOn(members, range, position, position + firstBlock + members - step, kind);
}

Piece
RingReduceScatter(Rank members, std::uint64_t elements, RingSums sums)
{
    return {[=](Rank /*position*/) { return members - 1; },
            [=](Rank position, std::uint32_t step) {
                return RingReduceScatterStep(members, {0, elements}, sums, 1, position, step);
            }};
}

Piece
RingAllGather(Rank members, std::uint64_t elements, Rank firstBlock)
{
    constexpr auto kind = PayloadKind::GRADIENT;
    return {[=](Rank /*position*/) { return members - 1; },
            [=](Rank position, std::uint32_t step) {
                return RingAllGatherStep(members, {0, elements}, firstBlock, kind, position, step);
            }};
}

PayloadKind
KindOfSums(const ExchangeSpec& spec)
{
    return spec.sharded ? PayloadKind::WEIGHT : PayloadKind::GRADIENT;
}

Piece
SumAtRoot(Rank members, std::uint64_t elements)
{
    const ElementRange all{0, elements};
    return {[](Rank /*position*/) { return 1; },
            [=](Rank position, std::uint32_t /*step*/) {
                if (position > 0)
                {
                    return SendTo(0, all, PayloadKind::GRADIENT);
                }
                Step sum;
                for (Rank peer = 1; peer < members; ++peer)
                {
                    sum.receives.push_back(Operand(peer, all, peer == 1));
                }
                sum.update = true;
                return sum;
            }};
}

Piece
Scatter(Rank members, std::uint64_t elements)
{
    return {[=](Rank position) { return position == 0 ? members - 1 : 1; },
            [=](Rank position, std::uint32_t step) {
                const auto peer = position == 0 ? step + 1 : position;
                const auto block = BlockOf(elements, members, peer);
                return position == 0 ? SendTo(peer, block, PayloadKind::GRADIENT)
                                     : ReceiveFrom(0, block, PayloadKind::GRADIENT);
            }};
}

std::vector<std::string>
BroadcastNames()
{
    return {"flat", "binomial"};
}

Piece
Broadcast(const ExchangeSpec& spec, Rank members, std::uint64_t elements)
{
    const ElementRange all{0, elements};
    if (spec.broadcast == "flat")
    {
        return FlatBroadcast(members, all);
    }
    if (spec.broadcast == "binomial")
    {
        return BinomialBroadcast(members, all);
    }
    throw InputError("exchange.broadcast: " + UnknownName(spec.broadcast, BroadcastNames()));
}

void
ComplainOfBroadcast(const ExchangeSpec& spec, std::vector<std::string>& complaints)
{
    const auto names = BroadcastNames();
    if (std::find(names.begin(), names.end(), spec.broadcast) == names.end())
    {
        complaints.push_back("exchange.broadcast: " + UnknownName(spec.broadcast, names));
    }
}

} // namespace inca
