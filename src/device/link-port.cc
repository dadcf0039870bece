/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/link-port.h"

#include "device/frame-packet.h"
#include "device/set-up-error.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaLinkPort");

ns3::TypeId
LinkPort::AddPort(ns3::TypeId tid, const char* rate)
{
    return tid
        .AddAttribute("DataRate",
                      "of the wire, each way; 0bps: as fast as the other end of the link",
                      ns3::DataRateValue(ns3::DataRate(rate)),
                      ns3::MakeDataRateAccessor(&LinkPort::SetRate, &LinkPort::GetRate),
                      ns3::MakeDataRateChecker())
        .AddAttribute("Buffer",
                      "of the queue before the wire (bytes, whole frames)",
                      ns3::UintegerValue(PortSettings{}.bufferBytes),
                      ns3::MakeUintegerAccessor(&LinkPort::SetBuffer, &LinkPort::BufferBytes),
                      ns3::MakeUintegerChecker<std::uint64_t>())
        .AddTraceSource("Enqueue",
                        "a frame came into the queue; its departures are set",
                        ns3::MakeTraceSourceAccessor(&LinkPort::m_enqueue),
                        "inca::LinkPort::FrameTracedCallback")
        .AddTraceSource("Dequeue",
                        "the last bit of a frame has left",
                        ns3::MakeTraceSourceAccessor(&LinkPort::m_dequeue),
                        "inca::LinkPort::FrameTracedCallback")
        .AddTraceSource("Receive",
                        "a frame has arrived whole",
                        ns3::MakeTraceSourceAccessor(&LinkPort::m_receive),
                        "inca::LinkPort::FrameTracedCallback")
        .AddTraceSource("Sniffer",
                        "Ethernet frames from and for this device; all of a switch's port",
                        ns3::MakeTraceSourceAccessor(&LinkPort::m_sniffer),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("PromiscSniffer",
                        "all Ethernet frames",
                        ns3::MakeTraceSourceAccessor(&LinkPort::m_promiscSniffer),
                        "ns3::Packet::TracedCallback")
        .AddTraceSource("BytesInQueue",
                        "the backlog before and after each change (bytes, whole frames)",
                        ns3::MakeTraceSourceAccessor(&LinkPort::m_queueBytes),
                        "ns3::TracedValueCallback::Uint64");
}

void
LinkPort::Attach(ns3::Ptr<Link> link)
{
    NS_LOG_FUNCTION(this << link);
    NS_ABORT_MSG_IF(m_link, "a NIC or a port has one link");
    m_link = link;
    m_linkSide = link->Attach(this);
}

void
LinkPort::LinkIsUp(const LinkEnd& other)
{
    NS_LOG_FUNCTION(this);
    m_isUp = true;
    m_nodeId = GetNode() ? GetNode()->GetId() : 0;
    SetRate(ns3::DataRate(BitsPerSecond() > 0 ? BitsPerSecond() : other.BitsPerSecond()));
    NotifyLinkChange();
}

void
LinkPort::SetRate(ns3::DataRate rate)
{
    NS_LOG_FUNCTION(this);
    INCA_ABORT_MSG_IF(m_isUp && rate.GetBitRate() == 0,
                      "a link needs a DataRate above 0bps at an end, of its NIC or its port: "
                      "else no frame would ever have left");
    m_port.SetRate(rate.GetBitRate());
}

std::uint32_t
LinkPort::NodeId() const
{
    return GetNode()->GetId();
}

ns3::Ptr<ns3::Channel>
LinkPort::GetChannel() const
{
    return m_link;
}

bool
LinkPort::IsLinkUp() const
{
    return m_isUp;
}

void
LinkPort::Watch(const ns3::Ptr<Frame>& frame, std::int64_t readyPs)
{
    NS_LOG_FUNCTION(this << *frame << readyPs);
    const auto bytes = frame->wireBytes; // an engine at the other end may change it
    At(readyPs, [this, frame, bytes] {
        m_enqueue(frame);
        ChangeQueue(m_seenBytes + bytes);
    });
    At(frame->lastDeparturePs, [this, frame, bytes] {
        m_dequeue(frame);
        ChangeQueue(m_seenBytes - bytes);
    });
}

void
LinkPort::Sniff(const Frame& frame, bool isOwn)
{
    NS_LOG_FUNCTION(this << isOwn);
    const auto packet = MakeEthernetPacket(frame);
    m_promiscSniffer(packet);
    if (isOwn)
    {
        m_sniffer(packet);
    }
}

void
LinkPort::ChangeQueue(std::uint64_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    m_queueBytes(m_seenBytes, bytes);
    m_seenBytes = bytes;
}

void
LinkPort::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_link = nullptr;
    m_isUp = false;
    EthernetDevice::DoDispose();
}

} // namespace inca
