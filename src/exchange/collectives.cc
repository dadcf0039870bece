/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/collectives.h"

#include "base/text.h"
#include "exchange/pieces.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace inca
{

namespace
{

/** What is sent to @p peer, and where it lies there. */
Transfer
Swapped(Rank peer, ElementRange sent, std::uint64_t beginAtPeer)
{
    Transfer transfer{peer, sent};
    transfer.shift = static_cast<std::int64_t>(beginAtPeer) - static_cast<std::int64_t>(sent.begin);
    return transfer;
}

/**
 * One step: each rank sends to each other one, in an order that is the same for all: of a TRANSPOSE a block, of a DISPATCH a
 * part of its block, of a COMBINE what it has for a part of the other's block.
 */
class FlatAllToAll : public StepPlan
{
  public:
    /** @param group of which PairwiseRounds are */
    FlatAllToAll(const ExchangeSpec& spec, std::uint64_t elements, Rank group)
        : FlatAllToAll(spec, AllToAllBlocks(spec, elements), group)
    {
    }

    Rank OneIn() const override
    {
        return m_oneIn;
    }

    std::uint64_t Room() const override
    {
        return m_blocks.Room();
    }

    std::uint32_t StepCount(Rank /*rank*/) const override
    {
        return 1;
    }

    Step At(Rank rank, std::uint32_t /*step*/) const override
    {
        const auto ranks = RankCount();
        Step step;
        std::vector<bool> hasPart(m_oneIn); // of a COMBINE: of its own block @{
        hasPart[rank % m_oneIn] = true;     // @}
        for (const auto& [groups, inGroup] : m_rounds)
        {
            const auto by = groups * m_moves.group + inGroup;
            if (by > 0)
            {
                const auto to = m_moves.Moved(rank, by, ranks);
                const auto from = m_moves.Moved(rank, m_moves.Back(by, ranks), ranks);
                Add(rank, to, from, step);
                if (hasPart[from % m_oneIn] && Means() == Meaning::COMBINE)
                {
                    step.receives.back().combine = Combine::ADD;
                }
                hasPart[from % m_oneIn] = true;
            }
        }
        return step;
    }

  private:
    FlatAllToAll(const ExchangeSpec& spec, AllToAllBlocks blocks, Rank group)
        : StepPlan(spec.workers, 0, blocks.Elements() + blocks.Room(), spec.collective),
          m_oneIn(spec.OneIn()),
          m_moves{1, true, false, 1, group},
          m_rounds(PairwiseRounds(spec.workers, group)),
          m_blocks(std::move(blocks))
    {
    }

    ElementRange Block(Rank rank) const
    {
        return BlockOf(Elements(), RankCount(), rank);
    }

    /** What @p from has for @p to, unless that is nothing. */
    void AddBlock(Rank from, Rank to, bool isSent, std::vector<Transfer>& transfers) const
    {
        const auto there = m_blocks.Sent(from, to);
        const auto here = m_blocks.Got(from, to);
        if (there.count > 0 || !m_blocks.AreUnequal())
        {
            transfers.push_back(isSent ? Swapped(to, there, here.begin)
                                       : Swapped(from, here, there.begin));
        }
    }

    void Add(Rank rank, Rank to, Rank from, Step& step) const
    {
        switch (Means())
        {
        case Meaning::DISPATCH:
            step.sends.push_back({to, PartOf(Block(rank), rank, to, m_oneIn)});
            step.receives.push_back({from, PartOf(Block(from), from, rank, m_oneIn)});
            break;
        case Meaning::COMBINE:
            step.sends.push_back({to, PartOf(Block(to), to, rank, m_oneIn)});
            step.receives.push_back({from, PartOf(Block(rank), rank, from, m_oneIn)});
            break;
        default:
            AddBlock(rank, to, true, step.sends);
            AddBlock(from, rank, false, step.receives);
        }
    }

    Rank m_oneIn;
    ShiftSymmetry m_moves; ///< of ranks by distances
    std::vector<std::pair<Rank, Rank>> m_rounds;
    AllToAllBlocks m_blocks;
};

/**
 * First all that is for another group goes to the worker there who has the same place; then, for one group after the
 * other from which it came, to whom it is for.
 */
class HierarchicalAllToAll : public StepPlan
{
  public:
    HierarchicalAllToAll(Rank workers, std::uint64_t elements, Rank group)
        : StepPlan(workers, 0, elements, Meaning::TRANSPOSE),
          m_group(group)
    {
    }

    std::uint32_t StepCount(Rank /*rank*/) const override
    {
        return 1 + RankCount() / m_group;
    }

    Step At(Rank rank, std::uint32_t index) const override
    {
        const auto block = Elements() / RankCount();
        const auto groups = RankCount() / m_group;
        const auto own = rank / m_group;
        const auto place = rank % m_group;
        Step step;
        for (Rank i = 1; index == 0 && i < groups; ++i)
        {
            const auto add = [&](Rank other, std::vector<Transfer>& transfers) {
                const auto size = m_group * block;
                transfers.push_back(
                    Swapped(other * m_group + place, {other * size, size}, own * size));
                transfers.back().crossesGroups = true;
            };
            add((own + i) % groups, step.sends);
            add((own + groups - i) % groups, step.receives);
        }
        for (Rank i = 1; index > 0 && i < m_group; ++i)
        {
            const auto cameFrom = (index - 1) * m_group;
            const auto add = [&](Rank other, std::vector<Transfer>& transfers) {
                transfers.push_back(Swapped(own * m_group + other,
                                            {(cameFrom + other) * block, block},
                                            (cameFrom + place) * block));
            };
            add((place + i) % m_group, step.sends);
            add((place + m_group - i) % m_group, step.receives);
        }
        return step;
    }

  private:
    Rank m_group;
};

/** Worker 0 sends all to the last worker. */
class SendPlan : public StepPlan
{
  public:
    SendPlan(Rank workers, std::uint64_t elements)
        : StepPlan(workers, 0, elements, Meaning::SEND)
    {
    }

    std::uint32_t StepCount(Rank rank) const override
    {
        return rank == 0 || rank + 1 == RankCount() ? 1 : 0;
    }

    Step At(Rank rank, std::uint32_t /*step*/) const override
    {
        Step step;
        auto& transfers = rank == 0 ? step.sends : step.receives;
        transfers = {{rank == 0 ? RankCount() - 1 : 0, {0, Elements()}}};
        return step;
    }
};

/** Where parts of @p shares begin, of which all together are @p whole elements, or fewer. */
std::vector<std::uint64_t>
BlockBegins(const std::vector<double>& shares, double largest, std::uint64_t whole)
{
    std::vector<std::uint64_t> begins{0};
    double before = 0;
    for (const auto share : shares)
    {
        before += share;
        begins.push_back(std::min(
            whole, static_cast<std::uint64_t>(static_cast<double>(whole) * before / largest)));
    }
    return begins;
}

} // namespace

AllToAllBlocks::AllToAllBlocks(const ExchangeSpec& spec, std::uint64_t elements)
    : m_block(elements / spec.workers),
      m_elements(elements)
{
    if (spec.shares == nullptr)
    {
        return;
    }
    const auto& rows = *spec.shares;
    double largest = 0;
    for (const auto& row : rows)
    {
        largest = std::max(largest, std::accumulate(row.begin(), row.end(), 0.0));
    }
    m_got.assign(spec.workers, {elements});
    for (Rank from = 0; from < spec.workers; ++from)
    {
        m_sent.push_back(BlockBegins(rows[from % rows.size()], largest, elements));
        for (Rank to = 0; to < spec.workers; ++to)
        {
            m_got[to].push_back(m_got[to].back() + Sent(from, to).count);
            m_room = std::max(m_room, m_got[to].back() - elements);
        }
    }
}

ElementRange
AllToAllBlocks::Sent(Rank from, Rank to) const
{
    if (!AreUnequal())
    {
        return {to * m_block, m_block};
    }
    const auto& begins = m_sent[from];
    return {begins[to], begins[to + 1] - begins[to]};
}

ElementRange
AllToAllBlocks::Got(Rank from, Rank to) const
{
    if (!AreUnequal())
    {
        return {from * m_block, m_block};
    }
    const auto& begins = m_got[to];
    return {begins[from], begins[from + 1] - begins[from]};
}

bool
IsAllToAll(Meaning collective)
{
    return collective == Meaning::TRANSPOSE || collective == Meaning::DISPATCH ||
           collective == Meaning::COMBINE;
}

std::vector<std::string>
AllToAllNames()
{
    return {"pairwise", "direct", "hierarchical"};
}

Rank
UsualPairwiseGroup(Rank workers)
{
    Rank group = 8;
    while (workers % group != 0)
    {
        --group;
    }
    return group;
}

std::vector<std::pair<Rank, Rank>>
PairwiseRounds(Rank workers, Rank group)
{
    const auto groups = workers / group;
    const auto power = Rank{1} << CeilLog2(groups);
    std::vector<std::pair<Rank, Rank>> rounds;
    Rank distance = 0;
    for (Rank i = 0; i < power; ++i)
    {
        distance = (distance + i) % power;
        for (Rank inGroup = 0; distance < groups && inGroup < group; ++inGroup)
        {
            rounds.emplace_back(distance, inGroup);
        }
    }
    return rounds;
}

std::unique_ptr<StepPlan>
MakeCollectivePlan(const ExchangeSpec& spec, std::uint64_t elements)
{
    if (spec.collective == Meaning::SEND)
    {
        return std::make_unique<SendPlan>(spec.workers, elements);
    }
    if (spec.collective == Meaning::BROADCAST)
    {
        const auto all = [](Rank rank) { return std::optional(Seat{{}, rank}); };
        return std::make_unique<ComposedPlan>(
            spec.workers,
            0,
            elements,
            std::vector<PlanPart>{{Broadcast(spec, spec.workers, elements), all}},
            Meaning::BROADCAST);
    }
    if (spec.allToAll == "hierarchical")
    {
        return std::make_unique<HierarchicalAllToAll>(spec.workers, elements, spec.groupSize);
    }
    const auto group = spec.allToAll == "direct" ? spec.workers : spec.groupSize;
    return std::make_unique<FlatAllToAll>(spec, elements, group);
}

std::vector<std::string>
CollectiveComplaints(const ExchangeSpec& spec)
{
    auto texts = WorkerComplaints(spec);
    if (spec.collective == Meaning::BROADCAST)
    {
        ComplainOfBroadcast(spec, texts);
    }
    const bool inGroups = IsAllToAll(spec.collective) && spec.allToAll != "direct";
    if (inGroups && (spec.groupSize == 0 || spec.workers % spec.groupSize != 0))
    {
        texts.push_back(Text("exchange.group_size: must divide the ",
                             spec.workers,
                             " workers, got ",
                             spec.groupSize));
    }
    return texts;
}

std::uint64_t
BlocksOfCollective(const ExchangeSpec& spec)
{
    return IsAllToAll(spec.collective) && spec.shares == nullptr ? spec.workers * spec.OneIn() : 1;
}

ShiftSymmetry
CollectiveSymmetry(const ExchangeSpec& spec)
{
    if (!IsAllToAll(spec.collective) || spec.shares != nullptr)
    {
        return {};
    }
    const bool isFlat = spec.allToAll == "direct" || spec.groupSize == spec.workers;
    return {1, isFlat, false, 1, isFlat ? 0 : spec.groupSize};
}

} // namespace inca
