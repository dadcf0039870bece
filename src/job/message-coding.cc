/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/message-coding.h"

#include <cmath>
#include <numeric>

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
    if (Of(transfer).countsTell)
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
    if (IsCoded(from, transfer))
    {
        Of(transfer).codec->RoundTrip(values, count);
    }
}

std::shared_ptr<const Codec>
MessageCoding::EngineCodec() const
{
    const auto& coding = groups[groups[0].place != CodingPlace::ENGINE];
    return coding.place == CodingPlace::ENGINE ? coding.codec : nullptr;
}

std::uint64_t
MessageCoding::FrameGroup() const
{
    const auto of = [](const GroupCoding& coding) {
        return coding.place == CodingPlace::ENGINE ? coding.group : 1;
    };
    return std::lcm(of(groups[0]), of(groups[1]));
}

} // namespace inca
