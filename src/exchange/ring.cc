/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "exchange/exchanges.h"
#include "exchange/pieces.h"

#include <algorithm>
#include <string>
#include <utility>

namespace inca
{

namespace
{

std::vector<std::string>
RingComplaints(const ExchangeSpec& spec)
{
    auto texts = WorkerComplaints(spec);
    if (spec.ringChannels == 0)
    {
        texts.push_back("ring.channels: there must be at least one");
    }
    return texts;
}

/** One channel: one all-reduce, or one part of it, for each turn. */
class Ring : public StepPlan
{
  public:
    /** @param part of @p elements that this channel sums */
    Ring(const ExchangeSpec& spec, ElementRange part, std::uint64_t elements)
        : StepPlan(spec.workers, 0, elements, MeaningOf(spec.phase)),
          m_part(part),
          m_sharded(spec.sharded),
          m_ownBlock(spec.ownBlocks ? 0 : 1),
          m_stepsPerTurn((spec.phase == SumPhase::ALL_REDUCE ? 2 : 1) * (spec.workers - 1))
    {
        if (spec.ringChunkElements > 0 && part.count > 0)
        {
            const auto block = (part.count + spec.workers - 1) / spec.workers;
            m_turnElements = spec.workers * std::min(spec.ringChunkElements, block);
            m_turns = (part.count + m_turnElements - 1) / m_turnElements;
        }
        else
        {
            m_turnElements = part.count;
        }
        const auto most = MOST_STEPS / m_stepsPerTurn;
        if (spec.ringChunkElements > 0 && m_turns > most)
        {
            throw InputError(
                "ring.chunk_bytes: " + std::to_string(part.count) + " values of " +
                std::to_string(spec.workers) +
                " workers in such chunks take too many steps; use at least " +
                std::to_string(spec.bytesPerElement * (part.count / most / spec.workers + 1)) +
                "B");
        }
    }

    std::uint32_t StepCount(Rank /*rank*/) const override
    {
        return static_cast<std::uint32_t>(m_turns) * m_stepsPerTurn;
    }

    Step At(Rank rank, std::uint32_t step) const override
    {
        const auto workers = WorkerCount();
        const auto inPhase = workers - 1;
        // Shards are summed in all turns before any of them is handed on.
        const auto inTurn = m_sharded ? inPhase : m_stepsPerTurn;
        const auto turn = step / inTurn % m_turns;
        const auto range = Clip({m_part.begin + turn * m_turnElements, m_turnElements}, m_part);
        const auto ofPhase = step % inPhase;
        const bool isSummed =
            m_sharded ? step >= m_turns * inPhase : step % m_stepsPerTurn >= inPhase;
        if (Means() == Meaning::ALL_GATHER || isSummed)
        {
            const auto kind = m_sharded ? PayloadKind::WEIGHT : PayloadKind::GRADIENT;
            return RingAllGatherStep(workers, range, m_ownBlock, kind, rank, ofPhase);
        }
        const auto sums = m_sharded ? RingSums::UPDATED : RingSums::FINAL;
        return RingReduceScatterStep(workers, range, sums, m_ownBlock, rank, ofPhase);
    }

  private:
    ElementRange m_part;
    bool m_sharded;
    Rank m_ownBlock; ///< which block a worker sums, from its own on
    std::uint32_t m_stepsPerTurn;
    std::uint64_t m_turnElements{0};
    std::uint64_t m_turns{1};
};

/**
 * A channel of a ring through the workers of several nodes: one node after the other, each from the worker with the channel's
 * next number round to that with its own. So channels enter and leave nodes by NICs of their own.
 */
class RotatedRing : public StepPlan
{
  public:
    RotatedRing(std::unique_ptr<StepPlan> ring, Rank nodeSize, Rank channel)
        : StepPlan(ring->WorkerCount(), 0, ring->Elements(), ring->Means()),
          m_ring(std::move(ring)),
          m_nodeSize(nodeSize),
          m_first((channel + 1) % nodeSize)
    {
    }

    std::uint32_t StepCount(Rank rank) const override
    {
        return m_ring->StepCount(rank);
    }

    Step At(Rank rank, std::uint32_t step) const override
    {
        const auto place = Moved(rank, m_nodeSize - m_first);
        auto one =
            WithPeers(m_ring->At(place, step), [this](Rank peer) { return Moved(peer, m_first); });
        for (auto* transfers : {&one.sends, &one.receives})
        {
            for (auto& transfer : *transfers)
            {
                transfer.crossesGroups = transfer.peer / m_nodeSize != rank / m_nodeSize;
            }
        }
        return one;
    }

  private:
    /** So many further within its node. */
    Rank Moved(Rank rank, Rank by) const
    {
        return rank / m_nodeSize * m_nodeSize + (rank + by) % m_nodeSize;
    }

    std::unique_ptr<StepPlan> m_ring;
    Rank m_nodeSize;
    Rank m_first; ///< of each node: where the ring enters it
};

/** Whether it goes through all workers of several nodes. */
bool
IsThroughNodes(const ExchangeSpec& spec)
{
    return spec.nodeSize > 1 && spec.Nodes() > 1;
}

std::unique_ptr<StepPlan>
MakeRing(const ExchangeSpec& spec, std::uint64_t elements)
{
    // equal blocks stay equal in every channel
    const auto unit = elements % spec.workers == 0 ? spec.workers : 1;
    const auto count =
        std::max<std::uint64_t>(1, std::min<std::uint64_t>(spec.ringChannels, elements / unit));
    std::vector<std::unique_ptr<StepPlan>> channels;
    for (std::uint64_t channel = 0; channel < count; ++channel)
    {
        const auto units = BlockOf(elements / unit, count, channel);
        const ElementRange part{unit * units.begin, unit * units.count};
        channels.push_back(std::make_unique<Ring>(spec, part, elements));
        if (IsThroughNodes(spec))
        {
            channels.back() = std::make_unique<RotatedRing>(
                std::move(channels.back()), spec.nodeSize, static_cast<Rank>(channel));
        }
    }
    return count == 1 ? std::move(channels.front())
                      : std::make_unique<ChannelPlan>(std::move(channels));
}

/** Where hosts alternate, neighbours differ in what they do first. */
ShiftSymmetry
RingSymmetry(const ExchangeSpec& spec, bool alternates)
{
    if (IsThroughNodes(spec))
    {
        return alternates ? ShiftSymmetry{} : ShiftSymmetry{spec.nodeSize, false};
    }
    return {!alternates ? 1U : spec.workers % 2 == 0 ? 2U : 0U, true};
}

} // namespace

ExchangeEntry
RingExchange()
{
    ExchangeEntry ring{"ring",
                       "workers add blocks of gradients round a ring, then pass the sums round it",
                       MakeRing,
                       RingComplaints};
    ring.shards = true;
    ring.blocks = [](const ExchangeSpec& spec) { return std::uint64_t{spec.workers}; };
    ring.symmetry = RingSymmetry;
    return ring;
}

} // namespace inca
