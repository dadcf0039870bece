/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_ROUND_MAILBOX_H
#define INCA_RANK_ROUND_MAILBOX_H

#include "inca/device/message.h"
#include "inca/exchange/step-plan.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace inca
{

/** The other end of a message, and its number among all that go that way in a round. */
using MessageKey = std::pair<Rank, std::uint32_t>;

/**
 * The messages of a channel as one rank numbers them, those to and those from each other rank apart: of S
 * channels, number s has s, s + S, s + 2 S, ... And what came before it was asked for: messages of later
 * steps, and grants.
 */
class RoundMailbox
{
  public:
    /** Numbers the messages of channel @p channel, from 0, in a round of @p channels. */
    explicit RoundMailbox(std::uint32_t channel = 0, std::uint32_t channels = 1)
        : m_channel(channel),
          m_channels(channels)
    {
    }

    /** The next message to @p peer. */
    MessageKey NextTo(Rank peer)
    {
        return {peer, m_channel + m_channels * CountOf(m_sent, peer)++};
    }

    /** The next message from @p peer. */
    MessageKey NextFrom(Rank peer)
    {
        return {peer, m_channel + m_channels * CountOf(m_expected, peer)++};
    }

    /** Keeps a message that was not asked for yet. */
    void Keep(const MessageKey& key, ReceivedMessage message)
    {
        m_early.emplace(key, std::move(message));
    }

    /** @return the message if it was kept; it is not any more */
    std::optional<ReceivedMessage> Take(const MessageKey& key)
    {
        auto kept = m_early.extract(key);
        return kept ? std::optional(std::move(kept.mapped())) : std::nullopt;
    }

    /** The receiver of a message has come to it. */
    void AddGrant(const MessageKey& key)
    {
        m_grants.insert(key);
    }

    /** @return whether the message was granted; each grant counts once */
    bool TakeGrant(const MessageKey& key)
    {
        return m_grants.erase(key) > 0;
    }

    /** Shows what it keeps: messages and grants that go from @p wayTo or to @p wayFrom another rank. */
    template <typename WayFrom, typename WayTo>
    void VisitState(StateVisitor& visitor,
                    std::uint32_t round,
                    const WayFrom& wayFrom,
                    const WayTo& wayTo)
    {
        visitor.State(m_early.size());
        for (auto& [key, message] : m_early)
        {
            visitor.MessageNumber(wayFrom(key.first), round, key.second);
            visitor.State(message.plainBytes);
            visitor.State(message.wirePayloadBytes);
            visitor.PastTime(message.sentPs);
        }
        visitor.State(m_grants.size());
        for (const auto& [peer, ordinal] : m_grants)
        {
            visitor.MessageNumber(wayTo(peer), round, ordinal);
        }
    }

  private:
    /** Numbers of messages, in the order of the ranks that they are of: most have one or two. */
    using Counts = std::vector<std::pair<Rank, std::uint32_t>>;

    /** Of @p peer: 0, if there was none. */
    static std::uint32_t& CountOf(Counts& counts, Rank peer)
    {
        auto found = std::lower_bound(counts.begin(), counts.end(), std::pair(peer, 0U));
        if (found == counts.end() || found->first != peer)
        {
            found = counts.insert(found, {peer, 0});
        }
        return found->second;
    }

    std::uint32_t m_channel;                       ///< its number in the round
    std::uint32_t m_channels;                      ///< of the round
    Counts m_sent;                                 ///< messages so far, by receiver
    Counts m_expected;                             ///< messages so far, by sender
    std::map<MessageKey, ReceivedMessage> m_early; ///< messages that were not asked for yet
    std::set<MessageKey> m_grants; ///< messages that were granted, and are not sent yet
};

} // namespace inca

#endif // INCA_RANK_ROUND_MAILBOX_H
