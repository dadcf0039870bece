/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_SUM_ROUNDING_H
#define INCA_JOB_SUM_ROUNDING_H

#include "job/gradient-type.h"

#include <cstdint>
#include <limits>

namespace inca
{

/**
 * Whether W - 1 additions, in some order, each rounded to a type or all together once, can be so far off:
 * within (W - 1) u times the sum of magnitudes, with u the type's unit roundoff (Jeannerod and Rump, SIAM
 * J. Matrix Anal. Appl. 34, 2013; an addition in fp32 that is then rounded to 16 bits is rounded as if
 * once, for 24 bits are twice 11 and two more), and 2^-20 of that for the reference. Where some order
 * overflows, or none gives a number, nothing is too far.
 * @param distance from the sum in fp64
 * @param magnitude the sum of the magnitudes of what is added
 */
inline bool
IsOfSomeOrder(
    double distance, double magnitude, std::uint32_t workers, double unitRoundoff, double largest)
{
    constexpr double slack = 1 + 1.0 / (1U << 20U);
    const auto most = (workers - 1.0) * unitRoundoff * magnitude * slack;
    const unsigned isWithin = distance <= most + std::numeric_limits<float>::denorm_min() ? 1 : 0;
    const unsigned mayBeBeyondType = magnitude + most < largest ? 0 : 1;
    return (isWithin | mayBeBeyondType) != 0; // no branch
}

/** The same of a type's roundoff and largest value. */
inline bool
IsOfSomeOrder(double distance,
              double magnitude,
              std::uint32_t workers,
              const GradientType& type = {})
{
    return IsOfSomeOrder(distance, magnitude, workers, type.unitRoundoff, type.largest);
}

} // namespace inca

#endif // INCA_JOB_SUM_ROUNDING_H
