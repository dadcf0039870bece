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
#include <optional>
#include <unordered_map>
#include <vector>

namespace inca
{

class Nic;

/** The counters that a sender moves, and whom it tells: its transport's. */
struct SendCounts
{
    ns3::TracedValue<std::uint64_t>& frames; ///< first transmissions
    ns3::TracedValue<std::uint64_t>& repeatedFrames;
    ns3::TracedValue<std::uint64_t>& probes;
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
    /** @param txRing own frames that may wait in the NIC, at least 1 */
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

    /** Takes an ACK frame. @param readyPs when it is out of the NIC */
    void TakeAck(ns3::Ptr<Frame> frame, std::int64_t readyPs);

    /** Those that wait for nothing any more, once all is answered and no rank may send. */
    void StopTimers();

    void VisitState(StateVisitor& visitor); ///< shows its state

    /** The longest that any connection waits between two signs of life that it asks for. (ps) */
    std::int64_t LongestTimeoutPs() const;

  private:
    static constexpr std::uint32_t KEPT_DEPARTURES{16};

    SendConnection& ConnectionTo(ns3::Mac48Address peer);

    void Activate(SendConnection& connection);
    void Pump();
    bool RingHasRoom();
    void WakeWhenRoom();
    void Wake();
    void Work(SendConnection& connection, const OutgoingFrame& frame);
    void EndWork();
    void Commit(SendConnection& connection, const OutgoingFrame& frame);
    void VisitWork(StateVisitor& visitor);
    std::int64_t CostPs(const OutgoingFrame& frame) const;

    void HandleAck(const Frame& frame);
    void WatchTimeout(SendConnection& connection);
    void Timeout(SendConnection& connection);
    void SendProbe(ns3::Mac48Address peer, std::uint64_t transmission);

    ns3::Ptr<Nic> m_nic;
    ns3::Ptr<HostPath> m_path;
    SendLimits m_limits;
    std::uint32_t m_txRing;
    SendCounts m_counts;

    std::unordered_map<ns3::Mac48Address, SendConnection, MacHash> m_connections;
    SendConnection* m_lastAsked{nullptr};   ///< one of them
    RingQueue<SendConnection*> m_active;    ///< have a frame that may go now; the first is next
    std::vector<SendConnection*> m_visited; ///< all that are not idle, and some that are again
    RingQueue<std::int64_t, KEPT_DEPARTURES> m_ring; ///< when own frames leave the NIC
    bool m_wakePending{false};
    KeptEvent m_wake{KeptEvent::Of<&TransportSender::Wake>(this)};
    std::uint32_t m_unanswered{0}; ///< connections with outstanding frames
    HostPath::Sender m_turn;
    ArrivalQueue m_acks;
    /** With which the host is at work. */
    std::optional<OutgoingFrame> m_working;
    SendConnection* m_workingFor{nullptr};
};

} // namespace inca

#endif // INCA_TRANSPORT_TRANSPORT_SENDER_H
