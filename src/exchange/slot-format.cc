/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-format.h"

#include "base/text.h"
#include "base/units.h"

#include <algorithm>

namespace inca
{

std::uint64_t
SlotFormat::PrologueOf(const ReductionSize& sum, bool asTheyAre) const
{
    const bool areScaled = adder.isExact && !asTheyAre && sum.phase != SumPhase::ALL_GATHER;
    return areScaled && !isFixed ? std::min(SlotsOf(sum.phase), PacketsOf(sum).Count()) : 0;
}

std::string
SlotFormat::PacketText() const
{
    const auto what = Text(valuesPerPacket, " values make an IP packet of ", headerBytes, " + ");
    const auto bytes = PacketBytes(*adder.sum);
    return Text(what, adder.sum->bytes, " * ", valuesPerPacket, " = ", bytes, " bytes");
}

std::string
SlotFormat::MemoryText() const
{
    const auto of = copies == 1 ? "" : Text(copies, " copies of ");
    const auto used = g_byteCount.Format(UsedBytes());
    return Text(slots, " slots of ", of, valuesPerPacket, " values need ", used);
}

} // namespace inca
