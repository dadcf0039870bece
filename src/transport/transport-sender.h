/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_TRANSPORT_SENDER_H
#define INCA_TRANSPORT_TRANSPORT_SENDER_H

#include "inca/base/ring-queue.h"
#include "inca/base/state-visitor.h"
#include "inca/device/frame.h"
#include "inca/device/kept-event.h"
#include "inca/device/mac-hash.h"
#include "inca/device/message.h"
#include "inca/transport/host-path.h"
#include "inca/transport/send-connection.h"

#include "ns3/mac48-address.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <unordered_map>
#include <vector>

namespace inca
{

class Nic;

/** The counters that a sender moves, and whom it tells: its transport's. */
struct SendCounts
{
    ns3::TracedValue<std::uint64_t>& frames;         ///< first transmissions
    ns3::TracedValue<std::uint64_t>& repeatedFrames; ///< with payload, sent again
    ns3::TracedValue<std::uint64_t>& probes;         ///< which asked for an acknowledgement
    /** Told of a host that has acknowledged, and for which there is more to send. */
    ns3::TracedCallback<ns3::Mac48Address>& goesOn;
    const std::uint32_t& users; ///< ranks that may send
};

/**
 * The sending side of a transport: its connections to other hosts, which take turns, frame by frame;
 * the frames in the NIC, of which it has at most a ring's; timeouts; and acknowledgements as they come.
 */
class TransportSender
{
  public:
    /**
     * @param nic sends its frames
     * @param path of the host
     * @param limits of each connection
     * @param txRing own frames that may wait in the NIC, at least 1
     * @param counts of its transport, which outlives it
     */
    TransportSender(ns3::Ptr<Nic> nic,
                    ns3::Ptr<HostPath> path,
                    const SendLimits& limits,
                    std::uint32_t txRing,
                    SendCounts counts);

    TransportSender(const TransportSender&) = delete; // the path knows where it is
    TransportSender& operator=(const TransportSender&) = delete;
    ~TransportSender() = default;

    /** As Transport::Send. */
    void Send(Message message, std::function<void()> left);

    /** Takes an ACK frame, which is out of the NIC at @p readyPs. */
    void TakeAck(ns3::Ptr<Frame> frame, std::int64_t readyPs);

    /** Those that wait for nothing any more, once all is answered and no rank may send. */
    void StopTimers();

    void VisitState(StateVisitor& visitor); ///< shows its state

    /** The longest that any connection waits between two signs of life that it asks for. (ps) */
    std::int64_t LongestTimeoutPs() const;

  private:
    /** When a frame leaves the NIC, and why then. */
    struct Departure
    {
        std::int64_t timePs{0}; ///< of its last bit
        PathEnd path;           ///< to that
    };

    /** A message whose last frame is in the NIC. */
    struct Leaving
    {
        std::uint64_t eventUid{0};  ///< of when it has left
        ns3::Mac48Address to;       ///< who gets it
        MessageTag tag;             ///< which message it is
        std::function<void()> told; ///< is called then
        PathEnd path;               ///< to that
    };

    static constexpr std::uint32_t KEPT_DEPARTURES{16}; ///< room that an empty ring keeps

    SendConnection& ConnectionTo(ns3::Mac48Address peer); ///< made at the first message

    void Activate(SendConnection& connection); ///< queues it if a frame may go, and lets frames go
    void Pump();                               ///< sends what may go, in turns
    bool RingHasRoom();                        ///< forgets what has left, too
    void WakeWhenRoom();                       ///< lets frames go on when half of the ring has left
    /** Tells whoever sent a message when it has left, if its last frame was given to the NIC. */
    void AnnounceLeft(OutgoingMessage& message, std::uint64_t sentBytes, std::int64_t departurePs);
    void VisitConnections(StateVisitor& visitor); ///< shows those that matter
    void Wake();                                  ///< half of the ring has left
    /** Has the host work on a frame, which then goes to the NIC. */
    void Work(SendConnection& connection, const OutgoingFrame& frame);
    void EndWork(); ///< the host has worked on a frame
    void Commit(SendConnection& connection, const OutgoingFrame& frame); ///< gives it to the NIC
    void VisitWork(StateVisitor& visitor); ///< shows the frame that the host works on
    std::int64_t CostPs(const OutgoingFrame& frame) const; ///< what a frame costs the host

    void HandleAck(const Frame& frame); ///< takes what an acknowledgement says
    void WatchTimeout(SendConnection& connection);
    void Timeout(SendConnection& connection); ///< its timer has woken: sends a probe if it is due
    void SendProbe(ns3::Mac48Address peer, std::uint64_t transmission); ///< asks what is there

    ns3::Ptr<Nic> m_nic;       ///< sends frames
    ns3::Ptr<HostPath> m_path; ///< of the host, which all who send on it share
    SendLimits m_limits;       ///< of all connections
    std::uint32_t m_txRing;    ///< own frames that may wait in the NIC
    SendCounts m_counts;       ///< of its transport

    std::unordered_map<ns3::Mac48Address, SendConnection, MacHash> m_connections; ///< by receiver
    SendConnection* m_lastAsked{nullptr};                                         ///< one of them
    RingQueue<SendConnection*> m_active;    ///< have a frame that may go now; the first is next
    std::vector<SendConnection*> m_visited; ///< all that are not idle, and some that are again
    RingQueue<Departure, KEPT_DEPARTURES> m_ring; ///< of own frames in the NIC
    std::list<Leaving> m_leaving;                 ///< in the order of their announcements
    bool m_wakePending{false};                    ///< whether m_wake is set
    KeptEvent m_wake{KeptEvent::Of<&TransportSender::Wake>(this)}; ///< when WakeWhenRoom says
    std::uint32_t m_unanswered{0}; ///< connections with outstanding frames
    HostPath::Sender m_turn;       ///< on the host
    ArrivalQueue m_acks;           ///< acknowledgements that the NIC is not done with
    /** With which the host is at work. */
    std::optional<OutgoingFrame> m_working;
    SendConnection* m_workingFor{nullptr}; ///< whose frame m_working is
};

} // namespace inca

#endif // INCA_TRANSPORT_TRANSPORT_SENDER_H
