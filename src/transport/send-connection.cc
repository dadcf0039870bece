/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/send-connection.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "device/mac-hash.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace inca
{

namespace
{

constexpr std::uint64_t TIMEOUT_ROUND_TRIPS{4};
constexpr std::int64_t SMOOTHING{8}; ///< a new round trip weighs 1/8, as in TCP (RFC 6298)
constexpr std::int64_t SETTLED{256}; ///< what differs by less changes nothing, and comes to rest
constexpr unsigned SLOW_PATH_DOUBLINGS{6};
constexpr unsigned LOSSY_PATH_DOUBLINGS{3};
constexpr std::uint64_t MOST_EXPECTED{64}; ///< frames: the default window; there may be more

SharedBytes
PayloadOf(const OutgoingFrame& frame)
{
    const auto& payload = frame.message->message.payload;
    return frame.bytes > 0 && payload.AreThere() ? payload.Part(frame.offset, frame.bytes)
                                                 : SharedBytes();
}

/** A time that does not go beyond the last one. */
std::int64_t
Times(std::int64_t ps, std::uint64_t factor)
{
    return MulDivCeil(static_cast<std::uint64_t>(ps), factor, 1);
}

} // namespace

SendConnection::SendConnection(ns3::Mac48Address peer, const SendLimits& limits)
    : m_peer(peer),
      m_limits(limits),
      m_window(limits.windowFrames)
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
    return MayRepeat() || (anything && m_outstanding.size() < m_window);
}

/** What is lost is under way no more. */
bool
SendConnection::MayRepeat() const
{
    return !m_lost.empty() && m_underWay < m_window;
}

OutgoingFrame
SendConnection::NextFrame()
{
    NS_ASSERT(HasFrame());
    m_taken = true;
    return m_lost.empty() ? NewFrame() : RepeatedFrame();
}

OutgoingFrame
SendConnection::NewFrame()
{
    const bool isGrant = !m_grants.empty();
    auto frame = isGrant ? NextGrant() : NextOfMessage();
    frame.number = m_nextNumber;
    frame.transmission = m_transmissions + 1;
    frame.first = !std::exchange(frame.message->begun, true);
    ++m_nextNumber;
    ++m_transmissions;
    if (frame.first)
    {
        const auto left = (frame.message->message.plainBytes - frame.bytes) / m_limits.payloadBytes;
        m_outstanding.Expect(m_outstanding.size() +
                             std::min({left, MOST_EXPECTED, std::uint64_t{m_limits.windowFrames}}));
    }
    ExpectAnswer(frame);
    return frame;
}

void
SendConnection::ExpectAnswer(const OutgoingFrame& taken)
{
    ++m_underWay;
    m_outstanding.push_back({taken.message,
                             taken.transmission,
                             taken.offset,
                             m_quietSincePs,
                             static_cast<std::uint32_t>(taken.bytes),
                             false,
                             false,
                             false});
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

std::uint32_t
SendConnection::FramesOfMessage() const
{
    const auto bytes = m_messages.empty() ? 0 : m_messages.front()->message.plainBytes;
    return static_cast<std::uint32_t>((bytes + m_limits.payloadBytes - 1) / m_limits.payloadBytes);
}

OutgoingFrame
SendConnection::NextOfMessage()
{
    OutgoingFrame frame;
    frame.message = m_messages.front();
    frame.offset = m_nextOffset;
    const auto size = frame.message->message.plainBytes;
    frame.bytes = std::min(m_limits.payloadBytes, size - m_nextOffset);
    frame.payload = PayloadOf(frame);
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
    const auto number = m_lost.front();
    m_lost.pop_front();
    auto& outstanding = m_outstanding[number - m_base];
    outstanding.lost = false;
    outstanding.repeated = true;
    ++m_underWay;
    outstanding.transmission = ++m_transmissions;
    m_lastRepeat = outstanding.transmission;
    OutgoingFrame frame;
    frame.number = number;
    frame.transmission = outstanding.transmission;
    frame.message = outstanding.message;
    frame.offset = outstanding.offset;
    frame.bytes = outstanding.bytes;
    frame.payload = PayloadOf(frame);
    frame.repeated = true;
    return frame;
}

void
SendConnection::Sent(const OutgoingFrame& sent, std::int64_t nowPs)
{
    m_taken = false;
    BeQuietFrom(nowPs);
    if (sent.number >= m_base)
    {
        m_outstanding[sent.number - m_base].sentPs = nowPs;
    }
}

void
SendConnection::Acknowledge(const Receipt& receipt, std::int64_t nowPs)
{
    if (!IsCurrent(receipt))
    {
        return;
    }
    m_window = std::min(m_limits.windowFrames, std::max<std::uint32_t>(1, receipt.credit));
    if (receipt.next > m_base)
    {
        Release(receipt, nowPs);
    }
    const bool newlyHeld = MarkHeld(receipt.held);
    const bool newlyLost = FindLost(receipt.heard);
    if (newlyHeld || newlyLost)
    {
        m_backoff = 0;
        BeQuietFrom(nowPs);
    }
}

bool
SendConnection::IsCurrent(const Receipt& receipt) const
{
    return receipt.next >= m_base && receipt.next <= m_nextNumber &&
           receipt.heard <= m_transmissions;
}

bool
SendConnection::MarkHeld(std::uint64_t held)
{
    bool isNews = false;
    for (std::size_t i = 1; held != 0 && i < m_outstanding.size(); ++i, held >>= 1U)
    {
        if ((held & 1U) != 0 && !m_outstanding[i].held)
        {
            SetUntold(m_outstanding[i], false);
            m_underWay -= m_outstanding[i].IsUnderWay() ? 1 : 0;
            m_outstanding[i].held = true;
            isNews = true;
        }
    }
    return isNews;
}

bool
SendConnection::FindLost(std::uint64_t heard)
{
    bool isNews = false;
    const auto told = std::min<std::size_t>(m_outstanding.size(), 1 + Receipt::HELD_FRAMES);
    for (std::size_t i = 0; i < m_outstanding.size(); ++i)
    {
        auto& frame = m_outstanding[i];
        if (frame.transmission > heard && !frame.repeated)
        {
            break; // and so were all behind it
        }
        if (frame.transmission > heard || frame.held || frame.lost)
        {
            continue;
        }
        SetUntold(frame, i >= told);
        if (i < told)
        {
            frame.lost = true;
            --m_underWay;
            m_lost.push_back(m_base + i);
            isNews = true;
        }
    }
    return isNews;
}

/** Of one that is neither held nor lost. */
void
SendConnection::SetUntold(Outstanding& frame, bool untold)
{
    if (frame.untold != untold)
    {
        frame.untold = untold;
        untold ? ++m_untold : --m_untold;
        untold ? --m_underWay : ++m_underWay;
    }
}

void
SendConnection::Release(const Receipt& receipt, std::int64_t nowPs)
{
    const auto frames = receipt.next - m_base;
    ForgetLost(frames);
    MeasureRoundTrip(m_outstanding[frames - 1], receipt.heard, nowPs);
    for (std::uint64_t i = 0; i < frames; ++i)
    {
        SetUntold(m_outstanding.front(), false);
        m_underWay -= m_outstanding.front().IsUnderWay() ? 1 : 0;
        m_outstanding.pop_front();
    }
    m_base += frames;
    m_backoff = 0;
    BeQuietFrom(nowPs);
}

void
SendConnection::ForgetLost(std::uint64_t frames)
{
    for (auto left = m_lost.size(); left > 0; --left)
    {
        const auto number = m_lost.front();
        m_lost.pop_front();
        if (number >= m_base + frames)
        {
            m_lost.push_back(number);
        }
    }
}

void
SendConnection::MeasureRoundTrip(const Outstanding& newest, std::uint64_t heard, std::int64_t nowPs)
{
    // what waited behind a repetition, or for the answer to a probe, says how long the loss took to find, and
    // would feed the next timeout; an empty frame costs its hosts nothing
    const bool isAnswer = m_backoff > 0 && heard >= m_firstProbe;
    const bool disturbed = isAnswer || newest.transmission < m_lastRepeat;
    if (disturbed || newest.bytes == 0)
    {
        return;
    }
    const auto sample = nowPs - newest.sentPs;
    m_measuredPs[m_roundTrips++ % m_measuredPs.size()] = sample;
    Smooth(sample);
}

void
SendConnection::Smooth(std::int64_t roundTripPs)
{
    const auto change = roundTripPs - m_roundTripPs;
    if (m_roundTripPs == 0)
    {
        m_roundTripPs = roundTripPs;
    }
    else if (std::abs(change) > m_roundTripPs / SETTLED)
    {
        m_roundTripPs += change / SMOOTHING;
    }
}

void
SendConnection::VisitState(StateVisitor& visitor, ns3::Mac48Address self)
{
    if (!m_lost.empty() || m_untold > 0)
    {
        visitor.Aperiodic();
    }
    visitor.State(MacNumber(m_peer));
    visitor.SequenceNumber(WayNumber(self, m_peer), m_base);
    visitor.SequenceNumber(WayNumber(self, m_peer), m_nextNumber);
    visitor.State(m_transmissions - m_nextNumber);
    visitor.State(m_backoff);
    visitor.State(m_window);
    visitor.State(std::uint64_t{active} | std::uint64_t{m_taken} << 1U);
    visitor.State(m_grants.size());
    visitor.State(m_messages.size());
    if (visitor.HasSteps())
    {
        VisitQueues(visitor, self);
    }
    visitor.ForeignEvent(timer.EventUid());
    if (HasOutstanding())
    {
        visitor.Path(m_quietPath);
        visitor.At(m_quietSincePs); // whoever hears nothing comes nearer to a timeout
        for (std::size_t i = 0; i < m_outstanding.size(); ++i)
        {
            visitor.At(m_outstanding[i].sentPs);
            if (m_outstanding[i].bytes == 0) // says nothing of round trips
            {
                visitor.State(i);
            }
        }
    }
    if ((HasOutstanding() || visitor.HasSteps()) && MayTimeOut())
    {
        visitor.Aperiodic();
    }
    const auto perPeriod = visitor.Mean(m_roundTripPs, m_roundTrips, m_measuredPs.size());
    RepeatRoundTrips(perPeriod, visitor.Times());
    if (!m_messages.empty())
    {
        VisitMessage(visitor, *m_messages.front(), self);
    }
}

/**
 * Nothing is heard for no longer than a round trip. As the smoothed one stays between what it is and what is measured,
 * no timeout strikes if four of the shortest are longer than the longest.
 */
bool
SendConnection::MayTimeOut() const
{
    auto shortestPs = m_roundTripPs;
    std::int64_t longestPs = 0;
    for (std::size_t i = 0; i < std::min<std::uint64_t>(m_roundTrips, m_measuredPs.size()); ++i)
    {
        shortestPs = std::min(shortestPs, m_measuredPs[i]);
        longestPs = std::max(longestPs, m_measuredPs[i]);
    }
    return longestPs >= std::max(m_limits.minTimeoutPs, Times(shortestPs, TIMEOUT_ROUND_TRIPS));
}

/** What the last @p perPeriod ones have made of it, so many times more. */
void
SendConnection::RepeatRoundTrips(std::uint64_t perPeriod, std::uint64_t times)
{
    auto beforePs = perPeriod == 0 ? m_roundTripPs : 0;
    for (; times > 0 && m_roundTripPs != beforePs; --times)
    {
        beforePs = m_roundTripPs;
        for (auto number = m_roundTrips - perPeriod; number < m_roundTrips; ++number)
        {
            Smooth(m_measuredPs[number % m_measuredPs.size()]);
        }
    }
}

/** All that its messages are, but for how far the first one is. */
void
SendConnection::VisitQueues(StateVisitor& visitor, ns3::Mac48Address self)
{
    for (auto* queue : {&m_grants, &m_messages})
    {
        for (std::size_t i = 0; i < queue->size(); ++i)
        {
            auto& [message, left, begun] = *(*queue)[i];
            message.VisitState(visitor, self);
            visitor.State(std::uint64_t{left ? 1U : 0U} << 1U | std::uint64_t{begun});
            if (queue == &m_grants || i > 0) // else VisitMessage moves it
            {
                visitor.PastTime(message.sentPs);
            }
        }
    }
}

/** Also moves the places of its frames that are under way. */
void
SendConnection::VisitMessage(StateVisitor& visitor, OutgoingMessage& first, ns3::Mac48Address self)
{
    first.message.tag.VisitState(visitor, self, m_peer);
    visitor.State(first.message.compressible ? m_nextOffset / m_limits.payloadBytes % PATTERN_FRAMES
                                             : 0);
    const auto moved =
        visitor.Progress(first.message.sentPs, m_nextOffset, first.message.plainBytes);
    for (std::size_t i = 0; moved > 0 && i < m_outstanding.size(); ++i)
    {
        auto& frame = m_outstanding[i];
        frame.offset += frame.message.get() == &first ? moved : 0;
    }
}

std::uint64_t
SendConnection::TimeOut(std::int64_t nowPs)
{
    BeQuietFrom(nowPs);
    if (m_taken || MayRepeat())
    {
        return 0; // the host is at work on it
    }
    ++m_transmissions;
    m_firstProbe = m_backoff == 0 ? m_transmissions : m_firstProbe;
    m_backoff = std::min(m_backoff + 1, MostDoublings());
    return m_transmissions;
}

std::int64_t
SendConnection::DeadlinePs() const
{
    return AddSaturated(m_quietSincePs, TimeoutPs(m_backoff));
}

std::int64_t
SendConnection::LongestTimeoutPs() const
{
    return HasOutstanding() ? TimeoutPs(MostDoublings()) : 0;
}

unsigned
SendConnection::MostDoublings() const
{
    return m_lastRepeat == 0 ? SLOW_PATH_DOUBLINGS : LOSSY_PATH_DOUBLINGS;
}

std::int64_t
SendConnection::TimeoutPs(unsigned doublings) const
{
    const auto firstPs = m_roundTripPs == 0 ? m_limits.initialTimeoutPs
                                            : std::max(m_limits.minTimeoutPs,
                                                       Times(m_roundTripPs, TIMEOUT_ROUND_TRIPS));
    return Times(firstPs, std::uint64_t{1} << doublings);
}

/** The timeout counts from now. */
void
SendConnection::BeQuietFrom(std::int64_t nowPs)
{
    m_quietSincePs = nowPs;
    m_quietPath = PathLog::Now();
}

} // namespace inca
