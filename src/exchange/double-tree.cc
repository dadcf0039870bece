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

/** A place of a tree, as TreeExchange says. */
struct TreePlace
{
    Rank parent{0}; ///< of the root: itself
    Rank depth{0};  ///< of the root: 0
    Rank children[2]{};
    std::uint32_t childCount{0};
};

/** @param place < @p places */
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

class PipelinedTree : public StepPlan
{
  public:
    /** @param part of @p elements that this tree sums */
    PipelinedTree(TreeOrder order,
                  const ExchangeSpec& spec,
                  ElementRange part,
                  std::uint64_t elements)
        : StepPlan(spec.workers, 0, elements),
          m_order(order),
          m_part(part),
          m_chunkElements(std::max<std::uint64_t>(spec.treeChunkElements, 1)),
          m_chunks(CountChunks(part.count, m_chunkElements, spec.bytesPerElement)),
          m_depth(CeilLog2(spec.workers))
    {
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
            Move(place.parent, step, m_depth - place.depth, Combine::STORE, slot.sends);
        }
        for (std::uint32_t i = 0; i < place.childCount; ++i)
        {
            Move(place.children[i], step, m_depth + place.depth, Combine::STORE, slot.sends);
            Move(place.children[i], step, m_depth - place.depth - 1, Combine::ADD, slot.receives);
        }
        if (place.depth > 0)
        {
            Move(place.parent, step, m_depth + place.depth - 1, Combine::STORE, slot.receives);
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

    /** Adds to @p transfers the chunk that is under way in @p step on a link whose first one is in step @p first. */
    void Move(Rank place,
              std::uint32_t step,
              Rank first,
              Combine combine,
              std::vector<Transfer>& transfers) const
    {
        if (step >= first && step - first < m_chunks)
        {
            const auto begin = m_part.begin + (step - first) * m_chunkElements;
            transfers.push_back({m_order.WorkerAt(place),
                                 Clip({begin, m_chunkElements}, m_part),
                                 PayloadKind::GRADIENT,
                                 combine});
        }
    }

    TreeOrder m_order;
    ElementRange m_part;
    std::uint64_t m_chunkElements;
    std::uint64_t m_chunks;
    Rank m_depth; ///< of the place that is farthest from the root
};

std::unique_ptr<StepPlan>
MakeDoubleTree(const ExchangeSpec& spec, std::uint64_t elements)
{
    std::vector<std::unique_ptr<StepPlan>> trees;
    for (const bool isSecond : {false, true})
    {
        trees.push_back(std::make_unique<PipelinedTree>(TreeOrder(spec.workers, isSecond),
                                                        spec,
                                                        BlockOf(elements, 2, isSecond ? 1 : 0),
                                                        elements));
    }
    return std::make_unique<ChannelPlan>(std::move(trees));
}

std::vector<std::string>
TreeComplaints(const ExchangeSpec& spec)
{
    auto texts = WorkerComplaints(spec);
    if (spec.treeChunkElements == 0)
    {
        texts.push_back("tree.chunk_bytes: a chunk must hold at least one value");
    }
    return texts;
}

} // namespace

ExchangeEntry
TreeExchange()
{
    ExchangeEntry tree{
        "tree",
        "gradients are added up two trees of all workers, half of them each, and come down again",
        MakeDoubleTree,
        TreeComplaints};
    return tree;
}

} // namespace inca
