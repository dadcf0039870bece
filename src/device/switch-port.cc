/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/switch-port.h"

#include "device/frame.h"
#include "device/stack-payload.h"

#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaSwitchPort");

NS_OBJECT_ENSURE_REGISTERED(SwitchPort);

ns3::TypeId
SwitchPort::GetTypeId()
{
    static ns3::TypeId tid =
        AddPort(ns3::TypeId("inca::SwitchPort")
                    .SetParent<EthernetDevice>()
                    .SetGroupName("Inca")
                    .AddConstructor<SwitchPort>(),
                "0bps")
            .AddAttribute(
                "EcnThreshold",
                "a backlog above it marks the frame (bytes); 0 = never",
                ns3::UintegerValue(0),
                ns3::MakeUintegerAccessor(&SwitchPort::SetEcnBytes, &SwitchPort::GetEcnBytes),
                ns3::MakeUintegerChecker<std::uint64_t>())
            .AddTraceSource("Drop",
                            "a frame found the buffer full, or no link",
                            ns3::MakeTraceSourceAccessor(&SwitchPort::m_drop),
                            "inca::LinkPort::FrameTracedCallback");
    return tid;
}

void
SwitchPort::Attach(ns3::Ptr<Link> link, Input input)
{
    NS_LOG_FUNCTION(this);
    m_input = std::move(input);
    LinkPort::Attach(link);
}

void
SwitchPort::Output(ns3::Ptr<Frame> frame, std::int64_t readyPs, std::int64_t nowPs)
{
    NS_LOG_FUNCTION(this << *frame << readyPs);
    if (!HasPeer())
    {
        m_port.Refuse(*frame, DropReason::NO_LINK);
    }
    else if (Queue(frame, readyPs, nowPs))
    {
        if (frame->congested && frame->kind == FrameKind::STACK)
        {
            frame->packet = WithCongestion(frame->packet, frame->etherType);
        }
        NS_LOG_INFO("sends " << *frame << " until " << frame->lastDeparturePs << " ps");
        if (IsSniffed())
        {
            At(frame->lastDeparturePs, [this, frame] { Sniff(*frame, true); });
        }
        Transmit(std::move(frame));
        return;
    }
    NS_LOG_WARN("drops " << *frame << ": the buffer is full, or it has no link");
    if (!m_drop.IsEmpty())
    {
        At(readyPs, [this, frame] { m_drop(frame); });
    }
}

void
SwitchPort::ReceiveFrame(ns3::Ptr<Frame> frame)
{
    NS_LOG_FUNCTION(this << *frame);
    NotifyReceive(frame);
    if (IsSniffed())
    {
        Sniff(*frame, true);
    }
    m_input(std::move(frame));
}

/** Two ports that are told no rate have that of a NIC. */
void
SwitchPort::LinkIsUp(const LinkEnd& other)
{
    NS_LOG_FUNCTION(this);
    const bool isTrunk = dynamic_cast<const SwitchPort*>(&other) != nullptr;
    SetIsTrunk(isTrunk);
    if (isTrunk && BitsPerSecond() + other.BitsPerSecond() == 0)
    {
        m_port.SetRate(PortSettings{}.bitsPerSecond);
    }
    LinkPort::LinkIsUp(other);
}

bool
SwitchPort::SendFrom(ns3::Ptr<ns3::Packet> /*packet*/,
                     const ns3::Address& /*source*/,
                     const ns3::Address& /*destination*/,
                     uint16_t /*protocol*/)
{
    NS_LOG_FUNCTION(this);
    return false;
}

void
SwitchPort::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_input = nullptr;
    LinkPort::DoDispose();
}

} // namespace inca
