/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/ring.h"

#include "base/errors.h"
#include "exchange/channel-plan.h"
#include "exchange/ring-pieces.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

class Ring : public ComposedPlan
{
  public:
    Ring(const ExchangeSpec& spec, std::uint64_t elements)
        : ComposedPlan(spec.workers, 0, elements),
          m_phase(spec.phase),
          m_reduceScatter(MakeRingReduceScatter(
              spec.workers, elements, spec.sharded ? RingSums::UPDATED : RingSums::FINAL)),
          m_allGather(MakeRingAllGather(spec.workers,
                                        elements,
                                        1,
                                        spec.sharded ? PayloadKind::WEIGHT : PayloadKind::GRADIENT))
    {
    }

  private:
    std::vector<Part> Parts(Rank rank) const override
    {
        const Part scatter{m_reduceScatter.get(), {}, rank};
        const Part gather{m_allGather.get(), {}, rank};
        switch (m_phase)
        {
        case SumPhase::REDUCE_SCATTER:
            return {scatter};
        case SumPhase::ALL_GATHER:
            return {gather};
        case SumPhase::ALL_REDUCE:
            break;
        }
        return {scatter, gather};
    }

    SumPhase m_phase;
    std::unique_ptr<Piece> m_reduceScatter;
    std::unique_ptr<Piece> m_allGather;
};

/** Of a channel of @p elements: those that go round at once. */
std::uint64_t
TurnOf(const ExchangeSpec& spec, std::uint64_t elements)
{
    return spec.workers *
           std::min(spec.ringChunkElements, (elements + spec.workers - 1) / spec.workers);
}

std::uint64_t
TurnCount(std::uint64_t elements, std::uint64_t turn)
{
    return turn == 0 ? 1 : (elements + turn - 1) / turn;
}

/** One all-reduce after the other, each of so many elements that a block is a chunk. */
class RingOfChunks : public StepPlan
{
  public:
    RingOfChunks(const ExchangeSpec& spec, std::uint64_t elements)
        : m_turn(TurnOf(spec, elements)),
          m_whole(spec, m_turn),
          m_turns(CheckedTurns(spec, m_whole.StepCount(0), elements, m_turn)),
          m_last(spec, elements - (m_turns - 1) * m_turn),
          m_elements(elements)
    {
    }

    Rank WorkerCount() const override
    {
        return m_whole.WorkerCount();
    }

    Rank RankCount() const override
    {
        return m_whole.RankCount();
    }

    std::uint64_t Elements() const override
    {
        return m_elements;
    }

    std::uint32_t StepCount(Rank rank) const override
    {
        return static_cast<std::uint32_t>(m_turns) * m_whole.StepCount(rank);
    }

    Step At(Rank rank, std::uint32_t step) const override
    {
        const auto steps = m_whole.StepCount(rank);
        const auto turn = step / steps;
        const auto& ring = turn + 1 < m_turns ? m_whole : m_last;
        return MovedBy(ring.At(rank, step % steps), turn * m_turn);
    }

  private:
    static std::uint64_t CheckedTurns(const ExchangeSpec& spec,
                                      std::uint64_t steps,
                                      std::uint64_t elements,
                                      std::uint64_t turn)
    {
        const auto turns = TurnCount(elements, turn);
        if (turns > MOST_STEPS / steps)
        {
            throw InputError("ring.chunk_bytes: " + std::to_string(elements) + " values of " +
                             std::to_string(spec.workers) +
                             " workers in such chunks take too many steps; use at least " +
                             std::to_string(spec.bytesPerElement *
                                            (elements / (MOST_STEPS / steps) / spec.workers + 1)) +
                             "B");
        }
        return turns;
    }

    std::uint64_t m_turn; ///< elements
    Ring m_whole;
    std::uint64_t m_turns;
    Ring m_last;
    std::uint64_t m_elements;
};

std::unique_ptr<StepPlan>
MakeChannel(const ExchangeSpec& spec, std::uint64_t elements)
{
    if (spec.ringChunkElements == 0)
    {
        return std::make_unique<Ring>(spec, elements);
    }
    return std::make_unique<RingOfChunks>(spec, elements);
}

/** What goes round at the same time. */
std::vector<ElementRange>
ChannelsOf(const ExchangeSpec& spec, std::uint64_t elements)
{
    // equal blocks stay equal in every channel
    const auto unit = elements % spec.workers == 0 ? spec.workers : 1;
    const auto channels =
        std::max<std::uint64_t>(1, std::min<std::uint64_t>(spec.ringChannels, elements / unit));
    std::vector<ElementRange> parts;
    for (std::uint64_t channel = 0; channel < channels; ++channel)
    {
        const auto units = BlockOf(elements / unit, channels, channel);
        parts.push_back({unit * units.begin, unit * units.count});
    }
    return parts;
}

} // namespace

std::unique_ptr<StepPlan>
MakeRing(const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto parts = ChannelsOf(spec, elements);
    if (parts.size() == 1)
    {
        return MakeChannel(spec, elements);
    }
    std::vector<std::unique_ptr<StepPlan>> channels;
    for (const auto& part : parts)
    {
        channels.push_back(
            std::make_unique<PartialPlan>(MakeChannel(spec, part.count), part, elements));
    }
    return std::make_unique<ChannelPlan>(std::move(channels));
}

} // namespace inca
