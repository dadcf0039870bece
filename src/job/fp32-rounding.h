/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_FP32_ROUNDING_H
#define INCA_JOB_FP32_ROUNDING_H

#include <cstdint>
#include <limits>

namespace inca
{

/**
 * Whether W - 1 additions of fp32, in some order, can be so far off: within (W - 1) 2^-24 times the sum
 * of magnitudes (Jeannerod and Rump, SIAM J. Matrix Anal. Appl. 34, 2013), and 2^-20 of that for the
 * reference. Where some order overflows, or none gives a number, nothing is too far.
 * @param distance from the sum in fp64
 * @param magnitude the sum of the magnitudes of what is added
 */
inline bool
IsOfSomeOrder(double distance, double magnitude, std::uint32_t workers)
{
    constexpr double rounding = 1.0 / (1U << 24U);
    constexpr double slack = 1 + 1.0 / (1U << 20U);
    if (!(magnitude < std::numeric_limits<float>::max()))
    {
        return true;
    }
    const auto most = (workers - 1.0) * rounding * magnitude * slack;
    return distance <= most + std::numeric_limits<float>::denorm_min();
}

} // namespace inca

#endif // INCA_JOB_FP32_ROUNDING_H
