/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_SKETCH_CODING_H
#define INCA_JOB_SKETCH_CODING_H

#include "inca/base/word-sum.h"
#include "inca/codec/homomorphic-shape.h"
#include "inca/exchange/element-range.h"
#include "inca/job/chunk-coding.h"
#include "inca/job/gradient-type.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace inca
{

/** A chunk's lossless homomorphic compression (arXiv 2402.07529). */
struct SketchSpec
{
    HomomorphicSettings settings;
    std::uint32_t workers{2};
    std::vector<ElementRange> coded; ///< of the chunk, counted from its first value, ascending
    std::vector<ElementRange> plain; ///< what else it has: travels as it is
    bool overlaps{false};            ///< the sketch does not wait for the index
    WordSum adder{WordSum::FP32};    ///< of its counters; not OR
    /** Of integers: no |value| is above 2^this; empty: the largest exponent, of the first round. */
    std::optional<std::int16_t> fixedExponent;
    GradientType gradientType; ///< values are taken widened to fp32, and decoded sums rounded to it

    std::int64_t indexPs{0}; ///< to make an index
    std::int64_t sketchPs{0};
    std::int64_t decodePs{0};
};

/**
 * The words of each of the two rounds: the index, of at least one word where an exponent travels with
 * it; then counters, tail and plain values.
 */
struct SketchWords
{
    std::uint64_t index{0};
    std::uint64_t counters{0};
};

/** @throws InputError as ShapeOf does */
SketchWords WordsOf(const SketchSpec& spec);

/** Whether every worker needs the whole index before it can make counters of any part. */
bool ScalesByIndex(const SketchSpec& spec);

/** How the first round's words are added by hosts, and by switches that can or. */
WordSum IndexSum(HomomorphicIndex index);

/**
 * The chunk's coding, in two rounds. Over integers all values of the chunk are rounded at one scale
 * (IntegerScale), whose exponent is the largest over the workers: it travels with the
 * index, so such rounds overlap with a fixed one only. A saturating adder's scale is smaller by the
 * number of values in the fullest counter, as the aggregated index tells.
 * @throws InputError as ShapeOf does
 */
std::shared_ptr<const ChunkCoding> MakeSketchCoding(const SketchSpec& spec);

} // namespace inca

#endif // INCA_JOB_SKETCH_CODING_H
