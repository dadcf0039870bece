/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_TRANSPORT_H
#define INCA_TRANSPORT_TRANSPORT_H

#include "device/message.h"
#include "device/train.h"
#include "transport/receive-connection.h"
#include "transport/send-connection.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace inca
{

class Nic;

/**
 * INCA's light transport on one host: messages in, frames out, and back. Aggregated to a node that
 * has a Nic.
 *
 * One connection per pair of hosts and direction: a FIFO of messages, a window of frames,
 * cumulative acknowledgements. Connections with something to send take turns, frame by frame. What
 * is lost is sent again: at the first sign of a hole, or after a timeout (4 smoothed round trips and at
 * least MinTimeout), when a probe of 84 bytes has found out that it is lost. Nothing is delivered twice.
 *
 * The host works on one frame after the other, in pipeline with the wire, sending and receiving
 * independently: plain bytes / HostByteRate + HostFrameCost each, and HostMessageCost before a
 * message's first frame leaves. A frame is delivered, and acknowledged, when the receiving host is
 * done with it. Acknowledgements and grants cost the hosts nothing.
 *
 * Of its own frames at most TxRing wait in the NIC, so that an acknowledgement never waits behind
 * a whole window.
 */
class Transport : public ns3::Object
{
  public:
    static ns3::TypeId GetTypeId();

    using Reached = std::function<void()>;
    using Receiver = std::function<void(ReceivedMessage)>;

    /** Sends and receives over @p nic from now on; called once. */
    void SetNic(ns3::Ptr<Nic> nic);

    /**
     * Queues a message behind those already queued for the same receiver.
     * @param left called once when the message's first @p leftBytes plain bytes have left the NIC
     *        (at once, in an event of its own, for 0 of a message with payload)
     */
    void Send(Message message, std::uint64_t leftBytes, Reached left);

    /**
     * @param reached called once when the first @p bytes plain bytes of that message were delivered
     *        to this host (at once, in an event of its own, if they are there already); a message's
     *        last byte is announced before the receiver gets the message
     */
    void WatchReceive(ns3::Mac48Address from, MessageTag tag, std::uint64_t bytes, Reached reached);

    /**
     * Who gets the whole messages of @p job, and its grants. To be said before the first of them comes:
     * one that nobody receives is an InvariantError.
     */
    void SetReceiver(JobId job, Receiver receiver);

    /** Counts so far; the trace sources of the same names tell every change. (frames, bytes) @{ */
    std::uint64_t SentFrames() const ///< data frames, first transmissions only
    {
        return m_sentFrames;
    }

    std::uint64_t RetransmittedFrames() const ///< data frames sent again
    {
        return m_retransmittedFrames;
    }

    std::uint64_t DeliveredBytes() const ///< plain payload, each byte once
    {
        return m_deliveredBytes;
    }

    std::uint64_t DuplicateFrames() const ///< arrived again, and dropped
    {
        return m_duplicateFrames;
    }

    std::uint64_t AcksSent() const ///< acknowledgements
    {
        return m_acksSent;
    }

    std::uint64_t ProbesSent() const ///< timeouts
    {
        return m_probesSent;
    }
    /** @} */

  protected:
    void DoDispose() override;

  private:
    /** A train that arrived, and when the host is done with it. */
    struct Arrived
    {
        ns3::Ptr<Train> train;
        std::int64_t donePs;
    };

    using ArrivalQueue = std::deque<Arrived>; ///< by time; at most one event is pending

    static ns3::TypeId AddProtocolAttributes(ns3::TypeId tid);
    static ns3::TypeId AddHostAttributes(ns3::TypeId tid);
    static ns3::TypeId AddTraceSources(ns3::TypeId tid);

    SendConnection& ConnectionTo(ns3::Mac48Address peer);
    ReceiveConnection& ConnectionFrom(ns3::Mac48Address peer);

    // -- sending
    void Activate(SendConnection& connection);
    void Pump();
    bool RingHasRoom();
    void WakeWhenRoom();
    void Work(SendConnection& connection, const OutgoingFrame& frame);
    void HostDone(SendConnection* connection, OutgoingFrame frame);
    void Commit(SendConnection& connection, const OutgoingFrame& frame);
    void AnnounceLeft(OutgoingMessage& message, std::uint64_t sentBytes, std::int64_t departurePs);
    std::int64_t SendingCostPs(const OutgoingFrame& frame) const;
    std::int64_t FrameCostPs(std::uint64_t plainBytes, bool isFree) const;
    void WatchTimeout(SendConnection& connection);
    void Timeout(SendConnection* connection);

    // -- receiving
    void Arrive(ns3::Ptr<Train> train, std::int64_t readyPs);
    void Enter(ArrivalQueue& queue, Arrived arrived);
    void ScheduleFirst(ArrivalQueue& queue);
    void HandleFirst(ArrivalQueue* queue);
    void HandleAck(const Train& train);
    void HandleData(const ns3::Ptr<Train>& train);
    void Deliver(ReceivedMessage message);
    void SendAck(ns3::Mac48Address peer, std::uint64_t next, std::uint64_t provenBefore);
    void SendProbe(ns3::Mac48Address peer, std::uint64_t provenBefore);

    // -- attributes
    std::uint32_t m_window;
    std::uint32_t m_ackEvery;
    std::uint32_t m_txRing;
    ns3::Time m_minTimeout;
    ns3::Time m_initialTimeout;
    std::uint64_t m_hostBytesPerSecond;
    ns3::Time m_hostFrameCost;
    ns3::Time m_hostMessageCost;

    ns3::Ptr<Nic> m_nic;
    std::map<JobId, Receiver> m_receivers;
    const Receiver m_deliver{[this](ReceivedMessage message) { Deliver(std::move(message)); }};
    std::map<ns3::Mac48Address, std::unique_ptr<SendConnection>> m_sending;
    std::map<ns3::Mac48Address, std::unique_ptr<ReceiveConnection>> m_receiving;

    std::deque<SendConnection*> m_active; ///< have a frame that may go now; the first is next
    std::deque<std::int64_t> m_ring;      ///< when own frames leave the NIC
    bool m_hostSends{false};              ///< the sending host works on a frame
    bool m_wakePending{false};

    std::int64_t m_hostReceivesUntilPs{0};
    ArrivalQueue m_acks;
    ArrivalQueue m_data;

    ns3::TracedValue<std::uint64_t> m_sentFrames{0};
    ns3::TracedValue<std::uint64_t> m_retransmittedFrames{0};
    ns3::TracedValue<std::uint64_t> m_deliveredBytes{0};
    ns3::TracedValue<std::uint64_t> m_duplicateFrames{0};
    ns3::TracedValue<std::uint64_t> m_acksSent{0};
    ns3::TracedValue<std::uint64_t> m_probesSent{0};
};

} // namespace inca

#endif // INCA_TRANSPORT_TRANSPORT_H
