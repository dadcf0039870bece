/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/message-coding.h"

#include <cmath>

namespace inca
{

double
MessageCoding::BitsOf(ElementRange chunk, const Transfer& transfer) const
{
    const auto there = Clip(transfer.range, {0, chunk.count});
    const bool isThere = there.count > 0 || transfer.range.count == 0;
    const auto known = isThere ? there : ElementRange{chunk.count - 1, 1};
    return BitsOf({chunk.begin + known.begin, known.count}, transfer.crossesGroups);
}

std::uint64_t
MessageCoding::StreamBytes(ElementRange chunk, const Transfer& transfer) const
{
    const auto count = transfer.range.count;
    if (countsTell)
    {
        return HostCodecOf(transfer)->CountBytes(nullptr, count);
    }
    const auto bits = static_cast<double>(count) * BitsOf(chunk, transfer);
    return static_cast<std::uint64_t>(std::floor(bits / 8));
}

void
MessageCoding::RoundTrip(Rank from,
                         const Transfer& transfer,
                         float* values,
                         std::uint64_t count) const
{
    if (codec && IsCoded(from, transfer))
    {
        CodecOf(transfer)->RoundTrip(values, count);
    }
}

} // namespace inca
