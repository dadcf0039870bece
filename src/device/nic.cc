/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/nic.h"

#include "device/frame-packet.h"
#include "device/frame.h"
#include "device/simulated-time.h"
#include "device/stack-payload.h"

#include "base/errors.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/string.h"
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
    return tid
        .AddAttribute("DataRate",
                      "of the wire, each way",
                      ns3::DataRateValue(ns3::DataRate("10Gbps")),
                      ns3::MakeDataRateAccessor(&Nic::m_rate),
                      ns3::MakeDataRateChecker())
        .AddAttribute("Mtu",
                      "the longest IP packet (bytes)",
                      ns3::UintegerValue(1500),
                      ns3::MakeUintegerAccessor(&Nic::SetMtu, &Nic::GetMtu),
                      ns3::MakeUintegerChecker<std::uint16_t>(MIN_MTU_BYTES))
        .AddAttribute("Buffer",
                      "of the queue before the wire (bytes, whole frames)",
                      ns3::UintegerValue(PortSettings{}.bufferBytes),
                      ns3::MakeUintegerAccessor(&Nic::m_bufferBytes),
                      ns3::MakeUintegerChecker<std::uint64_t>())
        .AddAttribute("PcapSide",
                      "the side of the engines on which sniffers and pcap look: host or wire",
                      ns3::StringValue("host"),
                      ns3::MakeStringAccessor(&Nic::SetPcapSide, &Nic::GetPcapSide),
                      ns3::MakeStringChecker());
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
        .AddTraceSource("Sniffer",
                        "Ethernet frames from and for this host",
                        ns3::MakeTraceSourceAccessor(&Nic::m_sniffer),
                        PACKET_SINK)
        .AddTraceSource("PromiscSniffer",
                        "all Ethernet frames",
                        ns3::MakeTraceSourceAccessor(&Nic::m_promiscSniffer),
                        PACKET_SINK)
        .AddTraceSource("WireTx",
                        "plain and wire bytes of a frame that goes to the queue",
                        ns3::MakeTraceSourceAccessor(&Nic::m_wireTx),
                        BYTES_SINK)
        .AddTraceSource("WireRx",
                        "plain and wire bytes of a frame that arrived",
                        ns3::MakeTraceSourceAccessor(&Nic::m_wireRx),
                        BYTES_SINK)
        .AddTraceSource("Enqueue",
                        "a frame was queued; its departures are set",
                        ns3::MakeTraceSourceAccessor(&Nic::m_enqueue),
                        "inca::Nic::FrameTracedCallback");
}

bool
Nic::SendFrom(ns3::Ptr<ns3::Packet> packet,
              const ns3::Address& source,
              const ns3::Address& destination,
              uint16_t protocol)
{
    m_macTx(packet);
    auto frame = MakeStackFrame(packet, protocol);
    frame->source = ns3::Mac48Address::ConvertFrom(source);
    frame->destination = ns3::Mac48Address::ConvertFrom(destination);
    frame->compressible =
        m_compression && protocol == ETHERTYPE_IPV4 && IsMarkedForEngines(*packet);
    if (packet->GetSize() > GetMtu())
    {
        return Refuse(*frame, DropReason::OVER_MTU);
    }
    return Dispatch(std::move(frame)).has_value();
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
    if (!m_link)
    {
        Refuse(*frame, DropReason::NO_LINK);
        return std::nullopt;
    }
    Sniff(HOST, *frame);
    const auto now = NowPs();
    const auto readyPs = m_compression ? m_compression->Process(*frame, now) : now;
    if (!TxPort().Enqueue(*frame, readyPs))
    {
        NS_LOG_WARN("drops " << *frame << ": the buffer is full");
        TraceDrop(*frame);
        return std::nullopt;
    }
    m_wireTx(frame->plainBytes, frame->wireBytes);
    if (!m_enqueue.IsEmpty())
    {
        m_enqueue(frame);
    }
    Sniff(WIRE, *frame);
    const auto departure = frame->lastDeparturePs;
    NS_LOG_INFO("sends " << *frame << " until " << departure << " ps");
    m_link->Transmit(m_linkSide, std::move(frame));
    return departure;
}

bool
Nic::Refuse(const Frame& frame, DropReason reason)
{
    NS_LOG_WARN("refuses " << frame << ": " << DropReasonName(reason));
    TxPort().Refuse(frame, reason);
    TraceDrop(frame);
    return false;
}

void
Nic::TraceDrop(const Frame& frame)
{
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
    NS_LOG_INFO("gets " << *frame);
    Sniff(WIRE, *frame);
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
    return !m_sniffer.IsEmpty() || !m_promiscSniffer.IsEmpty() || !m_macRx.IsEmpty() ||
           !m_macPromiscRx.IsEmpty();
}

void
Nic::PassUp(const Frame& frame)
{
    Sniff(HOST, frame);
    if (frame.kind == FrameKind::STACK || IsWatched())
    {
        PassPacketUp(frame);
    }
}

void
Nic::PassPacketUp(const Frame& frame)
{
    const auto type = TypeOf(frame.destination);
    const auto packet = frame.packet ? frame.packet : MakeIpPacket(frame);
    const bool isStack = frame.kind == FrameKind::STACK;
    m_macPromiscRx(packet);
    if (isStack)
    {
        GivePromiscuously(packet, frame.etherType, frame.source, frame.destination, type);
    }
    if (type == PACKET_OTHERHOST)
    {
        return;
    }
    m_macRx(packet);
    if (isStack)
    {
        Give(packet, frame.etherType, frame.source);
    }
}

void
Nic::Sniff(PcapSide side, const Frame& frame)
{
    if (side != m_pcapSide || (m_sniffer.IsEmpty() && m_promiscSniffer.IsEmpty()))
    {
        return;
    }
    const auto packet = MakeEthernetPacket(frame);
    m_promiscSniffer(packet);
    if (frame.source == MacAddress() || TypeOf(frame.destination) != PACKET_OTHERHOST)
    {
        m_sniffer(packet);
    }
}

Port&
Nic::TxPort()
{
    if (!m_port)
    {
        m_port.emplace(PortSettings{m_rate.GetBitRate(), m_bufferBytes, 0});
    }
    return *m_port;
}

void
Nic::VisitState(StateVisitor& visitor)
{
    if (m_passing > 0 || IsWatched())
    {
        visitor.Aperiodic();
    }
    TxPort().VisitState(visitor, NowPs());
    if (m_compression)
    {
        m_compression->VisitState(visitor);
    }
    if (m_decompression)
    {
        m_decompression->VisitState(visitor);
    }
}

const PortCounters&
Nic::TxCounters()
{
    return TxPort().CountersAt(NowPs());
}

void
Nic::Attach(ns3::Ptr<Link> link)
{
    NS_ABORT_MSG_IF(m_link, "a NIC has one link");
    m_link = link;
    m_linkSide = link->Attach(this);
    TellLinkChange();
}

void
Nic::SetEngines(ns3::Ptr<CompressionEngine> compression,
                ns3::Ptr<DecompressionEngine> decompression)
{
    m_compression = compression;
    m_decompression = decompression;
}

void
Nic::SetFrameReceiver(std::initializer_list<FrameKind> kinds, const FrameReceiver& receiver)
{
    for (const auto kind : kinds)
    {
        NS_ABORT_MSG_IF(kind == FrameKind::STACK, "ns-3's own stack gets its packets by itself");
        m_frameReceivers[static_cast<std::size_t>(kind)] = receiver;
    }
}

ns3::Ptr<ns3::Channel>
Nic::GetChannel() const
{
    return m_link;
}

void
Nic::SetPcapSide(std::string side)
{
    if (side != "host" && side != "wire")
    {
        throw InputError("PcapSide must be host or wire, got '" + side + "'");
    }
    m_pcapSide = side == "host" ? HOST : WIRE;
}

std::string
Nic::GetPcapSide() const
{
    return m_pcapSide == HOST ? "host" : "wire";
}

bool
Nic::IsLinkUp() const
{
    return m_link != nullptr;
}

std::uint32_t
Nic::NodeId() const
{
    return GetNode()->GetId();
}

ns3::Ptr<ns3::NetDevice>
Nic::Device()
{
    return this;
}

void
Nic::DoDispose()
{
    m_link = nullptr;
    m_compression = nullptr;
    m_decompression = nullptr;
    m_frameReceivers = {};
    EthernetDevice::DoDispose();
}

} // namespace inca
