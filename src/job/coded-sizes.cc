/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/coded-sizes.h"

#include <algorithm>
#include <utility>

namespace inca
{

CodedSizes::CodedSizes(std::shared_ptr<const Codec> codec, std::uint64_t frameValues)
    : m_codec(std::move(codec)),
      m_frameValues(frameValues)
{
}

void
CodedSizes::Add(const PlannedSend& send, ElementRange range, ElementRange part, const Word* words)
{
    auto& sizes = m_sends[KeyOf(send)];
    if (!sizes.frames)
    {
        sizes.frames = std::make_shared<FrameSizes>();
        sizes.frames->reserve((range.count + m_frameValues - 1) / m_frameValues);
    }
    for (std::uint64_t done = 0; done < part.count;)
    {
        const auto before = sizes.begun.size();
        const auto count = std::min(m_frameValues - before, part.count - done);
        sizes.begun.resize(before + count);
        CopyFloats(words + done, count, &sizes.begun[before]);
        done += count;
        if (before + count == m_frameValues)
        {
            EndFrame(sizes);
        }
    }
    if (part.End() == range.End() && !sizes.begun.empty())
    {
        EndFrame(sizes);
    }
    if (part.End() == range.End())
    {
        sizes.begun.shrink_to_fit();
    }
}

void
CodedSizes::EndFrame(Sizes& sizes) const
{
    const auto bytes = m_codec->CountBytes(sizes.begun.data(), sizes.begun.size());
    sizes.frames->push_back(static_cast<std::uint16_t>(bytes));
    sizes.begun.clear();
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
