/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_SKETCH_LAYOUT_H
#define INCA_CODEC_SKETCH_LAYOUT_H

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

} // namespace inca

#endif // INCA_CODEC_SKETCH_LAYOUT_H
