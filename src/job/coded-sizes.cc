/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/coded-sizes.h"

#include "base/errors.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace inca
{

CodedSizes::CodedSizes(std::array<Frames, 2> frames)
    : m_frames(std::move(frames))
{
}

void
CodedSizes::Add(const PlannedSend& send,
                const Transfer& transfer,
                ElementRange part,
                const Word* words)
{
    const auto& [codec, frameValues] = m_frames[transfer.crossesGroups];
    if (!codec)
    {
        return;
    }
    const auto end = transfer.range.End();
    auto& [frames, begun] = m_sends[KeyOf(send)];
    if (!frames)
    {
        frames = std::make_shared<FrameSizes>();
    }
    for (std::uint64_t done = 0; done < part.count;)
    {
        const auto before = begun.size();
        const auto count = std::min(frameValues - before, part.count - done);
        begun.resize(before + count);
        CopyFloats(words + done, count, &begun[before]);
        done += count;
        if (begun.size() == frameValues || part.begin + done == end)
        {
            const auto bytes = codec->CountBytes(begun.data(), begun.size());
            if (bytes > std::numeric_limits<std::uint16_t>::max())
            {
                throw InputError("a frame of " + std::to_string(bytes) +
                                 " coded bytes: an IP packet holds less than 65536");
            }
            frames->push_back(static_cast<std::uint16_t>(bytes));
            m_totalBytes += bytes;
            begun.clear();
        }
    }
    if (part.End() == end)
    {
        begun.shrink_to_fit(); // there are many messages
    }
}

std::shared_ptr<const FrameSizes>
CodedSizes::Of(const PlannedSend& send) const
{
    const auto found = m_sends.find(KeyOf(send));
    return found == m_sends.end() ? nullptr : found->second.frames;
}

std::uint64_t
CodedSizes::KeyOf(const PlannedSend& send)
{
    constexpr unsigned sendBits = 16;
    constexpr unsigned stepBits = 24;
    return ((std::uint64_t{send.rank} << stepBits | send.step) << sendBits) | send.send;
}

} // namespace inca
