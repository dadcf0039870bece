/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/send-connection.h"

#include "base/stream-pattern.h"
#include "base/units.h"
#include "device/mac-hash.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

constexpr std::uint64_t TIMEOUT_ROUND_TRIPS{4};
constexpr std::int64_t SMOOTHING{8}; ///< a new round trip weighs 1/8, as in TCP (RFC 6298)
constexpr unsigned SLOW_PATH_DOUBLINGS{6};
constexpr std::uint64_t TRAINS_PER_MESSAGE{
    16}; ///< at least: who goes first matters for no more of it
constexpr unsigned LOSSY_PATH_DOUBLINGS{3};
constexpr std::size_t KEPT_ROUND_TRIPS{1024}; ///< of a period that is left out, at most

std::shared_ptr<const std::vector<std::uint8_t>>
ReadPayload(const OutgoingFrame& frame)
{
    const auto& payload = frame.message->message.payload;
    if (!payload || frame.bytes == 0)
    {
        return nullptr;
    }
    auto bytes = std::make_shared<std::vector<std::uint8_t>>(frame.bytes);
    payload->Read(frame.offset, frame.bytes, bytes->data());
    return bytes;
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
    return !m_lost.empty() || (anything && m_outstanding.size() < m_limits.windowFrames);
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
    m_nextNumber += frame.frames;
    m_transmissions += frame.frames;
    if (m_limits.trainFrames > 1)
    {
        const auto sent = m_unacknowledged + frame.frames;
        const bool isAcknowledged = isGrant || m_nextOffset == 0 || sent >= m_limits.ackEvery;
        m_unacknowledged = isAcknowledged ? 0 : sent;
    }
    if (frame.frames == 1)
    {
        m_outstanding.push_back({frame, m_quietSincePs, false, false});
    }
    else
    {
        ExpectEach(frame);
    }
    return frame;
}

/** So they are acknowledged, and lost. */
void
SendConnection::ExpectEach(OutgoingFrame taken)
{
    const auto frames = std::exchange(taken.frames, 1);
    taken.bytes /= frames;
    for (std::uint32_t i = 0; i < frames; ++i)
    {
        m_outstanding.push_back({taken, m_quietSincePs, false, false});
        ++taken.number;
        ++taken.transmission;
        taken.offset += taken.bytes;
        taken.first = false;
    }
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
    frame.frames = m_limits.trainFrames == 1 ? 1 : FramesAtOnce();
    frame.bytes = std::min(frame.frames * m_limits.payloadBytes, size - m_nextOffset);
    frame.payload = ReadPayload(frame);
    m_nextOffset += frame.bytes;
    if (m_nextOffset == size)
    {
        m_messages.pop_front();
        m_nextOffset = 0;
    }
    return frame;
}

/** Of the first message, of which a train is but a part; one whose departure a rank is told ends a train. */
std::uint32_t
SendConnection::FramesAtOnce() const
{
    const auto& [message, leftBytes, left, begun] = *m_messages.front();
    if (message.payload || message.codedSizes)
    {
        return 1;
    }
    const auto payload = m_limits.payloadBytes;
    auto frames = std::min<std::uint64_t>(m_limits.trainFrames,
                                          (message.plainBytes - m_nextOffset) / payload);
    frames = std::min(frames, message.plainBytes / payload / TRAINS_PER_MESSAGE);
    frames = std::min<std::uint64_t>(frames, m_limits.windowFrames - m_outstanding.size());
    frames = std::min<std::uint64_t>(frames, m_limits.ackEvery - m_unacknowledged);
    if (left && m_nextOffset < leftBytes)
    {
        frames = std::min(frames, (leftBytes - m_nextOffset + payload - 1) / payload);
    }
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, frames));
}

OutgoingFrame
SendConnection::RepeatedFrame()
{
    auto& outstanding = m_outstanding[m_lost.front() - m_base];
    m_lost.pop_front();
    outstanding.lost = false;
    auto& frame = outstanding.frame;
    frame.transmission = ++m_transmissions;
    frame.repeated = true;
    frame.first = false;
    m_lastRepeat = frame.transmission;
    return frame;
}

void
SendConnection::Sent(const OutgoingFrame& sent, std::int64_t nowPs)
{
    m_taken = false;
    m_quietSincePs = nowPs;
    for (auto number = std::max(sent.number, m_base); number < sent.number + sent.frames; ++number)
    {
        m_outstanding[number - m_base].sentPs = nowPs;
    }
}

void
SendConnection::Acknowledge(const Receipt& receipt, std::int64_t nowPs)
{
    if (!IsCurrent(receipt))
    {
        return;
    }
    if (receipt.next > m_base)
    {
        Release(receipt.next, nowPs);
    }
    const bool newlyHeld = MarkHeld(receipt.held);
    const bool newlyLost = FindLost(receipt.heard);
    if (newlyHeld || newlyLost)
    {
        m_backoff = 0;
        m_quietSincePs = nowPs;
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
    for (std::size_t i = 0; i < told; ++i)
    {
        auto& [frame, sentPs, isHeld, isLost] = m_outstanding[i];
        if (frame.transmission > heard && !frame.repeated)
        {
            break; // and so were all behind it
        }
        if (frame.transmission <= heard && !isHeld && !isLost)
        {
            isLost = true;
            m_lost.push_back(frame.number);
            isNews = true;
        }
    }
    return isNews;
}

void
SendConnection::Release(std::uint64_t next, std::int64_t nowPs)
{
    const auto frames = next - m_base;
    ForgetLost(frames);
    MeasureRoundTrip(m_outstanding[frames - 1], nowPs);
    for (std::uint64_t i = 0; i < frames; ++i)
    {
        m_outstanding.pop_front();
    }
    m_base += frames;
    m_backoff = 0;
    m_quietSincePs = nowPs;
}

void
SendConnection::ForgetLost(std::uint64_t frames)
{
    bool wasLost = false;
    for (std::uint64_t i = 0; i < frames; ++i)
    {
        wasLost = wasLost || m_outstanding[i].lost;
    }
    for (auto left = wasLost ? m_lost.size() : 0; left > 0; --left)
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
SendConnection::MeasureRoundTrip(const Outstanding& newest, std::int64_t nowPs)
{
    // what waited behind a repetition says how long the loss took to find, and would feed the next
    // timeout; an empty frame costs its hosts nothing
    const bool disturbed = m_backoff > 0 || newest.frame.transmission < m_lastRepeat;
    if (disturbed || newest.frame.bytes == 0)
    {
        return;
    }
    const auto sample = nowPs - newest.sentPs;
    Smooth(sample);
    ++m_roundTrips;
    m_lastRoundTrips.push_back(sample);
    if (m_lastRoundTrips.size() > KEPT_ROUND_TRIPS)
    {
        m_lastRoundTrips.pop_front();
    }
}

void
SendConnection::Smooth(std::int64_t roundTripPs)
{
    m_roundTripPs += m_roundTripPs == 0 ? roundTripPs : (roundTripPs - m_roundTripPs) / SMOOTHING;
}

/** Those of a period come again in every one that is left out, until they change nothing more. */
void
SendConnection::WalkRoundTrips(StateWalk& walk)
{
    const auto moved = walk.CountKept(m_roundTrips, m_lastRoundTrips.size());
    const auto ofPeriod = moved == 0 ? 0 : moved / walk.Times();
    for (auto left = moved; left > 0; left -= ofPeriod)
    {
        const auto beforePs = m_roundTripPs;
        for (auto back = ofPeriod; back > 0; --back)
        {
            Smooth(m_lastRoundTrips[m_lastRoundTrips.size() - back]);
        }
        if (m_roundTripPs == beforePs)
        {
            return;
        }
    }
}

void
SendConnection::Walk(StateWalk& walk, ns3::Mac48Address self)
{
    if (!m_lost.empty())
    {
        walk.Once();
    }
    walk.Number(WayNumber(self, m_peer), m_base);
    walk.Number(WayNumber(self, m_peer), m_nextNumber);
    walk.State(m_transmissions - m_nextNumber);
    walk.State(m_backoff);
    walk.State(std::uint64_t{active} | std::uint64_t{m_taken} << 1U);
    walk.State(m_grants.size());
    walk.State(m_messages.size());
    walk.Apart(timer.GetUid());
    WalkRoundTrips(walk);
    if (HasOutstanding())
    {
        walk.At(m_quietSincePs); // whoever hears nothing comes nearer to a timeout
    }
    if (!m_messages.empty())
    {
        WalkMessage(walk, *m_messages.front());
    }
}

/** Also moves the places of its frames that are under way. */
void
SendConnection::WalkMessage(StateWalk& walk, const OutgoingMessage& first)
{
    const auto size = first.message.plainBytes;
    const bool isToTell = first.left != nullptr;
    if (isToTell && m_nextOffset >= first.leftBytes)
    {
        walk.Once(); // it is told with the frame that the host is at work on
    }
    walk.State(reinterpret_cast<std::uintptr_t>(&first));
    walk.State(isToTell ? 1 : 0);
    walk.State(first.message.compressible ? m_nextOffset / m_limits.payloadBytes % PATTERN_FRAMES
                                          : 0);
    const auto moved = walk.CountUpTo(m_nextOffset, isToTell ? first.leftBytes : size);
    for (std::size_t i = 0; moved > 0 && i < m_outstanding.size(); ++i)
    {
        auto& frame = m_outstanding[i].frame;
        frame.offset += frame.message.get() == &first ? moved : 0;
    }
}

std::uint64_t
SendConnection::TimeOut(std::int64_t nowPs)
{
    m_quietSincePs = nowPs;
    if (m_taken || !m_lost.empty())
    {
        return 0; // the host is at work on it
    }
    m_backoff = std::min(m_backoff + 1, MostDoublings());
    return ++m_transmissions;
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

} // namespace inca
