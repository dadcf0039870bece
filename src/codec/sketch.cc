/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/sketch.h"

#include "base/errors.h"
#include "base/interrupt.h"

#include <algorithm>
#include <string>

namespace inca
{

namespace
{

constexpr std::uint32_t g_keyBytes = 4;

std::uint32_t
RotateLeft(std::uint32_t x, unsigned bits)
{
    return (x << bits) | (x >> (32 - bits));
}

/** Enough rows for their values to arrive from memory in time. */
constexpr std::uint32_t g_rowsAhead = 16;

/**
 * Asks for a later row's values of a tile: rows are 4 KiB apart, which processors' own prefetching
 * does not follow.
 */
void
Prefetch(const float* values, std::size_t lanes)
{
    for (std::size_t lane = 0; lane < lanes; lane += g_laneBlock)
    {
        __builtin_prefetch(values + lane);
    }
}

/** A loop over a block has a fixed length, so that the compiler turns it into vector instructions. */
template <typename Counter>
void
AddSigned(const Counter* values, std::uint32_t place, Counter* counters)
{
    for (std::size_t lane = 0; lane < g_laneBlock; ++lane)
    {
        counters[lane] += SketchArithmetic<Counter>::Signed(values[lane], place);
    }
}

/**
 * Adds a tile of all rows to @p tile, R x lanes counters.
 * @param values all of a bucket; null for none, to which not even a lane may be added
 * @param read read(values, lanes, counters) makes counters of values
 */
template <typename Counter, typename Read>
void
AddRows(const SketchLayout& layout,
        const float* values,
        std::size_t firstLane,
        std::size_t lanes,
        const Read& read,
        Counter* tile)
{
    std::array<Counter, g_sketchLanes> counters;
    for (std::uint32_t row = 0; row < layout.Rows(); ++row)
    {
        const auto* here = values + row * g_sketchLanes + firstLane;
        const auto& places = layout.PlacesOf(row);
        Prefetch(here + std::min(g_rowsAhead, layout.Rows() - 1 - row) * g_sketchLanes, lanes);
        read(here, lanes, counters.data());
        for (std::size_t lane = 0; lane < lanes; lane += g_laneBlock)
        {
            for (const auto place : places)
            {
                AddSigned(counters.data() + lane, place, tile + CounterRowOf(place) * lanes + lane);
            }
        }
    }
}

/** Writes a tile's counters to their places among all lanes. */
template <typename Counter>
void
StoreTile(const std::vector<Counter>& tile, std::size_t lanes, std::uint8_t* counters)
{
    for (std::size_t at = 0; at < tile.size(); at += lanes, counters += g_sketchLanes * 4)
    {
        for (std::size_t lane = 0; lane < lanes; ++lane)
        {
            SketchArithmetic<Counter>::Store(tile[at + lane], counters + lane * 4);
        }
    }
}

template <typename Counter, typename Read>
void
BuildTiles(const SketchLayout& layout,
           const float* values,
           const Read& read,
           std::uint8_t* counters)
{
    if (layout.CounterRows() == 0)
    {
        return; // nor are there values
    }
    std::vector<Counter> tile(layout.CounterRows() * g_tileLanes);
    for (std::size_t lane = 0; lane < g_sketchLanes; lane += g_tileLanes)
    {
        ThrowIfInterrupted();
        std::fill(tile.begin(), tile.end(), Counter{0});
        AddRows(layout, values, lane, g_tileLanes, read, tile.data());
        StoreTile(tile, g_tileLanes, counters + lane * 4);
    }
}

} // namespace

SketchLayout::SketchLayout(std::uint32_t rows, std::uint32_t counterRows)
    : m_counterRows(counterRows)
{
    if (counterRows >= g_negativePlace || (counterRows == 0 && rows > 0))
    {
        throw InputError("a sketch of " + std::to_string(rows) +
                         " rows takes 1 to 2^31 - 1 counter rows, not " +
                         std::to_string(counterRows));
    }
    m_places.resize(rows);
    for (std::uint32_t row = 0; row < rows; ++row)
    {
        for (unsigned j = 0; j < g_sketchHashes; ++j)
        {
            const auto hash = MurmurHash3(row, j);
            m_places[row][j] = (hash % counterRows) | (hash & g_negativePlace);
        }
    }
}

std::uint32_t
MurmurHash3(std::uint32_t key, std::uint32_t seed)
{
    // All constants are the published hash's; none of them is a choice of ours.
    const auto block = RotateLeft(key * 0xCC9E2D51U, 15) * 0x1B873593U;
    auto hash = RotateLeft(seed ^ block, 13) * 5 + 0xE6546B64U;
    hash ^= g_keyBytes;
    hash = (hash ^ (hash >> 16U)) * 0x85EBCA6BU;
    hash = (hash ^ (hash >> 13U)) * 0xC2B2AE35U;
    return hash ^ (hash >> 16U);
}

void
BuildSketch(const SketchLayout& layout,
            const float* values,
            const IntegerScale* scale,
            std::uint8_t* counters)
{
    if (scale == nullptr)
    {
        const auto read = [](const float* from, std::size_t lanes, float* to) {
            std::copy_n(from, lanes, to);
        };
        BuildTiles<float>(layout, values, read, counters);
        return;
    }
    const auto read = [scale](const float* from, std::size_t lanes, Word* to) {
        scale->Round(from, lanes, to);
    };
    BuildTiles<std::uint32_t>(layout, values, read, counters);
}

} // namespace inca
