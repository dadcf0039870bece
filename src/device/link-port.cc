/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/link-port.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaLinkPort");

ns3::TypeId
LinkPort::AddPort(ns3::TypeId tid)
{
    return tid
        .AddAttribute("DataRate",
                      "of the wire, each way",
                      ns3::DataRateValue(ns3::DataRate("10Gbps")),
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
        .AddTraceSource("BytesInQueue",
                        "the backlog before and after each change (bytes, whole frames)",
                        ns3::MakeTraceSourceAccessor(&LinkPort::m_queueBytes),
                        "ns3::TracedValueCallback::Uint64")
        .AddTraceSource("Queue",
                        "the backlog after a frame was queued",
                        ns3::MakeTraceSourceAccessor(&LinkPort::m_queueBytes),
                        "ns3::TracedValueCallback::Uint64",
                        ns3::TypeId::OBSOLETE,
                        "BytesInQueue has the backlog before and after each change");
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
LinkPort::Watch(const ns3::Ptr<Frame>& frame, std::int64_t readyPs)
{
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
LinkPort::ChangeQueue(std::uint64_t bytes)
{
    m_queueBytes(m_seenBytes, bytes);
    m_seenBytes = bytes;
}

} // namespace inca
