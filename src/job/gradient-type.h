/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_GRADIENT_TYPE_H
#define INCA_JOB_GRADIENT_TYPE_H

#include "inca/codec/codec.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

namespace inca
{

/** What a trainer keeps gradients in. Values are fp32 in memory here whatever it is. */
struct GradientType
{
    std::uint64_t bytes{4};
    double unitRoundoff{1.0 / (1U << 24U)}; ///< half the distance from 1 to the next value
    double largest{std::numeric_limits<float>::max()};
    double smallest{std::numeric_limits<float>::denorm_min()}; ///< above 0
    /** Of 16 bits: how values travel, and what rounds them to nearest, ties to even. Null: fp32. */
    std::shared_ptr<const Codec> narrow;

    /** Rounds values to the type, in place. */
    void Round(float* values, std::uint64_t count) const
    {
        if (narrow)
        {
            narrow->RoundTrip(values, count);
        }
    }

    /** @return @p value, rounded: never decreases where values increase */
    float Rounded(double value) const
    {
        auto rounded = static_cast<float>(value);
        Round(&rounded, 1);
        return rounded;
    }
};

/** @return the type of values that were rounded to @p first, then to @p second, as far as it says how far they may be off */
GradientType Coarser(const GradientType& first, const GradientType& second);

/** @throws InputError unless @p name is fp32, fp16 or bf16 */
GradientType GradientTypeNamed(const std::string& name);

} // namespace inca

#endif // INCA_JOB_GRADIENT_TYPE_H
