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
    const auto found = m_messages.find(train.source);
    const bool isOfIt = found != m_messages.end() && found->second.tag == segment.tag;
    const bool goesOn = isOfIt && found->second.next == segment.offset &&
                        train.plainBytes <= found->second.memory.size() - found->second.next;
    if (!goesOn)
    {
        if (isOfIt &&
            segment.offset > found->second.next) // the one between will not be the next one
        {
            m_messages.erase(found);
        }
        return SharedBytes::Of(std::vector<std::uint8_t>(bytes, bytes + train.plainBytes));
    }
    auto& [tag, next, memory, first] = found->second;
    std::memcpy(first + next, bytes, train.plainBytes);
    const auto part = memory.Part(next, train.plainBytes);
    next += train.plainBytes;
    if (next == segment.messageBytes)
    {
        m_messages.erase(found);
    }
    return part;
}

} // namespace inca
