/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_PEELING_LANE_H
#define INCA_CODEC_PEELING_LANE_H

#include "codec/sketch-arithmetic.h"
#include "codec/sketch-layout.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inca
{

/** How the decoding of one lane went. */
struct LaneReport
{
    std::uint32_t peeled{0};
    std::uint32_t estimated{0};
    std::uint32_t rounds{0}; ///< with the last one, which finds nothing
};

/** Peels one lane after the other, as peeling-decoder.h says; keeps its memory in between. */
template <typename Counter>
class PeelingLane
{
  public:
    using Arithmetic = SketchArithmetic<Counter>;
    using Value = typename Arithmetic::Value;

    /** @p layout must outlive it */
    explicit PeelingLane(const SketchLayout& layout)
        : m_layout(layout),
          m_cells(layout.CounterRows())
    {
    }

    /**
     * @param rows those with a mark, ascending
     * @param counters R
     * @param values the lane's first; the next row's is 1024 further
     */
    LaneReport Decode(const std::vector<std::uint32_t>& rows,
                      const Counter* counters,
                      Value* values);

  private:
    struct Cell
    {
        Counter sum;
        std::uint32_t
            count; ///< counters of values that are left; a value may have up to three here
    };

    struct Marked
    {
        std::uint32_t row;
        SketchPlaces places;
    };

    struct Peelable
    {
        Marked marked;
        std::uint32_t place; ///< where it is alone
    };

    void Begin(const std::vector<std::uint32_t>& rows, const Counter* counters);
    bool FindPeelable();
    void PeelFound(Value* values);
    void EstimateLeft(Value* values) const;
    const std::uint32_t* AlonePlace(const SketchPlaces& places) const;

    /** What the counter at @p place says of a value that has it. */
    Counter ReadOff(std::uint32_t place) const
    {
        return Arithmetic::Signed(m_cells[CounterRowOf(place)].sum, place);
    }

    static Value& At(Value* values, std::uint32_t row)
    {
        return values[std::size_t{row} * g_sketchLanes];
    }

    const SketchLayout& m_layout;
    std::vector<Cell> m_cells;
    std::vector<Marked> m_left;
    std::vector<Peelable> m_peelable;
};

template <typename Counter>
LaneReport
PeelingLane<Counter>::Decode(const std::vector<std::uint32_t>& rows,
                             const Counter* counters,
                             Value* values)
{
    LaneReport report;
    Begin(rows, counters);
    for (report.rounds = 1; FindPeelable(); ++report.rounds)
    {
        PeelFound(values);
    }
    EstimateLeft(values);
    report.estimated = static_cast<std::uint32_t>(m_left.size());
    report.peeled = static_cast<std::uint32_t>(rows.size()) - report.estimated;
    return report;
}

template <typename Counter>
void
PeelingLane<Counter>::Begin(const std::vector<std::uint32_t>& rows, const Counter* counters)
{
    for (std::size_t i = 0; i < m_cells.size(); ++i)
    {
        m_cells[i] = {counters[i], 0};
    }
    m_left.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        m_left[i] = {rows[i], m_layout.PlacesOf(rows[i])};
        for (const auto place : m_left[i].places)
        {
            ++m_cells[CounterRowOf(place)].count;
        }
    }
}

/** @return the first of @p places whose counter counts one value, or null */
template <typename Counter>
const std::uint32_t*
PeelingLane<Counter>::AlonePlace(const SketchPlaces& places) const
{
    for (const auto& place : places)
    {
        if (m_cells[CounterRowOf(place)].count == 1)
        {
            return &place;
        }
    }
    return nullptr;
}

/** Splits what is left by the counts of now, both parts in the order of rows. @return whether any can be peeled */
template <typename Counter>
bool
PeelingLane<Counter>::FindPeelable()
{
    m_peelable.clear();
    std::size_t kept = 0;
    for (const auto& marked : m_left)
    {
        if (const auto* place = AlonePlace(marked.places))
        {
            m_peelable.push_back({marked, *place});
        }
        else
        {
            m_left[kept++] = marked;
        }
    }
    m_left.resize(kept);
    return !m_peelable.empty();
}

template <typename Counter>
void
PeelingLane<Counter>::PeelFound(Value* values)
{
    for (const auto& [marked, alone] : m_peelable)
    {
        const auto value = ReadOff(alone);
        At(values, marked.row) = Arithmetic::ValueOf(value);
        for (const auto place : marked.places)
        {
            auto& cell = m_cells[CounterRowOf(place)];
            cell.sum -= Arithmetic::Signed(value, place);
            --cell.count;
        }
    }
}

template <typename Counter>
void
PeelingLane<Counter>::EstimateLeft(Value* values) const
{
    for (const auto& [row, places] : m_left)
    {
        const auto median = MedianOf(Arithmetic::ValueOf(ReadOff(places[0])),
                                     Arithmetic::ValueOf(ReadOff(places[1])),
                                     Arithmetic::ValueOf(ReadOff(places[2])));
        At(values, row) = median;
    }
}

} // namespace inca

#endif // INCA_CODEC_PEELING_LANE_H
