/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_SEND_CONNECTION_H
#define INCA_TRANSPORT_SEND_CONNECTION_H

#include "inca/base/ring-queue.h"
#include "inca/base/state-visitor.h"
#include "inca/device/lazy-timer.h"
#include "inca/device/message.h"
#include "inca/transport/receive-connection.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace inca
{

/** A message on its way out. */
struct OutgoingMessage
{
    Message message; ///< as its job handed it over
    std::function<void()>
        left;          ///< called when its last frame has left; empty once that is scheduled
    bool begun{false}; ///< its first frame was taken
};

/** One frame of an outgoing message. */
struct OutgoingFrame
{
    std::uint64_t number{0}; ///< in its connection, from 0
    /** Counts all that the connection sends, repetitions included, from 1. */
    std::uint64_t transmission{0};
    std::shared_ptr<OutgoingMessage> message; ///< which it is a part of
    std::uint64_t offset{0};                  ///< plain bytes of the message before it
    std::uint64_t bytes{0};                   ///< plain payload
    SharedBytes payload;                      ///< kept for repetitions; none: sizes only
    bool first{false};                        ///< begins the message, and was not sent before
    bool repeated{false};                     ///< was sent before
};

/** What a connection may do. */
struct SendLimits
{
    std::uint32_t windowFrames{64};                ///< sent and not acknowledged, at most
    std::uint64_t payloadBytes{1460};              ///< per frame, whole values
    std::int64_t minTimeoutPs{1'000'000'000};      ///< the shortest timeout
    std::int64_t initialTimeoutPs{10'000'000'000}; ///< until a round trip was measured
};

/**
 * The sender's half of a connection, without a clock: which frame is next, and what an
 * acknowledgement or a timeout means. Selective repeat: an acknowledgement says which frames are
 * there, and which transmission arrived last. The path keeps order, so what was sent before that
 * one and is not there is lost, repetitions too, and is sent again at once, as far as the window has room for what
 * is under way. A timeout does not send
 * data again: it sends a probe, a transmission as well, whose answer tells what is lost. So nothing
 * is sent again that was not lost, and only what nothing followed waits for a timeout.
 *
 * A timeout doubles while nothing is heard, and is the first again when there is news. It doubles up to
 * 64-fold where nothing was lost before, as the path may just be slow, else up to 8-fold.
 */
class SendConnection
{
  public:
    /** Makes a connection to the host at @p peer, which keeps to @p limits. */
    SendConnection(ns3::Mac48Address peer, const SendLimits& limits);

    /** The host that it sends to. */
    ns3::Mac48Address Peer() const
    {
        return m_peer;
    }

    void Queue(std::shared_ptr<OutgoingMessage> message); ///< puts it behind the others

    /** @return whether a message has frames that were not taken yet */
    bool HasMessage() const
    {
        return !m_messages.empty();
    }

    /** Of the message that is sent next; 0: there is none. */
    std::uint32_t FramesOfMessage() const;

    /** @return whether a frame may be sent now */
    bool HasFrame() const;

    /** Takes the next frame; there is one. */
    OutgoingFrame NextFrame();

    /** It was given to the NIC: the timeout counts from now. */
    void Sent(const OutgoingFrame& sent, std::int64_t nowPs);

    /**
     * The receiver said what it has. A receipt that is older than the last one, or tells of what was never
     * sent, is dropped, as TCP drops such acknowledgements (RFC 9293, 3.10.7.4).
     */
    void Acknowledge(const Receipt& receipt, std::int64_t nowPs);

    /** The deadline has passed. @return the transmission of the probe to send; 0 = none */
    std::uint64_t TimeOut(std::int64_t nowPs);

    /** @return when the timeout strikes if nothing happens, and frames are outstanding */
    std::int64_t DeadlinePs() const;

    /** Whether the receiver grants the whole window of the limits. */
    bool HasWholeWindow() const
    {
        return m_window == m_limits.windowFrames;
    }

    /** Why the deadline is not earlier. */
    const PathEnd& QuietPath() const
    {
        return m_quietPath;
    }

    /** What its timeout doubles to at most; 0 if nothing is outstanding. */
    std::int64_t LongestTimeoutPs() const;

    /** Shows its state; @p self is the host whose connection it is. */
    void VisitState(StateVisitor& visitor, ns3::Mac48Address self);

    /** Nothing is under way, or to be sent: it is as it was, until it is asked to send. */
    bool IsIdle() const
    {
        return m_outstanding.empty() && m_messages.empty() && m_grants.empty() &&
               timer.TimePs() == LazyTimer::NEVER_PS;
    }

    /** Whether frames were taken that are not all acknowledged. */
    bool HasOutstanding() const
    {
        return !m_outstanding.empty();
    }

    // -- kept for its sender
    bool active{false};    ///< stands in the sender's queue
    bool isVisited{false}; ///< stands among those that a StateVisitor goes over
    LazyTimer timer;       ///< of its timeout

  private:
    /**
     * A frame that was taken, and before which one is missing, or it itself: of an OutgoingFrame what
     * cannot be told from its place, as hosts hold a window of them each.
     */
    struct Outstanding
    {
        std::shared_ptr<OutgoingMessage> message; ///< which it is a part of
        std::uint64_t transmission{0};            ///< its last one
        std::uint64_t offset{0};                  ///< plain bytes of the message before it
        std::int64_t sentPs{0};                   ///< when the NIC got it last
        std::uint32_t bytes{0};                   ///< plain payload
        bool repeated{false};                     ///< was sent more than once
        bool held{false};                         ///< the receiver has it
        bool lost{false};                         ///< its last transmission; waits to be sent again
        /** It has come, or is lost, as what was sent later has come; a receipt did not reach so far to say which. */
        bool untold{false};

        /** Whether it may still arrive, as far as is known. */
        bool IsUnderWay() const
        {
            return !held && !lost && !untold;
        }
    };

    void VisitMessage(StateVisitor& visitor, OutgoingMessage& first, ns3::Mac48Address self);
    void VisitQueues(StateVisitor& visitor, ns3::Mac48Address self);
    bool MayRepeat() const;
    bool MayTimeOut() const;
    void Smooth(std::int64_t roundTripPs); ///< takes a round trip into the mean
    void RepeatRoundTrips(std::uint64_t perPeriod, std::uint64_t times);
    /**
     * @return whether a receipt is no older than the last one, and tells of nothing that was never
     * sent
     */
    bool IsCurrent(const Receipt& receipt) const;
    OutgoingFrame NewFrame();                      ///< takes one that was not sent before
    OutgoingFrame NextGrant();                     ///< takes the first grant
    OutgoingFrame NextOfMessage();                 ///< takes what is next of the first message
    void ExpectAnswer(const OutgoingFrame& taken); ///< adds a new frame to those outstanding
    OutgoingFrame RepeatedFrame();                 ///< takes the first one that is lost
    /**
     * By @p newest, the last frame that was acknowledged, unless a repetition or a probe disturbed
     * it.
     */
    void MeasureRoundTrip(const Outstanding& newest, std::uint64_t heard, std::int64_t nowPs);
    /** Forgets all frames before the first one that is missing. */
    void Release(const Receipt& receipt, std::int64_t nowPs);
    void BeQuietFrom(std::int64_t nowPs);
    void ForgetLost(std::uint64_t frames); ///< of the oldest ones outstanding
    bool MarkHeld(std::uint64_t held);     ///< @return whether any is new
    bool FindLost(std::uint64_t heard);    ///< @return whether any is new
    void SetUntold(Outstanding& frame, bool untold);
    std::int64_t TimeoutPs(unsigned doublings) const; ///< doubled so many times
    unsigned MostDoublings() const;                   ///< of a timeout

    ns3::Mac48Address m_peer; ///< the host that it sends to
    SendLimits m_limits;      ///< the window, the frame size and the timeouts
    std::uint32_t m_window;   ///< frames, as the receiver grants them; at most the limits'
    RingQueue<std::shared_ptr<OutgoingMessage>> m_grants;   ///< go between two frames
    RingQueue<std::shared_ptr<OutgoingMessage>> m_messages; ///< with frames not yet sent
    std::uint64_t m_nextOffset{0};                          ///< in the first of them
    RingQueue<Outstanding> m_outstanding;                   ///< by number, from m_base on
    RingQueue<std::uint64_t> m_lost;            ///< frames to send again, before any new one
    std::uint32_t m_underWay{0};                ///< of those outstanding: neither held nor lost
    std::uint32_t m_untold{0};                  ///< of those outstanding
    std::uint64_t m_nextNumber{0};              ///< of the next frame that was not sent before
    std::uint64_t m_base{0};                    ///< the oldest frame not acknowledged
    std::uint64_t m_transmissions{0};           ///< so far
    std::uint64_t m_lastRepeat{0};              ///< the transmission of the last repetition
    bool m_taken{false};                        ///< a frame was taken and is not with the NIC yet
    std::int64_t m_roundTripPs{0};              ///< smoothed; 0 = not measured
    std::uint64_t m_roundTrips{0};              ///< measured
    std::array<std::int64_t, 8> m_measuredPs{}; ///< the last of them, number n at place n mod 8
    std::int64_t m_quietSincePs{0};             ///< the last frame was sent, or the last news came
    PathEnd m_quietPath;                        ///< to that
    unsigned m_backoff{0};                      ///< timeouts in a row
    std::uint64_t m_firstProbe{0};              ///< the transmission of the first of them
};

} // namespace inca

#endif // INCA_TRANSPORT_SEND_CONNECTION_H
