/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/transport.h"

#include "device/nic.h"
#include "device/simulated-time.h"

#include "base/units.h"

#include "ns3/abort.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

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

ns3::Ptr<Train>
MakeTrain(ns3::Mac48Address peer, const OutgoingFrame& frame)
{
    const auto& message = frame.message->message;
    auto train = MakeTransportTrain(TrainKind::DATA, frame.bytes);
    train->destination = peer;
    train->compressible = message.compressible;
    train->bytes = ReadPayload(frame);
    train->segment.number = frame.number;
    train->segment.tag = message.tag;
    train->segment.messageBytes = message.plainBytes;
    train->segment.offset = frame.offset;
    train->segment.meanBits = message.meanBits;
    train->segment.repeated = frame.repeated;
    train->segment.last = frame.offset + frame.bytes == message.plainBytes;
    return train;
}

} // namespace

void
Transport::SetNic(ns3::Ptr<Nic> nic)
{
    NS_ABORT_MSG_IF(m_nic, "a transport has one NIC");
    m_nic = nic;
    m_nic->SetTrainReceiver({TrainKind::DATA, TrainKind::ACK, TrainKind::PROBE},
                            ns3::MakeCallback(&Transport::Arrive, this));
}

void
Transport::SetReceiver(JobId job, Receiver receiver)
{
    m_receivers[job] = std::move(receiver);
}

void
Transport::Send(Message message, std::uint64_t leftBytes, Reached left)
{
    const bool isLeft = leftBytes == 0 && message.plainBytes > 0;
    if (isLeft && left)
    {
        ns3::Simulator::ScheduleNow([told = std::exchange(left, {})] { told(); });
    }
    auto& connection = ConnectionTo(message.to);
    auto outgoing = std::make_shared<OutgoingMessage>();
    outgoing->message = std::move(message);
    outgoing->leftBytes = leftBytes;
    outgoing->left = std::move(left);
    connection.Queue(std::move(outgoing));
    Activate(connection);
}

void
Transport::WatchReceive(ns3::Mac48Address from,
                        MessageTag tag,
                        std::uint64_t bytes,
                        Reached reached)
{
    if (!ConnectionFrom(from).Watch(tag, bytes, reached))
    {
        ns3::Simulator::ScheduleNow([reached] { reached(); });
    }
}

SendConnection&
Transport::ConnectionTo(ns3::Mac48Address peer)
{
    auto& connection = m_sending[peer];
    if (!connection)
    {
        SendLimits limits;
        limits.windowFrames = m_window;
        limits.payloadBytes = MaxPayloadBytes(m_nic->GetMtu());
        limits.minTimeoutPs = m_minTimeout.GetTimeStep();
        limits.initialTimeoutPs = m_initialTimeout.GetTimeStep();
        connection = std::make_unique<SendConnection>(peer, limits);
    }
    return *connection;
}

ReceiveConnection&
Transport::ConnectionFrom(ns3::Mac48Address peer)
{
    auto& connection = m_receiving[peer];
    if (!connection)
    {
        // a window that is full before an acknowledgement is due would wait for its timeout
        connection = std::make_unique<ReceiveConnection>(std::min(m_ackEvery, m_window));
    }
    return *connection;
}

void
Transport::Activate(SendConnection& connection)
{
    if (!connection.active && connection.HasFrame())
    {
        connection.active = true;
        m_active.push_back(&connection);
    }
    Pump();
}

void
Transport::Pump()
{
    while (!m_hostSends && !m_active.empty())
    {
        if (!RingHasRoom())
        {
            WakeWhenRoom();
            return;
        }
        auto* connection = m_active.front();
        m_active.pop_front();
        connection->active = false;
        if (!connection->HasFrame())
        {
            continue; // an acknowledgement came before a repetition
        }
        const auto frame = connection->NextFrame();
        if (connection->HasFrame())
        {
            connection->active = true;
            m_active.push_back(connection);
        }
        Work(*connection, frame);
    }
}

void
Transport::Work(SendConnection& connection, const OutgoingFrame& frame)
{
    const auto cost = SendingCostPs(frame);
    if (cost == 0)
    {
        Commit(connection, frame);
        return;
    }
    m_hostSends = true;
    ns3::Simulator::Schedule(ns3::TimeStep(static_cast<std::uint64_t>(cost)),
                             &Transport::HostDone,
                             this,
                             &connection,
                             frame);
}

void
Transport::HostDone(SendConnection* connection, OutgoingFrame frame)
{
    m_hostSends = false;
    Commit(*connection, frame);
    Pump();
}

void
Transport::Commit(SendConnection& connection, const OutgoingFrame& frame)
{
    const auto now = NowPs();
    const auto departure = m_nic->SendTrain(MakeTrain(connection.Peer(), frame));
    if (departure)
    {
        m_ring.push_back(*departure);
        AnnounceLeft(*frame.message, frame.offset + frame.bytes, *departure);
    }
    frame.repeated ? ++m_retransmittedFrames : ++m_sentFrames;
    connection.Sent(frame.number, now);
    WatchTimeout(connection);
}

void
Transport::AnnounceLeft(OutgoingMessage& message, std::uint64_t sentBytes, std::int64_t departurePs)
{
    if (message.left && sentBytes >= message.leftBytes)
    {
        ns3::Simulator::Schedule(Until(departurePs),
                                 [told = std::exchange(message.left, {})] { told(); });
    }
}

bool
Transport::RingHasRoom()
{
    const auto now = NowPs();
    while (!m_ring.empty() && m_ring.front() <= now)
    {
        m_ring.pop_front();
    }
    return m_ring.size() < m_txRing;
}

void
Transport::WakeWhenRoom()
{
    if (m_wakePending)
    {
        return;
    }
    m_wakePending = true;
    // half of the ring at a time: fewer events, and the wire never idles
    ns3::Simulator::Schedule(Until(m_ring[(m_ring.size() - 1) / 2]), [this] {
        m_wakePending = false;
        Pump();
    });
}

std::int64_t
Transport::SendingCostPs(const OutgoingFrame& frame) const
{
    const bool isGrant = frame.message->message.tag.grant;
    const auto message = frame.first && !isGrant ? m_hostMessageCost.GetTimeStep() : 0;
    return message + FrameCostPs(frame.bytes, isGrant);
}

std::int64_t
Transport::FrameCostPs(std::uint64_t plainBytes, bool isFree) const
{
    return isFree ? 0 : WorkPs(plainBytes, m_hostBytesPerSecond) + m_hostFrameCost.GetTimeStep();
}

void
Transport::WatchTimeout(SendConnection& connection)
{
    if (!connection.timerSet && connection.HasOutstanding())
    {
        connection.timerSet = true;
        ns3::Simulator::Schedule(
            Until(connection.DeadlinePs()), &Transport::Timeout, this, &connection);
    }
}

void
Transport::Timeout(SendConnection* connection)
{
    connection->timerSet = false;
    const auto now = NowPs();
    if (connection->HasOutstanding() && connection->DeadlinePs() <= now)
    {
        if (const auto before = connection->TimeOut(now))
        {
            SendProbe(connection->Peer(), before);
        }
    }
    WatchTimeout(*connection);
}

void
Transport::SendProbe(ns3::Mac48Address peer, std::uint64_t provenBefore)
{
    auto train = MakeTransportTrain(TrainKind::PROBE, 0);
    train->destination = peer;
    train->segment.provenBefore = provenBefore;
    ++m_probesSent;
    m_nic->SendTrain(std::move(train));
}

void
Transport::DoDispose()
{
    m_nic = nullptr;
    m_receivers.clear();
    m_sending.clear();
    m_receiving.clear();
    ns3::Object::DoDispose();
}

} // namespace inca
