/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_INCEPTIONN_CODEC_H
#define INCA_CODEC_INCEPTIONN_CODEC_H

#include "inca/codec/codec.h"

#include <memory>

namespace inca
{

/**
 * INCEPTIONN's lossy codec (MICRO 2018, Algorithms 2 and 3), to the bit. A value's biased exponent
 * e alone decides what travels, with n = 127 - e and the fraction f = |value| below 1:
 *
 *   e >= 127                        the raw 4 bytes: 1 and more, infinities, NaNs; tag 3
 *   e >= 127 - B + ceil(B / 2)      sign and the 15 bits of f down to 2^-15; 2 bytes, tag 2
 *   e >= 127 - B                    sign and the 7 bits of f down to 2^-7; 1 byte, tag 1
 *   else                            nothing: comes back as +0; denormals and -0.0 too; tag 0
 *
 * Bits are cut off, never rounded, so no magnitude grows. Decoding needs no bound.
 *
 * Stream: for every 8 values a little-endian 16-bit tag word, value i's tag in bits 2i+1..2i and 0
 * for those that a short last group lacks; then each value's bytes, little-endian, the sign in the
 * top bit. An empty input is an empty stream. Streams of parts of a multiple of 8 values, joined,
 * are the stream of the whole. Decoding refuses missing and left-over bytes and a tag on a value
 * that is not there; data that no encoder writes is read as Algorithm 3 says.
 *
 * What the paper leaves open, as decided here:
 * - All-zero data decodes to a zero with the given sign. Then decoding after encoding is idempotent
 *   in value: a block that is forwarded loses nothing more after its first hop. It is so in bits
 *   too but for a zero's sign: -2^-9 at 2^-10 comes back as -0.0, and that as +0.0.
 * - The absolute bound is kept, |value - decoded| < 2^-B, for B up to 7 only. From B = 8 on the
 *   one-byte class, whose last bit weighs 2^-7, has values that differ by up to (not including)
 *   2^-7; those below 2^-7 come back as zero: [2^-10, 2^-7) at 2^-10, [2^-8, 2^-7) at 2^-8. At 2^-6
 *   it is kept. The two-byte class differs by less than 2^-15, at any B.
 *
 * MeanBits needs published width shares at this bound or an exponent histogram.
 *
 * @param bound the B of 2^-B, 1..15. (At 16 a value could need a bit below 2^-15.)
 * @throws InputError at any other bound
 */
std::unique_ptr<Codec> MakeInceptionnCodec(unsigned bound);

/**
 * A codec of the same classes, tags and widths that keeps its bound, |value - decoded| < 2^-B for all values: the byte of
 * a one-byte value holds its sign and its multiple of 2^-L, cut off, with L = min(B + 2, 7 + floor(B / 2)) in place of 7.
 *
 * - It fits. Values of the class are below 2^(-B + ceil(B / 2)) = 2^-floor(B / 2), and 7 bits reach to 2^(7 - L), which is no
 *   less. With L = B + 2 that is ceil(B / 2) <= 5, so B <= 10, where they reach exactly to the two-byte class. Beyond,
 *   7 + floor(B / 2) is the largest L that fits: 12, 13, 13, 14 for B = 11 to 14.
 * - The bound is kept. A one-byte value loses less than 2^-L, and L >= B: of 7 + floor(B / 2) as long as ceil(B / 2) <= 7. At
 *   B = 15 no L both fits (14 at most) and keeps the bound (15 at least): that bound is refused. Of the other classes, what does
 *   not travel is below 2^-B, a two-byte value loses less than 2^-15, and a raw one nothing.
 * - Encoding again what was decoded changes nothing: 2^-B is a multiple of 2^-L, so cutting leaves a value in its class.
 *
 * Decoding needs the bound, for L. All data are some value's.
 *
 * @param bound the B of 2^-B, 1..14
 * @throws InputError at any other bound
 */
std::unique_ptr<Codec> MakeBoundedInceptionnCodec(unsigned bound);

} // namespace inca

#endif // INCA_CODEC_INCEPTIONN_CODEC_H
