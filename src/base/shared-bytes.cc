/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/shared-bytes.h"

#include <algorithm>
#include <iterator>

namespace inca
{

SharedBytes::Memory::~Memory()
{
    ForgetStreams();
}

void
SharedBytes::Memory::ForgetStreams()
{
    for (const auto& stream : streams)
    {
        stream.bytes.m_memory->source = nullptr;
    }
    streams.clear();
}

void
SharedBytes::KeepStream(const void* codec, SharedBytes stream) const
{
    auto& streams = m_memory->streams;
    const auto behind = [this](const Stream& other) { return other.first > m_bytes; };
    auto place = streams.end(); // as a rule they come in their order
    while (place != streams.begin() && behind(*std::prev(place)))
    {
        --place;
    }
    stream.m_memory->source = m_memory;
    streams.insert(place, {m_bytes, m_size, codec, std::move(stream)});
}

SharedBytes
SharedBytes::StreamBy(const void* codec) const
{
    if (!AreThere())
    {
        return {};
    }
    const auto& streams = m_memory->streams;
    auto stream = std::lower_bound(
        streams.begin(), streams.end(), m_bytes, [](const Stream& other, const auto* first) {
            return other.first < first;
        });
    for (; stream != streams.end() && stream->first == m_bytes; ++stream)
    {
        if (stream->size == m_size && stream->codec == codec)
        {
            return stream->bytes;
        }
    }
    return {};
}

SharedBytes
SharedBytes::SourceBy(const void* codec) const
{
    if (!AreThere() || m_memory->source == nullptr)
    {
        return {};
    }
    auto& source = *m_memory->source;
    const auto stream = std::find_if(
        source.streams.begin(), source.streams.end(), [this, codec](const auto& other) {
            return other.codec == codec && other.bytes.AreThoseOf(*this);
        });
    return stream != source.streams.end() ? SharedBytes(&source, stream->first, stream->size)
                                          : SharedBytes();
}

} // namespace inca
