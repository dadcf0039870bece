/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/peeling-decoder.h"

#include "base/interrupt.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace inca
{

namespace
{

/** The middle one of three; with a NaN among them, one of the three, always the same one. */
template <typename Value>
Value
MedianOf(Value a, Value b, Value c)
{
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

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

constexpr std::size_t g_wordLanes = 64;
constexpr std::size_t g_rowMarkBytes = g_sketchLanes / 8;

/** Rows with a mark in each lane of a tile, ascending. */
using TileRows = std::vector<std::vector<std::uint32_t>>;

/** The marks of one row's @p lanes lanes from @p lane on, the first in the lowest bit. */
std::uint64_t
MarksOf(const std::uint8_t* rowMarks, std::size_t lane, std::size_t lanes)
{
    const auto word =
        LoadLittle<std::uint64_t>(rowMarks + lane / g_wordLanes * sizeof(std::uint64_t));
    return word >> lane % g_wordLanes & ~std::uint64_t{0} >> (g_wordLanes - lanes);
}

void
FindRows(const std::uint8_t* bits, std::uint32_t rows, std::size_t lane, TileRows& found)
{
    for (auto& lanesRows : found)
    {
        lanesRows.clear();
    }
    for (std::uint32_t row = 0; row < rows; ++row, bits += g_rowMarkBytes)
    {
        for (auto marks = MarksOf(bits, lane, found.size()); marks != 0; marks &= marks - 1)
        {
            found[static_cast<unsigned>(__builtin_ctzll(marks))].push_back(row);
        }
    }
}

/** Turns counters of a tile, 4 KiB apart in their rows, into one run of R per lane. */
template <typename Counter>
void
LoadTile(const std::uint8_t* counters,
         std::uint32_t counterRows,
         std::size_t lanes,
         std::vector<Counter>& tile)
{
    for (std::size_t row = 0; row < counterRows; ++row, counters += g_sketchLanes * 4)
    {
        for (std::size_t lane = 0; lane < lanes; ++lane)
        {
            tile[lane * counterRows + row] = SketchArithmetic<Counter>::Load(counters + lane * 4);
        }
    }
}

void
Report(const LaneReport& lane, PeelingReport& all)
{
    all.peeled += lane.peeled;
    all.estimated += lane.estimated;
    all.decodedLanes += lane.estimated == 0 ? 1 : 0;
    all.laneRounds += lane.rounds;
    all.rounds = std::max(all.rounds, lane.rounds);
}

template <typename Counter, typename Value>
PeelingReport
PeelTiles(const SketchLayout& layout,
          const std::uint8_t* bits,
          const std::uint8_t* counters,
          Value* values)
{
    ThrowIfInterrupted();
    PeelingReport report;
    if (layout.Rows() == 0) // a bucket of a tail alone: no counters, and maybe no memory for them
    {
        report.decodedLanes = g_sketchLanes; // whatever was in them
        return report;
    }
    TileRows rows(g_tileLanes);
    std::vector<Counter> tile(g_tileLanes * layout.CounterRows());
    PeelingLane<Counter> lane(layout);
    std::fill_n(values, layout.Rows() * g_sketchLanes, Value{0});
    for (std::size_t first = 0; first < g_sketchLanes; first += g_tileLanes)
    {
        ThrowIfInterrupted();
        FindRows(bits, layout.Rows(), first, rows);
        LoadTile(counters + first * 4, layout.CounterRows(), g_tileLanes, tile);
        for (std::size_t i = 0; i < g_tileLanes; ++i)
        {
            const auto* lanesCounters = tile.data() + i * layout.CounterRows();
            Report(lane.Decode(rows[i], lanesCounters, values + first + i), report);
        }
    }
    return report;
}

} // namespace

PeelingReport
Peel(const SketchLayout& layout,
     const std::uint8_t* bits,
     const std::uint8_t* counters,
     float* values)
{
    return PeelTiles<float>(layout, bits, counters, values);
}

PeelingReport
Peel(const SketchLayout& layout,
     const std::uint8_t* bits,
     const std::uint8_t* counters,
     std::int32_t* values)
{
    return PeelTiles<std::uint32_t>(layout, bits, counters, values);
}

} // namespace inca
