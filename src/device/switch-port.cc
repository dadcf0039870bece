/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/switch-port.h"

#include "device/frame.h"
#include "device/simulated-time.h"

#include "ns3/abort.h"
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
        ns3::TypeId("inca::SwitchPort")
            .SetParent<ns3::Object>()
            .SetGroupName("Inca")
            .AddConstructor<SwitchPort>()
            .AddAttribute("DataRate",
                          "of the wire, each way",
                          ns3::DataRateValue(ns3::DataRate("10Gbps")),
                          ns3::MakeDataRateAccessor(&SwitchPort::m_rate),
                          ns3::MakeDataRateChecker())
            .AddAttribute("Buffer",
                          "of the queue before the wire (bytes, whole frames)",
                          ns3::UintegerValue(PortSettings{}.bufferBytes),
                          ns3::MakeUintegerAccessor(&SwitchPort::m_bufferBytes),
                          ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute("EcnThreshold",
                          "a backlog above it marks the frame (bytes); 0 = never",
                          ns3::UintegerValue(0),
                          ns3::MakeUintegerAccessor(&SwitchPort::m_ecnBytes),
                          ns3::MakeUintegerChecker<std::uint64_t>())
            .AddTraceSource("Enqueue",
                            "a frame was queued; its departures are set",
                            ns3::MakeTraceSourceAccessor(&SwitchPort::m_enqueue),
                            "inca::SwitchPort::FrameTracedCallback")
            .AddTraceSource("Drop",
                            "a frame found the buffer full",
                            ns3::MakeTraceSourceAccessor(&SwitchPort::m_drop),
                            "inca::SwitchPort::FrameTracedCallback")
            .AddTraceSource("Queue",
                            "the backlog after a frame was queued (bytes)",
                            ns3::MakeTraceSourceAccessor(&SwitchPort::m_queue),
                            "inca::SwitchPort::QueueTracedCallback");
    return tid;
}

void
SwitchPort::Attach(ns3::Ptr<Link> link, ns3::Ptr<ns3::Node> node, Input input)
{
    NS_ABORT_MSG_IF(m_link, "a port has one link");
    m_link = link;
    m_node = node;
    m_input = std::move(input);
    m_linkSide = link->Attach(this);
}

void
SwitchPort::Output(ns3::Ptr<Frame> frame, std::int64_t readyPs)
{
    auto& port = TxPort();
    if (!port.Enqueue(*frame, readyPs))
    {
        NS_LOG_WARN("drops " << *frame << ": the buffer is full");
        m_drop(frame);
        return;
    }
    NS_LOG_INFO("sends " << *frame << " until " << frame->lastDeparturePs << " ps");
    m_enqueue(frame);
    m_queue(port.HeldBytes());
    m_link->Transmit(m_linkSide, std::move(frame));
}

void
SwitchPort::ReceiveFrame(ns3::Ptr<Frame> frame)
{
    m_input(std::move(frame));
}

const PortCounters&
SwitchPort::Counters()
{
    return TxPort().CountersAt(NowPs());
}

void
SwitchPort::VisitState(StateVisitor& visitor)
{
    TxPort().VisitState(visitor, NowPs());
}

std::uint32_t
SwitchPort::NodeId() const
{
    return m_node->GetId();
}

ns3::Ptr<ns3::NetDevice>
SwitchPort::Device()
{
    return nullptr;
}

Port&
SwitchPort::TxPort()
{
    if (!m_port)
    {
        m_port.emplace(PortSettings{m_rate.GetBitRate(), m_bufferBytes, m_ecnBytes});
    }
    return *m_port;
}

void
SwitchPort::DoDispose()
{
    m_link = nullptr;
    m_node = nullptr;
    m_input = nullptr;
    ns3::Object::DoDispose();
}

} // namespace inca
