/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_EXPONENTS_CODEC_H
#define INCA_CODEC_EXPONENTS_CODEC_H

#include "inca/codec/codec.h"

#include <memory>

namespace inca
{

/**
 * Lossless: exponents are coded, signs and mantissas travel as they are (docs/formats.md has the stream). For gradients of
 * bf16: those of normal distribution take 11.2 bits, where their entropy is 10.5.
 *
 * @param valueBytes 2 or 4: whether MeanBits is of bf16, or of values with all bits of fp32
 */
std::unique_ptr<Codec> MakeExponentsCodec(unsigned valueBytes);

} // namespace inca

#endif // INCA_CODEC_EXPONENTS_CODEC_H
