/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_SKETCH_BUILDER_H
#define INCA_CODEC_SKETCH_BUILDER_H

#include "base/integer-scale.h"
#include "codec/sketch-layout.h"

#include <cstddef>
#include <cstdint>

namespace inca
{

/** Lanes that are worked on at once come in multiples of this: one cache line of counters. */
constexpr std::size_t g_laneBlock = 16;

/**
 * Writes the R x 1024 little-endian counters of a bucket's whole rows, in row order: each the sum,
 * from +0, of its values in the order of their rows and then j = 0, 1, 2. The order is part of
 * the format, as it decides the rounding; the size of a tile is not, and changes no bit.
 * @param values layout.Rows() x 1024
 * @param counters room for R x 1024 x 4 bytes
 * @param tileLanes a multiple of 16 that divides 1024
 * @throws Interrupted
 */
void BuildSketch(const SketchLayout& layout,
                 const float* values,
                 std::uint8_t* counters,
                 std::size_t tileLanes = g_tileLanes);

/** The same over int32, modulo 2^32; values are rounded at @p scale first. */
void BuildSketch(const SketchLayout& layout,
                 const float* values,
                 const IntegerScale& scale,
                 std::uint8_t* counters,
                 std::size_t tileLanes = g_tileLanes);

} // namespace inca

#endif // INCA_CODEC_SKETCH_BUILDER_H
