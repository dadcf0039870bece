/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_SEND_CONNECTION_H
#define INCA_TRANSPORT_SEND_CONNECTION_H

#include "device/message.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

namespace inca
{

/** A message on its way out. */
struct OutgoingMessage
{
    Message message;
    std::uint64_t leftBytes{0}; ///< what `left` waits for
    std::function<void()> left; ///< empty once it was called, or scheduled
    bool begun{false};          ///< its first frame was taken
};

/** One frame of an outgoing message. */
struct OutgoingFrame
{
    std::uint64_t number{0}; ///< in its connection, from 0
    std::shared_ptr<OutgoingMessage> message;
    std::uint64_t offset{0}; ///< plain bytes of the message before it
    std::uint64_t bytes{0};  ///< plain payload
    bool first{false};       ///< begins the message, and was not sent before
    bool repeated{false};    ///< was sent before
};

/** What a connection may do. */
struct SendLimits
{
    std::uint32_t windowFrames{64};
    std::uint64_t payloadBytes{1460}; ///< per frame, whole values
    std::int64_t minTimeoutPs{1'000'000'000};
    std::int64_t initialTimeoutPs{10'000'000'000}; ///< until a round trip was measured
};

/**
 * The sender's half of a connection, without a clock: which frame is next, and what an
 * acknowledgement or a timeout means. The path keeps order, so an acknowledgement that does not
 * advance tells of a hole, which is sent again once. A timeout does not send data again: it asks for
 * an acknowledgement, whose answer tells for sure whether the oldest frame is lost. So nothing is
 * sent again that was not lost.
 */
class SendConnection
{
  public:
    SendConnection(ns3::Mac48Address peer, const SendLimits& limits);

    ns3::Mac48Address Peer() const
    {
        return m_peer;
    }

    void Queue(std::shared_ptr<OutgoingMessage> message);

    /** @return whether a frame may be sent now */
    bool HasFrame() const;

    /** Takes the next frame; there is one. */
    OutgoingFrame NextFrame();

    /** The frame was given to the NIC: the timeout counts from now. */
    void Sent(std::uint64_t number, std::int64_t nowPs);

    /**
     * The receiver has everything before frame @p next.
     * @param provenBefore frames before it have arrived, or are lost; 0 = no probe's answer
     */
    void Acknowledge(std::uint64_t next, std::uint64_t provenBefore, std::int64_t nowPs);

    /** The deadline has passed. @return the provenBefore to ask for; 0 = do not ask */
    std::uint64_t TimeOut(std::int64_t nowPs);

    /** @return when the timeout strikes if nothing happens; there are frames outstanding */
    std::int64_t DeadlinePs() const;

    bool HasOutstanding() const
    {
        return !m_outstanding.empty();
    }

    // -- kept for its sender
    bool active{false};   ///< stands in the sender's queue
    bool timerSet{false}; ///< its timeout event is pending

  private:
    /** A frame sent and not acknowledged. */
    struct Outstanding
    {
        OutgoingFrame frame;
        std::int64_t sentPs;
    };

    OutgoingFrame NewFrame();
    OutgoingFrame NextGrant();
    OutgoingFrame NextOfMessage();
    OutgoingFrame RepeatedFrame();
    void MeasureRoundTrip(const Outstanding& newest, std::int64_t nowPs);
    void Release(std::uint64_t next, std::int64_t nowPs);
    void UnderstandProbe(std::uint64_t provenBefore);
    void AskForRepeat();

    ns3::Mac48Address m_peer;
    SendLimits m_limits;
    std::deque<std::shared_ptr<OutgoingMessage>> m_grants;   ///< go between two frames
    std::deque<std::shared_ptr<OutgoingMessage>> m_messages; ///< with frames not yet sent
    std::uint64_t m_nextOffset{0};                           ///< in the first of them
    std::deque<Outstanding> m_outstanding;
    std::uint64_t m_nextNumber{0};
    std::uint64_t m_base{0};         ///< the oldest frame not acknowledged
    std::uint64_t m_recoverUntil{0}; ///< frames before it were sent before the last repetition
    bool m_taken{false};             ///< a frame was taken and is not with the NIC yet
    bool m_probeTells{false};        ///< nothing was repeated since the last probe
    bool m_repeatBase{false};        ///< the next frame is a repetition
    bool m_baseRepeated{false};      ///< asked for since the base advanced
    std::int64_t m_roundTripPs{0};   ///< smoothed; 0 = not measured
    std::int64_t m_quietSincePs{0};  ///< the last frame was sent, or acknowledged
    unsigned m_backoff{0};           ///< timeouts in a row
};

} // namespace inca

#endif // INCA_TRANSPORT_SEND_CONNECTION_H
