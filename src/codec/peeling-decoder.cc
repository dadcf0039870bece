/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/peeling-decoder.h"

#include "base/interrupt.h"
#include "codec/peeling-lane.h"

#include <algorithm>
#include <vector>

namespace inca
{

namespace
{

constexpr std::size_t g_wordLanes = 64;
constexpr std::size_t g_wordBytes = g_wordLanes / 8;
constexpr std::size_t g_rowMarkBytes = g_sketchLanes / 8;

/** Rows with a mark in each lane of a tile, ascending. */
using TileRows = std::vector<std::vector<std::uint32_t>>;

/** The marks of one row's @p lanes lanes from @p lane on, the first in the lowest bit. */
std::uint64_t
MarksOf(const std::uint8_t* rowMarks, std::size_t lane, std::size_t lanes)
{
    const auto word = LoadLittle<std::uint64_t>(rowMarks + lane / g_wordLanes * g_wordBytes);
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
          Value* values,
          std::size_t tileLanes)
{
    ThrowIfInterrupted();
    PeelingReport report;
    if (layout.Rows() == 0) // a bucket of a tail alone: no counters, and maybe no memory for them
    {
        report.decodedLanes = g_sketchLanes; // whatever was in them
        return report;
    }
    TileRows rows(tileLanes);
    std::vector<Counter> tile(tileLanes * layout.CounterRows());
    PeelingLane<Counter> lane(layout);
    std::fill_n(values, layout.Rows() * g_sketchLanes, Value{0});
    for (std::size_t first = 0; first < g_sketchLanes; first += tileLanes)
    {
        ThrowIfInterrupted();
        FindRows(bits, layout.Rows(), first, rows);
        LoadTile(counters + first * 4, layout.CounterRows(), tileLanes, tile);
        for (std::size_t i = 0; i < tileLanes; ++i)
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
     float* values,
     std::size_t tileLanes)
{
    return PeelTiles<float>(layout, bits, counters, values, tileLanes);
}

PeelingReport
Peel(const SketchLayout& layout,
     const std::uint8_t* bits,
     const std::uint8_t* counters,
     std::int32_t* values,
     std::size_t tileLanes)
{
    return PeelTiles<std::uint32_t>(layout, bits, counters, values, tileLanes);
}

} // namespace inca
