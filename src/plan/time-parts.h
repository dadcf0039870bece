/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_TIME_PARTS_H
#define INCA_PLAN_TIME_PARTS_H

#include <cstdint>

namespace inca
{

/** Time by what takes it; no part is negative, and sums saturate. (ps) */
struct TimeParts
{
    std::int64_t linkPs{0};
    std::int64_t enginePs{0};
    std::int64_t hostPs{0};
    std::int64_t computePs{0};
    std::int64_t switchPs{0}; ///< a switch's adder

    std::int64_t TotalPs() const;

    /** @return the name of the largest part: "link", ..., the first of equal ones */
    const char* Largest() const;
};

/** Whichever takes longer in all; @p a on a tie. */
TimeParts Longer(const TimeParts& a, const TimeParts& b);

/** One after the other. */
TimeParts Sum(const TimeParts& a, const TimeParts& b);

/** Every part times @p factor, rounded down. */
TimeParts Times(const TimeParts& parts, double factor);

/** Two that overlap but for @p share of the shorter one. */
TimeParts Alternating(const TimeParts& a, const TimeParts& b, double share);

} // namespace inca

#endif // INCA_PLAN_TIME_PARTS_H
