/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/send-connection.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

constexpr std::int64_t TIMEOUT_ROUND_TRIPS{4};
constexpr std::int64_t SMOOTHING{8}; ///< a new round trip weighs 1/8, as in TCP (RFC 6298)
constexpr unsigned MAX_BACKOFF{6};   ///< a timeout grows 64-fold at most

} // namespace

SendConnection::SendConnection(ns3::Mac48Address peer, const SendLimits& limits)
    : m_peer(peer),
      m_limits(limits)
{
}

void
SendConnection::Queue(std::shared_ptr<OutgoingMessage> message)
{
    auto& queue = message->message.tag.grant ? m_grants : m_messages;
    queue.push_back(std::move(message));
}

bool
SendConnection::HasFrame() const
{
    const bool anything = !m_grants.empty() || !m_messages.empty();
    return m_repeatBase || (anything && m_outstanding.size() < m_limits.windowFrames);
}

OutgoingFrame
SendConnection::NextFrame()
{
    NS_ASSERT(HasFrame());
    m_taken = true;
    return m_repeatBase ? RepeatedFrame() : NewFrame();
}

OutgoingFrame
SendConnection::NewFrame()
{
    auto frame = m_grants.empty() ? NextOfMessage() : NextGrant();
    frame.number = m_nextNumber++;
    frame.first = !std::exchange(frame.message->begun, true);
    m_outstanding.push_back({frame, m_quietSincePs});
    return frame;
}

OutgoingFrame
SendConnection::NextGrant()
{
    OutgoingFrame frame;
    frame.message = std::move(m_grants.front());
    m_grants.pop_front();
    NS_ASSERT_MSG(frame.message->message.plainBytes == 0, "a grant has no payload");
    return frame;
}

OutgoingFrame
SendConnection::NextOfMessage()
{
    OutgoingFrame frame;
    frame.message = m_messages.front();
    frame.offset = m_nextOffset;
    const auto size = frame.message->message.plainBytes;
    frame.bytes = std::min(m_limits.payloadBytes, size - m_nextOffset);
    m_nextOffset += frame.bytes;
    if (m_nextOffset == size)
    {
        m_messages.pop_front();
        m_nextOffset = 0;
    }
    return frame;
}

OutgoingFrame
SendConnection::RepeatedFrame()
{
    m_repeatBase = false;
    m_probeTells = false;
    m_recoverUntil = m_nextNumber;
    auto& oldest = m_outstanding.front().frame;
    oldest.repeated = true;
    oldest.first = false;
    return oldest;
}

void
SendConnection::Sent(std::uint64_t number, std::int64_t nowPs)
{
    m_taken = false;
    m_quietSincePs = nowPs;
    if (number >= m_base)
    {
        m_outstanding[number - m_base].sentPs = nowPs;
    }
}

void
SendConnection::Acknowledge(std::uint64_t next, std::uint64_t provenBefore, std::int64_t nowPs)
{
    if (next > m_base)
    {
        Release(next, nowPs);
        if (m_base < m_recoverUntil)
        {
            AskForRepeat(); // all before the repetition was sent, and has arrived or is lost
        }
    }
    else if (next == m_base && !m_outstanding.empty())
    {
        provenBefore > 0 ? UnderstandProbe(provenBefore) : AskForRepeat();
    }
}

void
SendConnection::UnderstandProbe(std::uint64_t provenBefore)
{
    if (m_probeTells && m_base < provenBefore)
    {
        m_baseRepeated = false; // if it was, the repetition is lost, too
        AskForRepeat();
    }
}

void
SendConnection::Release(std::uint64_t next, std::int64_t nowPs)
{
    const auto frames = std::min<std::uint64_t>(next - m_base, m_outstanding.size());
    MeasureRoundTrip(m_outstanding[frames - 1], nowPs);
    m_outstanding.erase(m_outstanding.begin(),
                        m_outstanding.begin() + static_cast<std::ptrdiff_t>(frames));
    m_base += frames;
    m_repeatBase = false;
    m_baseRepeated = false;
    m_backoff = 0;
    m_quietSincePs = nowPs;
}

void
SendConnection::MeasureRoundTrip(const Outstanding& newest, std::int64_t nowPs)
{
    // after a loss the time says how long the loss took to find, and would feed the next timeout;
    // an empty frame costs its hosts nothing
    const bool disturbed = m_backoff > 0 || m_baseRepeated || m_base < m_recoverUntil;
    if (disturbed || newest.frame.bytes == 0)
    {
        return;
    }
    const auto sample = nowPs - newest.sentPs;
    m_roundTripPs += m_roundTripPs == 0 ? sample : (sample - m_roundTripPs) / SMOOTHING;
}

void
SendConnection::AskForRepeat()
{
    if (!m_baseRepeated)
    {
        m_baseRepeated = true;
        m_repeatBase = true;
    }
}

std::uint64_t
SendConnection::TimeOut(std::int64_t nowPs)
{
    m_quietSincePs = nowPs;
    if (m_taken || m_repeatBase)
    {
        return 0; // the host is at work on it
    }
    m_backoff = std::min(m_backoff + 1, MAX_BACKOFF);
    m_probeTells = true;
    return m_nextNumber;
}

std::int64_t
SendConnection::DeadlinePs() const
{
    const auto timeout = m_roundTripPs == 0
                             ? m_limits.initialTimeoutPs
                             : std::max(m_limits.minTimeoutPs, TIMEOUT_ROUND_TRIPS * m_roundTripPs);
    return m_quietSincePs + (timeout << m_backoff);
}

} // namespace inca
