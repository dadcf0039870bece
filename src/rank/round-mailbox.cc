/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/round-mailbox.h"

namespace inca
{

void
RoundMailbox::Keep(const MessageKey& key, ReceivedMessage message)
{
    m_early.emplace(key, std::move(message));
}

std::optional<ReceivedMessage>
RoundMailbox::Take(const MessageKey& key)
{
    const auto kept = m_early.find(key);
    if (kept == m_early.end())
    {
        return std::nullopt;
    }
    auto message = std::move(kept->second);
    m_early.erase(kept);
    return message;
}

void
RoundMailbox::AddGrant(const MessageKey& key)
{
    m_grants.insert(key);
}

bool
RoundMailbox::TakeGrant(const MessageKey& key)
{
    return m_grants.erase(key) > 0;
}

} // namespace inca
