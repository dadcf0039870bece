/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/arriving-payloads.h"

#include "base/large-memory.h"

#include <cstring>
#include <utility>
#include <vector>

namespace inca
{

ArrivingPayloads::Message*
ArrivingPayloads::MessageOf(const Train& train)
{
    const auto found = m_messages.find(train.source);
    if (found == m_messages.end())
    {
        return nullptr;
    }
    auto& [tag, next, memory, first] = found->second;
    const bool goesOn = tag == train.segment.tag && next == train.segment.offset &&
                        train.plainBytes <= memory.size() - next;
    return goesOn ? &found->second : nullptr;
}

std::uint8_t*
ArrivingPayloads::PlaceOf(const Train& train)
{
    const auto* const message = train.segment.offset > 0 ? MessageOf(train) : nullptr;
    return message != nullptr ? message->first + message->next : nullptr;
}

SharedBytes
ArrivingPayloads::Keep(const Train& train, const std::uint8_t* bytes)
{
    const auto& segment = train.segment;
    if (segment.offset == 0)
    {
        LargeBytes memory(segment.messageBytes);
        auto* const first = memory.data();
        m_messages[train.source] = {segment.tag, 0, SharedBytes::Of(std::move(memory)), first};
    }
    auto* const message = MessageOf(train);
    if (message == nullptr)
    {
        const auto found = m_messages.find(train.source);
        if (found != m_messages.end() && found->second.tag == segment.tag &&
            segment.offset > found->second.next) // the one between will not be the next one
        {
            m_messages.erase(found);
        }
        return SharedBytes::Of(std::vector<std::uint8_t>(bytes, bytes + train.plainBytes));
    }
    auto& [tag, next, memory, first] = *message;
    if (bytes != first + next)
    {
        std::memcpy(first + next, bytes, train.plainBytes);
    }
    auto part = memory.Part(next, train.plainBytes);
    next += train.plainBytes;
    if (next == segment.messageBytes)
    {
        m_messages.erase(train.source);
    }
    return part;
}

} // namespace inca
