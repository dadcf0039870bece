/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/homomorphic-shape.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "codec/bitmap-index.h"
#include "codec/sketch.h"

#include <cmath>
#include <limits>
#include <string>

namespace inca
{

namespace
{

constexpr double g_smallestRatio = 0.5;
constexpr std::uint64_t g_mostValues = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t g_counterBytes = 4;

/** Of the index of one row. */
std::uint64_t
RowIndexBytes(const HomomorphicSettings& settings)
{
    switch (settings.index)
    {
    case HomomorphicIndex::BITS_1:
        return g_sketchLanes / 8;
    case HomomorphicIndex::BITS_4:
        return g_sketchLanes / 2;
    case HomomorphicIndex::BLOOM:
        return BloomRowBytes(settings.bloom);
    }
    throw InvariantError("homomorphic: an index of no known kind");
}

} // namespace

std::vector<std::string>
HomomorphicIndexNames()
{
    return {"bits-1", "bits-4", "bloom"};
}

std::string
HomomorphicIndexName(HomomorphicIndex index)
{
    return HomomorphicIndexNames().at(static_cast<std::size_t>(index));
}

HomomorphicIndex
FindHomomorphicIndex(std::string_view name)
{
    for (const auto index :
         {HomomorphicIndex::BITS_1, HomomorphicIndex::BITS_4, HomomorphicIndex::BLOOM})
    {
        if (name == HomomorphicIndexName(index))
        {
            return index;
        }
    }
    throw InputError("index: " + UnknownName(name, HomomorphicIndexNames()));
}

std::uint64_t
HomomorphicShape::RowValues() const
{
    return std::uint64_t{rows} * g_sketchLanes;
}

std::uint64_t
HomomorphicShape::SketchBytes() const
{
    return counterRows * g_sketchLanes * g_counterBytes;
}

std::uint64_t
HomomorphicShape::TailBytes() const
{
    return tail * g_counterBytes;
}

std::uint64_t
HomomorphicShape::Bytes() const
{
    return indexBytes + SketchBytes() + TailBytes();
}

HomomorphicShape
ShapeOf(const HomomorphicSettings& settings, std::uint64_t count)
{
    if (!(settings.ratio >= g_smallestRatio) || std::isinf(settings.ratio))
    {
        throw InputError("homomorphic: ratio must be a number from 0.5 on, got " +
                         std::to_string(settings.ratio));
    }
    if (count > g_mostValues)
    {
        throw InputError("homomorphic: a bucket has fewer than 2^32 values, got " +
                         std::to_string(count));
    }
    HomomorphicShape shape;
    shape.rows = static_cast<std::uint32_t>(count / g_sketchLanes);
    shape.tail = static_cast<std::uint32_t>(count % g_sketchLanes);
    shape.counterRows = static_cast<std::uint32_t>(std::ceil(shape.rows / settings.ratio));
    shape.indexBytes = shape.rows * RowIndexBytes(settings);
    return shape;
}

void
CheckWorkers(HomomorphicIndex index, std::uint32_t workers)
{
    if (workers < 1)
    {
        throw InputError("homomorphic: there must be at least 1 worker");
    }
    if (index == HomomorphicIndex::BITS_4 && workers > g_mostNibbleWorkers)
    {
        throw InputError("homomorphic: an index of 4 bits adds up at most " +
                         std::to_string(g_mostNibbleWorkers) + " workers, not " +
                         std::to_string(workers) +
                         "; with more, an aggregator must be able to or (1 bit)");
    }
}

} // namespace inca
