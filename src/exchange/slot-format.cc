/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-format.h"

#include <algorithm>

namespace inca
{

std::uint64_t
SlotFormat::PrologueOf(const ReductionSize& sum, bool asTheyAre) const
{
    const bool areScaled = adder.isExact && !asTheyAre && sum.phase != SumPhase::ALL_GATHER;
    return areScaled && !isFixed ? std::min(SlotsOf(sum.phase), PacketsOf(sum).Count()) : 0;
}

} // namespace inca
