/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_SKETCH_H
#define INCA_CODEC_SKETCH_H

#include "inca/base/integer-scale.h"
#include "inca/base/word.h"
#include "inca/codec/little-endian.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace inca
{

/** Values of a row, and counters of a counter row: columns, each a sketch of its own. */
constexpr std::size_t g_sketchLanes = 1024;

/**
 * Lanes that are worked on at once. One row's values, like one row's counters, are 4 KiB from the
 * next row's; a tile's counters of all rows lie together, 256 R bytes.
 */
constexpr std::size_t g_tileLanes = 64;

/** Counters that each value is added to. */
constexpr unsigned g_sketchHashes = 3;

/** The bit of a place that says that the value is subtracted, not added; below it, the counter row. */
constexpr std::uint32_t g_negativePlace = 0x80000000;

/** A row's counters for j = 0, 1, 2; two or all three may be the same one. */
using SketchPlaces = std::array<std::uint32_t, g_sketchHashes>;

inline std::uint32_t
CounterRowOf(std::uint32_t place)
{
    return place & ~g_negativePlace;
}

/**
 * Which counter rows each row of a bucket is added to, the same for all lanes and all workers
 * (arXiv 2402.07529, released code): with h_j = MurmurHash3 of the row number with seed j, the
 * counter row is h_j mod R, and the sign is -1 where h_j's top bit is set. Takes 12 bytes per row.
 */
class SketchLayout
{
  public:
    /**
     * @param counterRows R: 1 to 2^31 - 1, or 0 if there are no rows
     * @throws InputError at any other R
     */
    SketchLayout(std::uint32_t rows, std::uint32_t counterRows);

    std::uint32_t Rows() const
    {
        return static_cast<std::uint32_t>(m_places.size());
    }

    std::uint32_t CounterRows() const
    {
        return m_counterRows;
    }

    const SketchPlaces& PlacesOf(std::uint32_t row) const
    {
        return m_places[row];
    }

  private:
    std::uint32_t m_counterRows;
    std::vector<SketchPlaces> m_places;
};

/** MurmurHash3 (x86, 32 bits) of the four little-endian bytes of @p key. */
std::uint32_t MurmurHash3(std::uint32_t key, std::uint32_t seed);

/** What sketches of fp32 counters and of int32 counters do differently. */
template <typename Counter>
struct SketchArithmetic;

/** Counters are fp32 sums. */
template <>
struct SketchArithmetic<float>
{
    using Value = float;

    static float Load(const std::uint8_t* bytes)
    {
        return FloatOf(LoadLittle<std::uint32_t>(bytes));
    }

    static void Store(float counter, std::uint8_t* bytes)
    {
        StoreLittle(BitsOf(counter), bytes);
    }

    /** @p value with the sign of @p place. */
    static float Signed(float value, std::uint32_t place)
    {
        return FloatOf(BitsOf(value) ^ (place & g_negativePlace));
    }

    /** A decoded value; adding +0 turns the -0 of a sum that canceled into the +0 that it is. */
    static float ValueOf(float sum)
    {
        return sum + 0.0F;
    }
};

/** Counters are int32 sums modulo 2^32, kept without a sign because those may wrap. */
template <>
struct SketchArithmetic<std::uint32_t>
{
    using Value = std::int32_t;

    static std::uint32_t Load(const std::uint8_t* bytes)
    {
        return LoadLittle<std::uint32_t>(bytes);
    }

    static void Store(std::uint32_t counter, std::uint8_t* bytes)
    {
        StoreLittle(counter, bytes);
    }

    static std::uint32_t Signed(std::uint32_t value, std::uint32_t place)
    {
        const auto mask = 0U - (place >> 31U);
        return (value ^ mask) - mask;
    }

    static std::int32_t ValueOf(std::uint32_t sum)
    {
        return static_cast<std::int32_t>(sum);
    }
};

/** Lanes that are worked on at once come in multiples of this: one cache line of counters. */
constexpr std::size_t g_laneBlock = 16;

/**
 * Writes the R x 1024 little-endian counters of a bucket's whole rows, in row order: each the sum,
 * from +0, of its values in the order of their rows and then j = 0, 1, 2. The order is part of
 * the format, as it decides the rounding.
 * @param values layout.Rows() x 1024
 * @param scale by which values are rounded to int32, added modulo 2^32; null: counters are fp32
 * @param counters room for R x 1024 x 4 bytes
 * @throws Interrupted
 */
void BuildSketch(const SketchLayout& layout,
                 const float* values,
                 const IntegerScale* scale,
                 std::uint8_t* counters);

} // namespace inca

#endif // INCA_CODEC_SKETCH_H
