/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/switch.h"

#include "base/random.h"
#include "device/simulated-time.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/object-vector.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaSwitch");

NS_OBJECT_ENSURE_REGISTERED(Switch);

ns3::TypeId
Switch::GetTypeId()
{
    static ns3::TypeId tid =
        ns3::TypeId("inca::Switch")
            .SetParent<ns3::Object>()
            .SetGroupName("Inca")
            .AddConstructor<Switch>()
            .AddAttribute("Latency",
                          "from a frame's last bit in to its place in the output queue",
                          ns3::TimeValue(ns3::Time(0)),
                          ns3::MakeTimeAccessor(&Switch::m_latency),
                          ns3::MakeTimeChecker(ns3::Time(0)))
            .AddAttribute("EcmpSeed",
                          "of the hash that spreads flows over equal ports",
                          ns3::UintegerValue(1),
                          ns3::MakeUintegerAccessor(&Switch::m_ecmpSeed),
                          ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute("Ports",
                          "by their numbers",
                          ns3::ObjectVectorValue(),
                          ns3::MakeObjectVectorAccessor(&Switch::GetPort, &Switch::PortCount),
                          ns3::MakeObjectVectorChecker<SwitchPort>());
    return tid;
}

std::size_t
Switch::AddPort(ns3::Ptr<SwitchPort> port, ns3::Ptr<Link> link, bool floods)
{
    NS_LOG_FUNCTION(this << port << link);
    const auto node = GetObject<ns3::Node>();
    NS_ABORT_MSG_UNLESS(node, "a switch is aggregated to its node before it gets ports");
    if (!m_bridge)
    {
        m_bridge = ns3::CreateObject<ns3::BridgeNetDevice>();
        node->AddDevice(m_bridge);
    }
    const auto number = m_ports.size();
    m_ports.push_back({port, floods});
    node->AddDevice(port);
    port->Attach(link,
                 [this, number](ns3::Ptr<Frame> frame) { Receive(std::move(frame), number); });
    if (floods)
    {
        m_bridge->AddBridgePort(port);
    }
    return number;
}

void
Switch::Learn(ns3::Mac48Address address, std::size_t port)
{
    Learn(address, std::vector<std::size_t>{port});
}

void
Switch::Learn(ns3::Mac48Address address, std::vector<std::size_t> ports)
{
    NS_ABORT_MSG_IF(ports.empty(), "an address that is known has a port");
    m_table[address] = std::move(ports);
}

void
Switch::SetUplinks(std::vector<std::size_t> ports)
{
    for (auto& place : m_ports)
    {
        place.leadsUp = false;
    }
    for (const auto port : ports)
    {
        m_ports.at(port).leadsUp = true;
    }
    m_uplinks = std::move(ports);
}

void
Switch::SetNumber(std::uint32_t number)
{
    m_number = number;
}

void
Switch::SetFrameReceiver(FrameKind kind, FrameReceiver receiver)
{
    m_receivers[static_cast<std::size_t>(kind)] = std::move(receiver);
}

void
Switch::Receive(ns3::Ptr<Frame> frame, std::size_t from)
{
    NS_LOG_FUNCTION(this << *frame << from);
    const auto& receiver = m_receivers[static_cast<std::size_t>(frame->kind)];
    if (receiver)
    {
        receiver(std::move(frame), from);
        return;
    }
    Forward(std::move(frame), from);
}

std::size_t
Switch::Choose(const std::vector<std::size_t>& ports, const Frame& frame) const
{
    if (ports.size() == 1)
    {
        return ports[0];
    }
    const auto hash =
        RandomBits(m_ecmpSeed, m_number, MacNumber(frame.source), MacNumber(frame.destination));
    return ports[hash % ports.size()];
}

void
Switch::Forward(ns3::Ptr<Frame> frame, std::size_t from)
{
    if (const auto found = m_table.find(frame->destination); found != m_table.end())
    {
        const auto port = Choose(found->second, *frame);
        Send(std::move(frame), port);
    }
    else if (GoesUp(*frame, from))
    {
        const auto port = Choose(m_uplinks, *frame);
        Send(std::move(frame), port);
    }
    else
    {
        Flood(*frame, from);
    }
}

void
Switch::Send(ns3::Ptr<Frame> frame, std::size_t port)
{
    const auto now = NowPs();
    m_ports.at(port).port->Output(std::move(frame), now + m_latency.GetTimeStep(), now);
}

void
Switch::VisitState(StateVisitor& visitor)
{
    visitor.State(m_floodedFrames);
    visitor.State(m_unknownFrames);
    for (const auto& place : m_ports)
    {
        place.port->VisitState(visitor);
    }
}

/** What came from above does not go up again: it would circle. */
bool
Switch::GoesUp(const Frame& frame, std::size_t from) const
{
    return !m_uplinks.empty() && !m_ports.at(from).leadsUp && !frame.destination.IsGroup();
}

void
Switch::Flood(const Frame& frame, std::size_t from)
{
    if (!m_ports.at(from).floods)
    {
        ++m_unknownFrames;
        return;
    }
    ++m_floodedFrames;
    for (std::size_t port = 0; port < m_ports.size(); ++port)
    {
        if (port != from && m_ports[port].floods)
        {
            Send(frame.Copy(), port);
        }
    }
}

void
Switch::DoDispose()
{
    m_receivers.fill({});
    for (const auto& place : m_ports)
    {
        place.port->Dispose();
    }
    m_ports.clear();
    m_bridge = nullptr;
    ns3::Object::DoDispose();
}

} // namespace inca
