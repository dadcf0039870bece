/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/tcp-transport.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "device/initial-attribute.h"
#include "device/nic.h"
#include "device/simulated-time.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaTcpTransport");

NS_OBJECT_ENSURE_REGISTERED(TcpTransport);

namespace
{

constexpr double g_giveUpPs{16 * 60e12}; ///< the longest timeout is a minute; 15 retries

} // namespace

ns3::TypeId
TcpTransport::GetTypeId()
{
    static ns3::TypeId tid =
        ns3::TypeId("inca::TcpTransport")
            .SetParent<MessageTransport>()
            .SetGroupName("Inca")
            .AddConstructor<TcpTransport>()
            .AddAttribute(
                "Sockets",
                "connections to each host, over which a message is spread",
                ns3::UintegerValue(1),
                Initially<TcpTransport>(ns3::MakeUintegerAccessor(&TcpTransport::m_sockets)),
                ns3::MakeUintegerChecker<std::uint32_t>(1, 64))
            .AddAttribute(
                "TxQueue",
                "bytes that TCP keeps in the NIC, about",
                ns3::UintegerValue(64U << 10U),
                Initially<TcpTransport>(ns3::MakeUintegerAccessor(&TcpTransport::m_txQueueBytes)),
                ns3::MakeUintegerChecker<std::uint32_t>(1))
            .AddAttribute("RestartAfterIdle",
                          "whether the congestion window shrinks while nothing is sent",
                          ns3::BooleanValue(true),
                          Initially<TcpTransport>(
                              ns3::MakeBooleanAccessor(&TcpTransport::m_restartsAfterIdle)),
                          ns3::MakeBooleanChecker());
    return tid;
}

TcpTransport::TcpTransport()
{
    m_turn.onTurn = [this] { Feed(); };
}

void
TcpTransport::SetNic(ns3::Ptr<Nic> nic)
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_UNLESS(nic->GetNode(), "a NIC is on its node before a transport uses it");
    SetHost(nic->GetNode(), ns3::Mac48Address::ConvertFrom(nic->GetAddress()));
    m_nic = nic;
    m_host.emplace(nic, [this](auto socket, auto from, auto port) { Accept(socket, from, port); });
    m_segmentBytes = m_host->SegmentBytes();
}

void
TcpTransport::SetStack(const ns3::Ptr<ns3::Node>& node, ns3::Ipv4Address address)
{
    NS_LOG_FUNCTION(this << node << address);
    SetHost(node, TcpHost::NameOf(address));
    m_host.emplace(
        node, address, [this](auto socket, auto from, auto port) { Accept(socket, from, port); });
    m_segmentBytes = m_host->SegmentBytes();
}

void
TcpTransport::SetHost(const ns3::Ptr<ns3::Node>& node, ns3::Mac48Address address)
{
    NS_LOG_FUNCTION(this << address);
    NS_ABORT_MSG_IF(m_host, "a transport has one NIC, or one stack");
    m_path = HostPath::Of(node);
    m_address = address;
}

void
TcpTransport::SetPeers(PeerLookup peers)
{
    NS_LOG_FUNCTION(this);
    m_peers = std::move(peers);
}

std::vector<TcpTransport::Outgoing*>&
TcpTransport::ConnectionsTo(ns3::Mac48Address peer)
{
    NS_LOG_FUNCTION(this << peer);
    auto& connections = m_byPeer[peer];
    while (connections.size() < m_sockets)
    {
        connections.push_back(Connect(peer));
    }
    return connections;
}

TcpTransport::Outgoing*
TcpTransport::Connect(ns3::Mac48Address peer)
{
    NS_LOG_FUNCTION(this << peer);
    using BytesCallback = ns3::Callback<void, ns3::Ptr<ns3::Socket>, std::uint32_t>;
    NS_ABORT_MSG_UNLESS(m_peers, "a TCP transport finds others by SetPeers");
    auto* const stream = m_outgoing.emplace_back(std::make_unique<Outgoing>()).get();
    stream->socket = m_host->Connect(peer, *dynamic_cast<TcpTransport&>(*m_peers(peer)).m_host);
    ns3::Address from;
    stream->socket->GetSockName(from);
    m_byPort[ns3::InetSocketAddress::ConvertFrom(from).GetPort()] = stream;
    stream->socket->onRepeat = [this] { ++m_retransmittedFrames; };
    stream->socket->SetDataSentCallback(
        BytesCallback([this, stream](ns3::Ptr<ns3::Socket> /*socket*/, std::uint32_t bytes) {
            stream->sent += bytes;
            FeedLater(*stream);
        }));
    stream->socket->SetSendCallback(
        BytesCallback([this, stream](ns3::Ptr<ns3::Socket> /*socket*/, std::uint32_t /*room*/) {
            LetLeave(*stream);
            FeedLater(*stream);
        }));
    return stream;
}

void
TcpTransport::DoSend(Message message, std::function<void()> left)
{
    NS_LOG_FUNCTION(this);
    const auto& streams = ConnectionsTo(message.to);
    const auto bytes = std::max<std::uint64_t>(1, message.plainBytes);
    const auto parts = std::min<std::uint64_t>(bytes, streams.size());
    const auto carried = std::make_shared<Carried>();
    carried->message.tag = message.tag;
    carried->message.plainBytes = message.plainBytes;
    carried->message.wirePayloadBytes = message.plainBytes;
    carried->message.bytes = std::move(message.payload);
    carried->message.sentPs = message.sentPs;
    carried->left = std::move(left);
    carried->partsToLeave = parts;
    carried->partsToRead = parts;
    carried->dueCostPs = m_path->MessageCostPs();
    for (std::uint64_t i = 0; i < parts; ++i)
    {
        auto& stream = *streams[i];
        const auto begin = stream.queued;
        stream.queued += bytes * (i + 1) / parts - bytes * i / parts;
        stream.parts.push_back({carried, begin, stream.queued});
        LetLeave(stream);
        FeedLater(stream);
    }
}

/** Messages leave as far as the send buffer has room for them, whatever of it TCP has seen. */
void
TcpTransport::LetLeave(Outgoing& stream)
{
    NS_LOG_FUNCTION(this);
    const auto roomUntil = stream.written + stream.socket->GetTxAvailable();
    while (stream.partsLeft < stream.parts.size() &&
           stream.parts[stream.partsLeft].end <= roomUntil)
    {
        const auto& carried = stream.parts[stream.partsLeft++].of;
        if (--carried->partsToLeave == 0 && carried->left)
        {
            ns3::Simulator::ScheduleNow([left = std::move(carried->left)] { left(); });
        }
    }
}

/** Not more than what keeps the NIC busy waits for TCP's window. */
std::uint64_t
TcpTransport::WritableBytes(const Outgoing& stream) const
{
    const bool waits = stream.written - stream.sent >= std::max(m_txQueueBytes / 2, 1U);
    const std::uint64_t room = waits ? 0 : stream.socket->GetTxAvailable();
    return std::min({room, stream.queued - stream.written, m_segmentBytes});
}

void
TcpTransport::FeedLater(Outgoing& stream)
{
    NS_LOG_FUNCTION(this);
    if (!stream.isFeeding && WritableBytes(stream) > 0)
    {
        stream.isFeeding = true;
        m_feeding.push_back(&stream);
    }
    WakeLater();
}

/** When half of what the NIC has is gone; never as long before its end as all of it takes, which rounds up, too. */
void
TcpTransport::WakeLater()
{
    NS_LOG_FUNCTION(this);
    if (!m_feeding.empty() && !std::exchange(m_wakePending, true))
    {
        const auto halfPs = std::max<std::int64_t>(
            0, std::min(NicPs(m_txQueueBytes / 2), NicPs(m_txQueueBytes) - 1));
        m_wake.ScheduleOnPathAt(std::max(NowPs(), m_claimedPs - halfPs));
    }
}

void
TcpTransport::Wake()
{
    NS_LOG_FUNCTION(this);
    m_wakePending = false;
    m_claimedPs = std::max({m_claimedPs, m_host->LastDeparturePs(), NowPs()});
    Feed();
}

/** How long the NIC takes to send so many bytes; over a node's own stack nobody keeps a NIC busy. */
std::int64_t
TcpTransport::NicPs(std::uint64_t bytes) const
{
    return m_nic ? SerialisationPs(bytes, m_nic->BitsPerSecond()) : 0;
}

/** Streams take turns, a segment each, until the NIC has enough to do. */
void
TcpTransport::Feed()
{
    NS_LOG_FUNCTION(this);
    const auto enoughPs =
        m_nic ? NowPs() + NicPs(m_txQueueBytes) : std::numeric_limits<std::int64_t>::max();
    while (!m_feeding.empty() && m_claimedPs < enoughPs)
    {
        auto* const stream = m_feeding.front();
        auto bytes = WritableBytes(*stream);
        if (bytes == 0)
        {
            m_feeding.pop_front();
            stream->isFeeding = false;
            continue;
        }
        if (!m_path->TakeTurn(m_turn))
        {
            return;
        }
        const auto messagePs = TakeMessagePs(*stream, bytes);
        const auto costPs = messagePs + m_path->FrameCostPs(bytes);
        if (costPs == 0)
        {
            Write(*stream, bytes);
        }
        else
        {
            m_path->Work(costPs, messagePs, [this, stream, bytes] {
                Write(*stream, bytes);
                Feed();
            });
            return;
        }
    }
    WakeLater();
}

/**
 * What the host works on the next segment, and before it on the message that begins there. One that begins behind it, and is
 * not paid for, ends the segment: what stands before a message does not wait for its cost.
 * @param stream whose segment it is
 * @param bytes of the segment; fewer afterwards where it ends before a message
 */
std::int64_t
TcpTransport::TakeMessagePs(Outgoing& stream, std::uint64_t& bytes)
{
    std::int64_t messagePs = 0;
    auto& paid = stream.partsPaid;
    for (; paid < stream.parts.size(); ++paid)
    {
        const auto& part = stream.parts[paid];
        if (part.of->dueCostPs > 0 && part.begin > stream.written)
        {
            bytes = std::min(bytes, part.begin - stream.written);
            break;
        }
        messagePs += std::exchange(part.of->dueCostPs, 0);
    }
    return messagePs;
}

/** @p stream is the first of those that take turns. */
void
TcpTransport::Write(Outgoing& stream, std::uint64_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    m_feeding.pop_front();
    m_feeding.push_back(&stream);
    if (m_restartsAfterIdle)
    {
        stream.socket->ShrinkAfterIdle();
    }
    stream.socket->Send(ns3::Create<ns3::Packet>(static_cast<std::uint32_t>(bytes)), 0);
    stream.written += bytes;
    m_claimedPs = std::max(m_claimedPs, NowPs()) + NicPs(FrameWireBytes(TCP_HEADER_BYTES + bytes));
}

void
TcpTransport::Accept(ns3::Ptr<ns3::Socket> socket, ns3::Mac48Address from, std::uint16_t port)
{
    NS_LOG_FUNCTION(this << from << port);
    auto* const stream = m_incoming.emplace_back(std::make_unique<Incoming>()).get();
    stream->socket = std::move(socket);
    stream->from = from;
    stream->stream = dynamic_cast<TcpTransport&>(*m_peers(from)).m_byPort.at(port);
    stream->socket->SetRecvCallback(ns3::Callback<void, ns3::Ptr<ns3::Socket>>(
        [this, stream](ns3::Ptr<ns3::Socket> /*socket*/) { Read(*stream); }));
}

void
TcpTransport::Read(Incoming& stream)
{
    NS_LOG_FUNCTION(this);
    while (!stream.isReading && stream.socket->GetRxAvailable() > 0)
    {
        const auto bytes = std::min<std::uint64_t>(stream.socket->GetRxAvailable(), m_segmentBytes);
        const auto costPs = m_path->FrameCostPs(bytes);
        if (costPs == 0)
        {
            Take(stream, bytes);
            continue;
        }
        stream.isReading = true;
        const PathLog::Scope scope; // the socket goes on at once
        ns3::Simulator::Schedule(Until(m_path->Receive(NowPs(), costPs)), [this, &stream, bytes] {
            stream.isReading = false;
            Take(stream, bytes);
            Read(stream);
        });
    }
}

void
TcpTransport::Take(Incoming& stream, std::uint64_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    stream.socket->Recv(static_cast<std::uint32_t>(bytes), 0);
    stream.read += bytes;
    m_deliveredBytes += bytes;
    auto& parts = stream.stream->parts;
    while (!parts.empty() && parts.front().end <= stream.read)
    {
        const auto carried = std::move(parts.front().of);
        parts.pop_front();
        --stream.stream->partsLeft;
        --stream.stream->partsPaid;
        if (--carried->partsToRead == 0)
        {
            carried->message.from = stream.from;
            Deliver(std::move(carried->message));
        }
    }
}

void
TcpTransport::VisitState(StateVisitor& visitor)
{
    visitor.Aperiodic(); // nobody can see all of TCP's
}

double
TcpTransport::LongestSilencePs(double /*timeoutsInVain*/) const
{
    return g_giveUpPs;
}

void
TcpTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_incoming.clear();
    m_byPort.clear();
    m_byPeer.clear();
    m_outgoing.clear();
    m_host.reset();
    m_peers = nullptr;
    m_nic = nullptr;
    m_path = nullptr;
    MessageTransport::DoDispose();
}

} // namespace inca
