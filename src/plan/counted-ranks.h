/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_COUNTED_RANKS_H
#define INCA_PLAN_COUNTED_RANKS_H

#include "exchange/step-plan.h"

#include <cmath>

namespace inca
{

/** Of more ranks of a kind, so many are looked at, and stand for all. */
constexpr Rank COUNTED_RANKS{32};

/** Of @p count ranks, number @p i of those that are counted: spread as evenly as any, in step with nothing. */
inline Rank
CountedRank(Rank i, Rank count)
{
    constexpr double goldenSection = 0.6180339887498949;
    const auto place = i * goldenSection;
    return count <= COUNTED_RANKS ? i : static_cast<Rank>((place - std::floor(place)) * count);
}

} // namespace inca

#endif // INCA_PLAN_COUNTED_RANKS_H
