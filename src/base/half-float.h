/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_HALF_FLOAT_H
#define INCA_BASE_HALF_FLOAT_H

#include <cstddef>
#include <cstdint>

namespace inca
{

/**
 * fp32 to a 16-bit float and back, as IEEE 754 rounds to nearest, ties to even. Beyond the largest
 * finite value it overflows to infinity: from 65520 on in fp16, where half a step above 65504
 * begins. fp16's subnormals are kept, down to 2^-24. A NaN stays a NaN with its sign: it becomes
 * quiet and keeps the top bits of its payload (9 in fp16, 6 in bf16), as hardware does.
 * Widening is exact.
 * @{
 */
std::uint16_t ToBf16(float value);
float FromBf16(std::uint16_t bits);
std::uint16_t ToFp16(float value);
float FromFp16(std::uint16_t bits);

void ToBf16(const float* values, std::size_t count, std::uint16_t* bits);
void FromBf16(const std::uint16_t* bits, std::size_t count, float* values);
void ToFp16(const float* values, std::size_t count, std::uint16_t* bits);
void FromFp16(const std::uint16_t* bits, std::size_t count, float* values);
/** @} */

/** There and back, in place. @{ */
void RoundToBf16(float* values, std::size_t count);
void RoundToFp16(float* values, std::size_t count);
/** @} */

} // namespace inca

#endif // INCA_BASE_HALF_FLOAT_H
