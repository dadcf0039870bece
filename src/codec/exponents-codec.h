/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_EXPONENTS_CODEC_H
#define INCA_CODEC_EXPONENTS_CODEC_H

#include "codec/codec.h"

#include <memory>

namespace inca
{

/**
 * Lossless: exponents are coded, signs and mantissas travel as they are. For gradients of bf16: those of normal
 * distribution take 11.2 bits, where their entropy is 10.5.
 *
 * A stream begins with a byte: 2 if each value's upper 16 bits say all of it, as of bf16, else 4. Blocks of 4,096 values
 * follow. A block begins with a byte w, 0 to 7, and the biased exponents, a byte each, of its 2^w - 1 commonest ones, the commonest
 * first (of equally common ones the smaller first). Then come w bits for each value, the first in the lowest bits:
 * the place of its exponent among these, or 2^w - 1 for another one; then, a byte each, those others; then of each value
 * 1 or 3 bytes, little-endian: the sign, and the upper 7 or all 23 bits of the mantissa. w is the one that takes
 * the least bytes, the smallest of equals.
 *
 * @param plainBytes 1 or 3: what MeanBits takes for the part that is not coded
 */
std::unique_ptr<Codec> MakeExponentsCodec(unsigned plainBytes);

} // namespace inca

#endif // INCA_CODEC_EXPONENTS_CODEC_H
