/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_TRANSPORT_H
#define INCA_TRANSPORT_TRANSPORT_H

#include "inca/base/state-visitor.h"
#include "inca/device/frame.h"
#include "inca/device/mac-hash.h"
#include "inca/device/message.h"
#include "inca/transport/host-path.h"
#include "inca/transport/message-transport.h"
#include "inca/transport/receive-connection.h"
#include "inca/transport/transport-sender.h"

#include "ns3/nstime.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace inca
{

/**
 * @ingroup inca
 *
 * INCA's light transport over one NIC: messages in, frames out, and back. Its host's work costs what the
 * node's HostPath says. A message has left when all of it has left the NIC.
 *
 * One connection per pair of hosts and direction: a FIFO of messages, a window of frames,
 * acknowledgements that say what is there. Connections with something to send take turns, frame by frame.
 * What is lost is sent again (selective repeat): at once if anything sent later arrived, else after a
 * timeout (4 smoothed round trips and at least MinTimeout), when a probe of 84 bytes has found out
 * that it is lost. Nothing is sent again that was not lost, and nothing is delivered twice.
 *
 * A frame is delivered, and acknowledged, when the receiving host is done with it.
 * Acknowledgements, probes and grants cost the hosts nothing.
 *
 * Of its own frames at most TxRing wait in the NIC, so that an acknowledgement never waits behind
 * a whole window.
 */
class Transport : public MessageTransport
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    Transport();

    /** Whether it has read its attributes, which stay as they are then. */
    bool IsInUse() const
    {
        return m_sending.has_value() || !m_connections.empty();
    }

    void SetNic(ns3::Ptr<Nic> nic) override;

    bool HasFrames() const override
    {
        return true;
    }

    void SetRoom(std::uint64_t bytes) override;
    void VisitState(StateVisitor& visitor) override; ///< shows its state
    double LongestSilencePs(double timeoutsInVain) const override;

    /** Counts so far; the trace sources of the same names tell every change. (frames, bytes) @{ */
    std::uint64_t SentFrames() const ///< data frames, first transmissions only
    {
        return m_sentFrames;
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

    /** What a GoesOn sink looks like: an acknowledgement came from @p to, for which there is more to send. */
    typedef void (*PeerTracedCallback)(ns3::Mac48Address to);

  protected:
    void DoDispose() override;

  private:
    void DoSend(Message message, std::function<void()> left) override; ///< queues a message
    void DoRest() override;

    static ns3::TypeId AddAttributes(ns3::TypeId tid);   ///< declares them
    static ns3::TypeId AddTraceSources(ns3::TypeId tid); ///< declares them

    TransportSender& Sending(); ///< made at the first use
    SendLimits Limits() const;  ///< by the attributes

    // -- receiving
    void Arrive(ns3::Ptr<Frame> frame, std::int64_t readyPs); ///< a frame has come through the NIC
    void Handle(const ns3::Ptr<Frame>& frame);
    ReceiveConnection& ConnectionFrom(ns3::Mac48Address peer); ///< made at the first frame
    std::uint64_t RoomFrames() const;                          ///< that others may send at once
    std::uint32_t Credit() const;
    void Acknowledge(ns3::Mac48Address peer,
                     ReceiveConnection& connection); ///< what has come so far
    void VisitReceiving(StateVisitor& visitor);

    // -- attributes
    std::uint32_t m_window;     ///< attribute Window
    std::uint32_t m_ackEvery;   ///< attribute AckEvery
    std::uint32_t m_txRing;     ///< attribute TxRing
    bool m_credits;             ///< attribute Credits
    ns3::Time m_minTimeout;     ///< attribute MinTimeout
    ns3::Time m_initialTimeout; ///< attribute InitialTimeout

    ns3::Ptr<Nic> m_nic;                      ///< sends and receives
    ns3::Ptr<HostPath> m_path;                ///< of the host
    std::optional<std::uint64_t> m_roomBytes; ///< of the port before the host

    std::optional<TransportSender>
        m_sending; ///< made when first used, after all attributes were set

    const Receiver m_deliver{[this](ReceivedMessage message) {
        Deliver(std::move(message));
    }};                                ///< gives whole messages to their job
    std::uint32_t m_receivingCount{0}; ///< connections with a message that is not whole
    std::unordered_map<ns3::Mac48Address, ReceiveConnection, MacHash> m_connections; ///< by sender
    std::pair<ns3::Mac48Address, ReceiveConnection*> m_lastAsked{}; ///< one of them, or none yet
    /** All that are receiving, and some that were. */
    std::vector<std::pair<ns3::Mac48Address, ReceiveConnection*>> m_visited;
    ArrivalQueue m_arrivals; ///< frames that the host works on

    ns3::TracedValue<std::uint64_t> m_sentFrames{0};      ///< trace source SentFrames
    ns3::TracedValue<std::uint64_t> m_duplicateFrames{0}; ///< trace source DuplicateFrames
    ns3::TracedValue<std::uint64_t> m_acksSent{0};        ///< trace source AcksSent
    ns3::TracedValue<std::uint64_t> m_probesSent{0};      ///< trace source ProbesSent
    ns3::TracedCallback<ns3::Mac48Address> m_goesOn;      ///< trace source GoesOn
};

} // namespace inca

#endif // INCA_TRANSPORT_TRANSPORT_H
