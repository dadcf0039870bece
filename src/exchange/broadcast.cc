/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/broadcast.h"

#include "base/errors.h"
#include "base/nearest.h"

#include <algorithm>

namespace inca
{

namespace
{

constexpr std::uint64_t g_mostSegments = 1'000'000'000;

Step
SendTo(Rank peer, ElementRange range)
{
    Step step;
    step.sends = {{peer, range, PayloadKind::WEIGHT}};
    return step;
}

Step
ReceiveFrom(Rank peer, ElementRange range)
{
    Step step;
    step.receives = {{peer, range, PayloadKind::WEIGHT}};
    return step;
}

class FlatBroadcast : public Piece
{
  public:
    FlatBroadcast(Rank members, std::uint64_t elements)
        : m_members(members),
          m_all{0, elements}
    {
    }

    std::uint32_t StepCount(Rank position) const override
    {
        return position == 0 ? m_members - 1 : 1;
    }

    Step At(Rank position, std::uint32_t step) const override
    {
        return position == 0 ? SendTo(step + 1, m_all) : ReceiveFrom(0, m_all);
    }

  private:
    Rank m_members;
    ElementRange m_all;
};

class BinomialBroadcast : public Piece
{
  public:
    BinomialBroadcast(Rank members, std::uint64_t elements)
        : m_members(members),
          m_all{0, elements}
    {
    }

    std::uint32_t StepCount(Rank position) const override
    {
        std::uint32_t count = position == 0 ? 0 : 1;
        for (auto distance = FarthestChild(position); distance > 0; distance /= 2)
        {
            ++count;
        }
        return count;
    }

    Step At(Rank position, std::uint32_t step) const override
    {
        if (position > 0 && step == 0)
        {
            return ReceiveFrom(position - LowestBit(position), m_all);
        }
        const auto child = position == 0 ? step : step - 1;
        return SendTo(position + (FarthestChild(position) >> child), m_all);
    }

  private:
    static Rank LowestBit(Rank position)
    {
        return position & (~position + 1);
    }

    /** The largest power of two below the lowest bit that leads to a member, or 0. */
    Rank FarthestChild(Rank position) const
    {
        const auto below = m_members - position; // a child's distance is smaller
        const auto limit = position == 0 ? below : std::min(below, LowestBit(position));
        Rank distance = 0;
        for (Rank next = 1; next < limit; next *= 2)
        {
            distance = next;
        }
        return distance;
    }

    Rank m_members;
    ElementRange m_all;
};

class ChainBroadcast : public Piece
{
  public:
    ChainBroadcast(Rank members, std::uint64_t elements, std::uint64_t segmentElements)
        : m_members(members),
          m_elements(elements),
          m_segmentElements(std::max<std::uint64_t>(segmentElements, 1)),
          m_segments(CountSegments(elements, m_segmentElements))
    {
    }

    std::uint32_t StepCount(Rank position) const override
    {
        return IsMiddle(position) ? m_segments + 1 : m_segments;
    }

    Step At(Rank position, std::uint32_t step) const override
    {
        if (position == 0)
        {
            return SendTo(1, Segment(step));
        }
        Step both;
        if (step < m_segments)
        {
            both = ReceiveFrom(position - 1, Segment(step));
        }
        if (IsMiddle(position) && step > 0)
        {
            both.sends = SendTo(position + 1, Segment(step - 1)).sends;
        }
        return both;
    }

  private:
    static std::uint32_t CountSegments(std::uint64_t elements, std::uint64_t segmentElements)
    {
        const auto segments = elements / segmentElements + (elements % segmentElements > 0 ? 1 : 0);
        if (segments > g_mostSegments)
        {
            throw InputError("a chain broadcast of " + std::to_string(elements) +
                             " values in segments of " + std::to_string(segmentElements) +
                             " has too many segments; use at least " +
                             std::to_string(elements / g_mostSegments + 1) + " values each");
        }
        return std::max<std::uint32_t>(static_cast<std::uint32_t>(segments), 1);
    }

    bool IsMiddle(Rank position) const
    {
        return position > 0 && position + 1 < m_members;
    }

    ElementRange Segment(std::uint64_t index) const
    {
        return Clip({index * m_segmentElements, m_segmentElements}, {0, m_elements});
    }

    Rank m_members;
    std::uint64_t m_elements;
    std::uint64_t m_segmentElements;
    std::uint32_t m_segments;
};

} // namespace

std::vector<std::string>
BroadcastNames()
{
    return {"flat", "binomial", "chain"};
}

std::unique_ptr<Piece>
MakeBroadcast(const BroadcastSpec& spec, Rank members, std::uint64_t elements)
{
    if (spec.name == "flat")
    {
        return std::make_unique<FlatBroadcast>(members, elements);
    }
    if (spec.name == "binomial")
    {
        return std::make_unique<BinomialBroadcast>(members, elements);
    }
    if (spec.name == "chain")
    {
        return std::make_unique<ChainBroadcast>(members, elements, spec.segmentElements);
    }
    throw InputError("exchange.broadcast: " + UnknownName(spec.name, BroadcastNames()));
}

} // namespace inca
