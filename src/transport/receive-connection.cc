/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/receive-connection.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace inca
{

ReceiveConnection::ReceiveConnection(std::uint32_t ackEvery)
    : m_ackEvery(ackEvery)
{
}

ReceiveOutcome
ReceiveConnection::Accept(const ns3::Ptr<Train>& train, const Receiver& receiver)
{
    ReceiveOutcome outcome;
    const auto number = train->segment.number;
    m_heard = train->segment.transmission;
    if (number != m_next)
    {
        outcome.acknowledge = true;
        m_unacknowledged = 0;
        outcome.duplicate = number < m_next || !m_early.emplace(number, train).second;
        return outcome;
    }
    outcome.acknowledge = !m_early.empty() || train->segment.repeated;
    DeliverInOrder(*train, receiver, outcome);
    while (!m_early.empty() && m_early.begin()->first == m_next)
    {
        const auto early = m_early.begin()->second;
        m_early.erase(m_early.begin());
        DeliverInOrder(*early, receiver, outcome);
    }
    outcome.acknowledge = outcome.acknowledge || m_unacknowledged >= m_ackEvery;
    m_unacknowledged = outcome.acknowledge ? 0 : m_unacknowledged;
    return outcome;
}

void
ReceiveConnection::DeliverInOrder(const Train& train,
                                  const Receiver& receiver,
                                  ReceiveOutcome& outcome)
{
    ++m_next;
    ++m_unacknowledged;
    if (train.segment.tag.grant)
    {
        outcome.acknowledge = true;
        receiver({train.source, train.segment.tag, 0, 0, {}});
        return;
    }
    outcome.deliveredBytes += train.plainBytes;
    Assemble(train);
    const auto key = KeyOf(train.segment.tag);
    if (!train.segment.last)
    {
        Tell(key, m_assembledBytes);
        return;
    }
    outcome.acknowledge = true;
    NS_ASSERT(m_assembledBytes == m_message->plainBytes);
    auto whole = std::move(*m_message);
    m_message.reset();
    Tell(key, m_assembledBytes);
    receiver(std::move(whole));
}

void
ReceiveConnection::Assemble(const Train& train)
{
    if (!m_message)
    {
        m_message.emplace();
        m_message->from = train.source;
        m_message->tag = train.segment.tag;
        m_message->plainBytes = train.segment.messageBytes;
        m_assembledBytes = 0;
    }
    m_assembledBytes += train.plainBytes;
    m_message->wirePayloadBytes += train.wirePayloadBytes;
    if (train.bytes)
    {
        auto& bytes = m_message->bytes;
        bytes.reserve(m_message->plainBytes);
        bytes.insert(bytes.end(), train.bytes->begin(), train.bytes->end());
    }
}

void
ReceiveConnection::Tell(const Key& key, std::uint64_t bytes)
{
    const auto found = m_watchers.find(key);
    if (found == m_watchers.end())
    {
        return;
    }
    auto& watchers = found->second;
    const auto waits = [bytes](const Watcher& watcher) { return watcher.bytes > bytes; };
    const auto firstReached = std::stable_partition(watchers.begin(), watchers.end(), waits);
    std::vector<Watcher> told(std::make_move_iterator(firstReached),
                              std::make_move_iterator(watchers.end()));
    watchers.erase(firstReached, watchers.end());
    if (watchers.empty())
    {
        m_watchers.erase(found);
    }
    for (const auto& watcher : told) // which may watch again
    {
        watcher.reached();
    }
}

bool
ReceiveConnection::Watch(const MessageTag& tag, std::uint64_t bytes, const Reached& reached)
{
    const bool begun = m_message && m_message->tag == tag && m_assembledBytes >= bytes;
    if (begun)
    {
        return false;
    }
    m_watchers[KeyOf(tag)].push_back({bytes, reached});
    return true;
}

Receipt
ReceiveConnection::Receipts() const
{
    Receipt receipt{m_next, 0, m_heard};
    for (const auto& [number, train] : m_early)
    {
        const auto behind = number - m_next - 1;
        if (behind >= Receipt::HELD_FRAMES)
        {
            break;
        }
        receipt.held |= std::uint64_t{1} << behind;
    }
    return receipt;
}

ReceiveConnection::Key
ReceiveConnection::KeyOf(const MessageTag& tag)
{
    return {tag.job, tag.round, tag.ordinal, tag.grant};
}

} // namespace inca
