/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/transport-receiver.h"

#include "device/nic.h"

#include <algorithm>
#include <utility>

namespace inca
{

TransportReceiver::TransportReceiver(ns3::Ptr<Nic> nic,
                                     ns3::Ptr<HostPath> path,
                                     std::uint32_t ackEvery,
                                     std::uint32_t windowFrames,
                                     std::uint64_t roomFrames,
                                     Receiver receiver,
                                     ReceiveCounts counts)
    : m_nic(std::move(nic)),
      m_path(std::move(path)),
      m_ackEvery(ackEvery),
      m_windowFrames(windowFrames),
      m_roomFrames(std::max<std::uint64_t>(roomFrames, windowFrames)),
      m_receiver(std::move(receiver)),
      m_counts(counts),
      m_arrivals([this](const ns3::Ptr<Frame>& frame) { Handle(frame); })
{
}

void
TransportReceiver::Take(ns3::Ptr<Frame> frame, std::int64_t readyPs)
{
    const bool isFree = frame->kind == FrameKind::PROBE || frame->segment.tag.grant;
    const auto costPs = isFree ? 0 : m_path->FrameCostPs(frame->plainBytes);
    const auto donePs = m_path->Receive(readyPs, costPs);
    m_arrivals.Enter(std::move(frame), donePs);
}

/** A connection without a message is no part of a state: whoever begins one has asked for it. */
void
TransportReceiver::VisitState(StateVisitor& visitor)
{
    const auto self = ns3::Mac48Address::ConvertFrom(m_nic->GetAddress());
    const auto isLeftOut = [](const auto& entry) {
        entry.second->isVisited = entry.second->IsReceiving();
        return !entry.second->isVisited;
    };
    m_visited.erase(std::remove_if(m_visited.begin(), m_visited.end(), isLeftOut), m_visited.end());
    for (const auto& [peer, connection] : m_visited)
    {
        connection->VisitState(visitor, peer, self);
    }
    m_arrivals.VisitState(visitor);
}

ReceiveConnection&
TransportReceiver::ConnectionFrom(ns3::Mac48Address peer)
{
    auto& [lastPeer, last] = m_lastAsked;
    if (last == nullptr || lastPeer != peer)
    {
        lastPeer = peer;
        last = &m_connections.try_emplace(peer, m_ackEvery, m_windowFrames).first->second;
    }
    return *last;
}

void
TransportReceiver::Handle(const ns3::Ptr<Frame>& frame)
{
    auto& connection = ConnectionFrom(frame->source);
    if (frame->kind == FrameKind::PROBE)
    {
        connection.Probed(*frame);
        Acknowledge(frame->source, connection);
        return;
    }
    const bool wasReceiving = connection.IsReceiving();
    const auto outcome = connection.Accept(frame, m_receiver);
    m_receiving += connection.IsReceiving() ? 1 : 0;
    if (connection.IsReceiving() && !std::exchange(connection.isVisited, true))
    {
        m_visited.emplace_back(frame->source, &connection);
    }
    m_receiving -= wasReceiving ? 1 : 0;
    m_counts.deliveredBytes += outcome.deliveredBytes;
    m_counts.duplicateFrames += outcome.duplicate ? 1 : 0;
    if (outcome.acknowledge)
    {
        Acknowledge(frame->source, connection);
    }
}

/** Its share, for each who sends now. */
std::uint32_t
TransportReceiver::Credit() const
{
    const auto share = m_roomFrames / std::max<std::uint32_t>(1, m_receiving);
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(share, 1, m_windowFrames));
}

void
TransportReceiver::Acknowledge(ns3::Mac48Address peer, ReceiveConnection& connection)
{
    connection.SetCredit(Credit());
    const auto receipt = connection.Receipts();
    auto frame = MakeTransportFrame(FrameKind::ACK, 0);
    frame->destination = peer;
    frame->segment.number = receipt.next;
    frame->segment.held = receipt.held;
    frame->segment.transmission = receipt.heard;
    frame->segment.credit = receipt.credit;
    ++m_counts.acks;
    m_nic->SendFrame(std::move(frame));
}

} // namespace inca
