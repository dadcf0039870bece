/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/double-tree.h"

#include "base/errors.h"
#include "exchange/channel-plan.h"
#include "exchange/workers-plan.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

Rank
LowestBit(Rank place)
{
    return place & (~place + 1);
}

Rank
ParentOf(Rank place, Rank places)
{
    if (place == 0)
    {
        return 0;
    }
    const auto bit = LowestBit(place);
    const bool isSecond = (place & (2 * bit)) != 0 || place + bit >= places;
    return isSecond ? place - bit : place + bit;
}

Rank
DepthOf(Rank place, Rank places)
{
    Rank depth = 0;
    for (; place != 0; place = ParentOf(place, places))
    {
        ++depth;
    }
    return depth;
}

/** A worker's place in a tree, and who stands at a place: the mapping is its own inverse but for a shift. */
class TreeOrder
{
  public:
    TreeOrder(Rank workers, bool isSecond)
        : m_workers(workers),
          m_isSecond(isSecond)
    {
    }

    Rank PlaceOf(Rank worker) const
    {
        return !m_isSecond          ? worker
               : m_workers % 2 == 0 ? m_workers - 1 - worker
                                    : (worker + m_workers - 1) % m_workers;
    }

    Rank WorkerAt(Rank place) const
    {
        return !m_isSecond          ? place
               : m_workers % 2 == 0 ? m_workers - 1 - place
                                    : (place + 1) % m_workers;
    }

  private:
    Rank m_workers;
    bool m_isSecond;
};

class PipelinedTree : public WorkersPlan
{
  public:
    PipelinedTree(TreeOrder order, const ExchangeSpec& spec, std::uint64_t elements)
        : WorkersPlan(spec.workers, elements),
          m_order(order),
          m_chunkElements(std::max<std::uint64_t>(spec.treeChunkElements, 1)),
          m_chunks(CountChunks(elements, m_chunkElements, spec.bytesPerElement))
    {
        for (Rank place = 1; place < spec.workers; ++place)
        {
            m_depth = std::max(m_depth, DepthOf(place, spec.workers));
        }
    }

    std::uint32_t StepCount(Rank /*rank*/) const override
    {
        return static_cast<std::uint32_t>(m_chunks) + 2 * m_depth - 1;
    }

    Step At(Rank rank, std::uint32_t step) const override
    {
        const auto place = TreePlaceOf(m_order.PlaceOf(rank), WorkerCount());
        Step slot;
        slot.receiveFirst = place.depth % 2 == 1; // parents and children take turns
        slot.ownsResult = place.depth == 0;
        if (place.depth > 0)
        {
            Send(place.parent, step, m_depth - place.depth, slot);
        }
        for (std::uint32_t i = 0; i < place.childCount; ++i)
        {
            Send(place.children[i], step, m_depth + place.depth, slot);
            Receive(place.children[i], step, m_depth - place.depth - 1, Combine::ADD, slot);
        }
        if (place.depth > 0)
        {
            Receive(place.parent, step, m_depth + place.depth - 1, Combine::STORE, slot);
        }
        return slot;
    }

  private:
    static std::uint64_t CountChunks(std::uint64_t elements,
                                     std::uint64_t chunkElements,
                                     std::uint64_t bytesPerElement)
    {
        const auto chunks = elements / chunkElements + (elements % chunkElements > 0 ? 1 : 0);
        if (chunks > MOST_STEPS)
        {
            throw InputError("tree.chunk_bytes: a tree of " + std::to_string(elements) +
                             " values in chunks of " + std::to_string(chunkElements) +
                             " takes too many steps; use at least " +
                             std::to_string(bytesPerElement * (elements / MOST_STEPS + 1)) + "B");
        }
        return std::max<std::uint64_t>(chunks, 1);
    }

    /** The chunk that is under way on a link whose first one is in step @p first. @{ */
    bool IsBusy(std::uint32_t step, Rank first) const
    {
        return step >= first && step - first < m_chunks;
    }

    ElementRange Chunk(std::uint32_t step, Rank first) const
    {
        return Clip({(step - first) * m_chunkElements, m_chunkElements}, {0, Elements()});
    }

    /** @} */

    void Send(Rank place, std::uint32_t step, Rank first, Step& slot) const
    {
        if (IsBusy(step, first))
        {
            slot.sends.push_back({m_order.WorkerAt(place),
                                  Chunk(step, first),
                                  PayloadKind::GRADIENT,
                                  Combine::STORE});
        }
    }

    void Receive(Rank place, std::uint32_t step, Rank first, Combine combine, Step& slot) const
    {
        if (IsBusy(step, first))
        {
            slot.receives.push_back(
                {m_order.WorkerAt(place), Chunk(step, first), PayloadKind::GRADIENT, combine});
        }
    }

    TreeOrder m_order;
    std::uint64_t m_chunkElements;
    std::uint64_t m_chunks;
    Rank m_depth{0}; ///< of the place that is farthest from the root
};

} // namespace

TreePlace
TreePlaceOf(Rank place, Rank places)
{
    TreePlace found;
    found.parent = ParentOf(place, places);
    found.depth = DepthOf(place, places);
    auto half = place == 0 ? Rank{1} : LowestBit(place) / 2;
    if (place == 0)
    {
        while (2 * half < places)
        {
            half *= 2;
        }
    }
    else if (half > 0)
    {
        found.children[found.childCount++] = place - half;
    }
    while (half > 0 && place + half >= places)
    {
        half /= 2;
    }
    if (half > 0)
    {
        found.children[found.childCount++] = place + half;
    }
    return found;
}

std::unique_ptr<StepPlan>
MakeDoubleTree(const ExchangeSpec& spec, std::uint64_t elements)
{
    constexpr std::uint64_t trees{2};
    std::vector<std::unique_ptr<StepPlan>> channels;
    for (std::uint64_t tree = 0; tree < trees; ++tree)
    {
        const auto part = BlockOf(elements, trees, tree);
        channels.push_back(std::make_unique<PartialPlan>(
            std::make_unique<PipelinedTree>(TreeOrder(spec.workers, tree == 1), spec, part.count),
            part,
            elements));
    }
    return std::make_unique<ChannelPlan>(std::move(channels));
}

} // namespace inca
