/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/nic.h"

#include "device/frame-packet.h"
#include "device/frame.h"
#include "device/set-up-error.h"
#include "device/simulated-time.h"
#include "device/stack-payload.h"

#include "ns3/abort.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaNic");

NS_OBJECT_ENSURE_REGISTERED(Nic);

namespace
{

constexpr const char* PACKET_SINK{"ns3::Packet::TracedCallback"};
constexpr const char* BYTES_SINK{"inca::Nic::BytesTracedCallback"};

} // namespace

ns3::TypeId
Nic::GetTypeId()
{
    static ns3::TypeId tid = AddTraceSources(AddAttributes(ns3::TypeId("inca::Nic")
                                                               .SetParent<EthernetDevice>()
                                                               .SetGroupName("Inca")
                                                               .AddConstructor<Nic>()));
    return tid;
}

ns3::TypeId
Nic::AddAttributes(ns3::TypeId tid)
{
    return AddPort(tid, "10Gbps")
        .AddAttribute("Mtu",
                      "the longest IP packet (bytes); stays as it is once the NIC has sent",
                      ns3::UintegerValue(1500),
                      ns3::MakeUintegerAccessor(&EthernetDevice::SetMtu, &EthernetDevice::GetMtu),
                      ns3::MakeUintegerChecker<std::uint16_t>(MIN_MTU_BYTES))
        .AddAttribute("PcapSide",
                      "the side of the engines on which sniffers and pcap look: host or wire",
                      ns3::EnumValue(HOST),
                      // MakeEnumAccessor is not written alike in all versions of ns-3
                      ns3::MakeAccessorHelper<decltype(ns3::EnumValue(HOST))>(&Nic::m_pcapSide),
                      ns3::MakeEnumChecker(HOST, "host", WIRE, "wire"));
}

ns3::TypeId
Nic::AddTraceSources(ns3::TypeId tid)
{
    return tid
        .AddTraceSource("MacTx",
                        "an IP packet came from the host",
                        ns3::MakeTraceSourceAccessor(&Nic::m_macTx),
                        PACKET_SINK)
        .AddTraceSource("MacTxDrop",
                        "an IP packet from the host was dropped",
                        ns3::MakeTraceSourceAccessor(&Nic::m_macTxDrop),
                        PACKET_SINK)
        .AddTraceSource("MacPromiscRx",
                        "an IP packet arrived, for whomever",
                        ns3::MakeTraceSourceAccessor(&Nic::m_macPromiscRx),
                        PACKET_SINK)
        .AddTraceSource("MacRx",
                        "an IP packet for this host, a group or all arrived",
                        ns3::MakeTraceSourceAccessor(&Nic::m_macRx),
                        PACKET_SINK)
        .AddTraceSource("PhyTxDrop",
                        "an IP packet was dropped before the wire",
                        ns3::MakeTraceSourceAccessor(&Nic::m_phyTxDrop),
                        PACKET_SINK)
        .AddTraceSource("WireTx",
                        "plain and wire bytes of a frame that goes to the queue",
                        ns3::MakeTraceSourceAccessor(&Nic::m_wireTx),
                        BYTES_SINK)
        .AddTraceSource("WireRx",
                        "plain and wire bytes of a frame that arrived",
                        ns3::MakeTraceSourceAccessor(&Nic::m_wireRx),
                        BYTES_SINK);
}

bool
Nic::SendFrom(ns3::Ptr<ns3::Packet> packet,
              const ns3::Address& source,
              const ns3::Address& destination,
              uint16_t protocol)
{
    NS_LOG_FUNCTION(this << packet << source << destination << protocol);
    m_macTx(packet);
    auto frame = MakeStackFrame(packet, protocol);
    frame->source = ns3::Mac48Address::ConvertFrom(source);
    frame->destination = ns3::Mac48Address::ConvertFrom(destination);
    frame->compressible =
        m_compression && protocol == ETHERTYPE_IPV4 && IsMarkedForEngines(*packet);
    if (packet->GetSize() > GetMtu())
    {
        Refuse(*frame, DropReason::OVER_MTU);
        return false;
    }
    const bool isSent = Dispatch(std::move(frame)).has_value();
    HoldBack();
    return isSent;
}

std::optional<std::int64_t>
Nic::SendFrame(ns3::Ptr<Frame> frame)
{
    frame->source = MacAddress();
    if (!m_macTx.IsEmpty())
    {
        m_macTx(MakeIpPacket(*frame));
    }
    return Dispatch(std::move(frame));
}

std::optional<std::int64_t>
Nic::Dispatch(ns3::Ptr<Frame> frame)
{
    if (!HasPeer())
    {
        Refuse(*frame, DropReason::NO_LINK);
        return std::nullopt;
    }
    SniffAt(HOST, *frame);
    const PathLog::Scope scope;
    const auto now = NowPs();
    const auto readyPs = m_compression ? m_compression->Process(*frame, now) : now;
    if (!Queue(frame, readyPs, now))
    {
        NS_LOG_WARN("drops " << *frame << ": the buffer is full");
        TraceDrop(*frame);
        return std::nullopt;
    }
    m_wireTx(frame->plainBytes, frame->wireBytes);
    SniffAt(WIRE, *frame);
    const auto departure = frame->lastDeparturePs;
    NS_LOG_INFO("sends " << *frame << " until " << departure << " ps");
    Transmit(std::move(frame));
    return departure;
}

/** Stops ns-3's traffic control while the next packet might find no room. */
void
Nic::HoldBack()
{
    NS_LOG_FUNCTION(this);
    if (m_txQueue && !m_txQueue->IsStopped() && m_port.RoomPs(FrameWireBytes(GetMtu())) > NowPs())
    {
        m_txQueue->Stop();
        WakeWhenRoom();
    }
}

void
Nic::WakeWhenRoom()
{
    NS_LOG_FUNCTION(this);
    const auto roomPs = m_port.RoomPs(FrameWireBytes(GetMtu()));
    if (roomPs > NowPs())
    {
        ns3::Simulator::Schedule(Until(roomPs), &Nic::WakeWhenRoom, this);
        return;
    }
    m_txQueue->Wake();
}

void
Nic::Refuse(const Frame& frame, DropReason reason)
{
    NS_LOG_FUNCTION(this);
    NS_LOG_WARN("refuses " << frame << ": " << DropReasonName(reason));
    m_port.Refuse(frame, reason);
    TraceDrop(frame);
}

void
Nic::TraceDrop(const Frame& frame)
{
    NS_LOG_FUNCTION(this);
    if (!m_macTxDrop.IsEmpty() || !m_phyTxDrop.IsEmpty())
    {
        const auto packet = MakeIpPacket(frame);
        m_macTxDrop(packet);
        m_phyTxDrop(packet);
    }
}

void
Nic::ReceiveFrame(ns3::Ptr<Frame> frame)
{
    NS_LOG_FUNCTION(this << *frame);
    NotifyReceive(frame);
    SniffAt(WIRE, *frame);
    m_wireRx(frame->plainBytes, frame->wireBytes);
    const auto now = NowPs();
    const auto readyPs = m_decompression ? m_decompression->Process(*frame, now) : now;
    const bool isStack = frame->kind == FrameKind::STACK;
    // One that is through at once may still not overtake one whose event of this instant is to come.
    if (readyPs == now && m_passing == 0)
    {
        PassUp(*frame);
    }
    else if (isStack || IsWatched())
    {
        ++m_passing;
        ns3::Simulator::Schedule(Until(readyPs), [this, frame] {
            --m_passing;
            PassUp(*frame);
        });
    }
    const auto& receiver = m_frameReceivers[static_cast<std::size_t>(frame->kind)];
    if (frame->destination == MacAddress() && receiver)
    {
        receiver(std::move(frame), readyPs);
    }
}

bool
Nic::IsWatched() const
{
    return IsSniffed() || !m_macRx.IsEmpty() || !m_macPromiscRx.IsEmpty();
}

void
Nic::PassUp(const Frame& frame)
{
    NS_LOG_FUNCTION(this);
    SniffAt(HOST, frame);
    if (frame.kind == FrameKind::STACK || IsWatched())
    {
        PassPacketUp(frame);
    }
}

void
Nic::PassPacketUp(const Frame& frame)
{
    NS_LOG_FUNCTION(this);
    const auto packet = frame.packet ? frame.packet : MakeIpPacket(frame);
    m_macPromiscRx(packet);
    if (TypeOf(frame.destination) != PACKET_OTHERHOST)
    {
        m_macRx(packet);
    }
    if (frame.kind == FrameKind::STACK)
    {
        Give(packet, frame.etherType, frame.source, frame.destination);
    }
}

void
Nic::SniffAt(PcapSide side, const Frame& frame)
{
    NS_LOG_FUNCTION(this);
    if (side == m_pcapSide && IsSniffed())
    {
        Sniff(frame, frame.source == MacAddress() || TypeOf(frame.destination) != PACKET_OTHERHOST);
    }
}

void
Nic::VisitState(StateVisitor& visitor)
{
    if (m_passing > 0 || IsWatched())
    {
        visitor.Aperiodic();
    }
    VisitPort(visitor);
    if (m_compression)
    {
        m_compression->VisitState(visitor);
    }
    if (m_decompression)
    {
        m_decompression->VisitState(visitor);
    }
}

bool
Nic::SetMtu(const uint16_t mtu)
{
    NS_LOG_FUNCTION(this << mtu);
    return m_port.CountersAt(NowPs()).frames == 0 && EthernetDevice::SetMtu(mtu);
}

void
Nic::NotifyNewAggregate()
{
    NS_LOG_FUNCTION(this);
    const auto queues = m_txQueue ? nullptr : GetObject<ns3::NetDeviceQueueInterface>();
    m_txQueue = queues ? queues->GetTxQueue(0) : m_txQueue;
    EthernetDevice::NotifyNewAggregate();
}

void
Nic::SetCodec(std::shared_ptr<const Codec> codec)
{
    NS_LOG_FUNCTION(this);
    if (!m_compression)
    {
        SetEngines(ns3::CreateObject<CompressionEngine>(),
                   ns3::CreateObject<DecompressionEngine>());
        m_compression->SetCodec(codec);
        m_decompression->SetCodec(codec);
    }
    INCA_ABORT_MSG_IF(m_compression->Coding() != codec,
                      "a NIC has engines with another codec already");
}

void
Nic::SetEngines(ns3::Ptr<CompressionEngine> compression,
                ns3::Ptr<DecompressionEngine> decompression)
{
    NS_LOG_FUNCTION(this);
    m_compression = compression;
    m_decompression = decompression;
}

void
Nic::SetFrameReceiver(std::initializer_list<FrameKind> kinds, const FrameReceiver& receiver)
{
    NS_LOG_FUNCTION(this);
    for (const auto kind : kinds)
    {
        NS_ABORT_MSG_IF(kind == FrameKind::STACK, "ns-3's own stack gets its packets by itself");
        m_frameReceivers[static_cast<std::size_t>(kind)] = receiver;
    }
}

void
Nic::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_txQueue = nullptr;
    m_compression = nullptr;
    m_decompression = nullptr;
    m_frameReceivers = {};
    LinkPort::DoDispose();
}

} // namespace inca
