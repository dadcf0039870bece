/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_TRANSPORT_RECEIVER_H
#define INCA_TRANSPORT_TRANSPORT_RECEIVER_H

#include "base/state-visitor.h"
#include "device/frame.h"
#include "device/mac-hash.h"
#include "device/message.h"
#include "transport/arrival-queue.h"
#include "transport/host-path.h"
#include "transport/receive-connection.h"

#include "ns3/mac48-address.h"
#include "ns3/ptr.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace inca
{

class Nic;

/** The counters that a receiver moves: its transport's. */
struct ReceiveCounts
{
    ns3::TracedValue<std::uint64_t>& deliveredBytes;
    ns3::TracedValue<std::uint64_t>& duplicateFrames;
    ns3::TracedValue<std::uint64_t>& acks;
};

/**
 * The receiving side of a transport: frames as the host is done with them, its connections from other
 * hosts, and the acknowledgements that it sends.
 */
class TransportReceiver
{
  public:
    using Receiver = ReceiveConnection::Receiver;

    /**
     * @param ackEvery frames in order per acknowledgement, at least 1
     * @param windowFrames of those who send to it
     * @param roomFrames that all who send to it together may have under way, or a window, if that is more
     * @param receiver gets whole messages, and grants
     */
    TransportReceiver(ns3::Ptr<Nic> nic,
                      ns3::Ptr<HostPath> path,
                      std::uint32_t ackEvery,
                      std::uint32_t windowFrames,
                      std::uint64_t roomFrames,
                      Receiver receiver,
                      ReceiveCounts counts);

    TransportReceiver(const TransportReceiver&) = delete; // its queue knows where it is
    TransportReceiver& operator=(const TransportReceiver&) = delete;
    ~TransportReceiver() = default;

    /** Takes a DATA or PROBE frame. @param readyPs when it is out of the NIC */
    void Take(ns3::Ptr<Frame> frame, std::int64_t readyPs);

    void VisitState(StateVisitor& visitor);

  private:
    ReceiveConnection& ConnectionFrom(ns3::Mac48Address peer);
    void Handle(const ns3::Ptr<Frame>& frame);
    std::uint32_t Credit() const;
    void Acknowledge(ns3::Mac48Address peer, ReceiveConnection& connection);

    ns3::Ptr<Nic> m_nic;
    ns3::Ptr<HostPath> m_path;
    std::uint32_t m_ackEvery;
    std::uint32_t m_windowFrames;
    std::uint64_t m_roomFrames;
    std::uint32_t m_receiving{0}; ///< connections with a message that is not whole
    Receiver m_receiver;
    ReceiveCounts m_counts;
    std::unordered_map<ns3::Mac48Address, ReceiveConnection, MacHash> m_connections;
    std::pair<ns3::Mac48Address, ReceiveConnection*> m_lastAsked{}; ///< one of them, or none yet
    /** All that are receiving, and some that were. */
    std::vector<std::pair<ns3::Mac48Address, ReceiveConnection*>> m_visited;
    ArrivalQueue m_arrivals;
};

} // namespace inca

#endif // INCA_TRANSPORT_TRANSPORT_RECEIVER_H
