/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_PEELING_DECODER_H
#define INCA_CODEC_PEELING_DECODER_H

#include "inca/codec/sketch.h"

#include <cstdint>

namespace inca
{

/** How the decoding of a bucket went; peeled + estimated = values that its index marks. */
struct PeelingReport
{
    std::uint64_t peeled{0};       ///< values read off a counter of their own
    std::uint64_t estimated{0};    ///< values that got the median of their counters: not lossless
    std::uint64_t decodedLanes{0}; ///< of 1024, those without an estimated value
    std::uint64_t laneRounds{0}; ///< summed over the lanes, each with its last, which finds nothing
    std::uint32_t rounds{0};     ///< the most of any lane: a GPU does one of all lanes at once
};

/**
 * Decodes the whole rows of a bucket from aggregated marks and counters (arXiv 2402.07529, released
 * code). Each of a marked value's three counters counts it, also when they coincide. A round peels
 * every value that had a counter of count 1 when the round began: it is read off the lowest such j
 * and subtracted from its three counters, in the order of rows and then j. When a round peels
 * nothing, each value that is left gets the median of its three counters, with its signs. A lane
 * knows nothing of other lanes. Zeros come out as +0.
 *
 * Over fp32 a peeled value is off by what its counter's additions and subtractions rounded. A NaN
 * or an infinity makes NaNs of the values of its lane that it shares a counter with, and on.
 *
 * @param bits layout.Rows() x 1024 marks, as bitmap-index.h has them
 * @param counters R x 1024 little-endian fp32 counters
 * @param values layout.Rows() x 1024
 * @throws Interrupted
 */
PeelingReport Peel(const SketchLayout& layout,
                   const std::uint8_t* bits,
                   const std::uint8_t* counters,
                   float* values);

/**
 * The same over int32 counters modulo 2^32: exact wherever a value's sum fits, whether or not a
 * counter wrapped.
 */
PeelingReport Peel(const SketchLayout& layout,
                   const std::uint8_t* bits,
                   const std::uint8_t* counters,
                   std::int32_t* values);

} // namespace inca

#endif // INCA_CODEC_PEELING_DECODER_H
