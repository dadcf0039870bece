/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/switch.h"

#include "base/random.h"
#include "device/simulated-time.h"

#include "ns3/abort.h"
#include "ns3/enum.h"
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
            .AddAttribute(
                "Routing",
                "which of several ports takes a frame: by a hash of its flow, or by its "
                "destination",
                ns3::EnumValue(ECMP),
                // MakeEnumAccessor is not written alike in all versions of ns-3
                ns3::MakeAccessorHelper<decltype(ns3::EnumValue(ECMP))>(&Switch::m_routing),
                ns3::MakeEnumChecker(ECMP, "ecmp", D_MOD_K, "d-mod-k"))
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
    NS_LOG_FUNCTION(this << address << port);
    Learn(address, std::vector<std::size_t>{port});
}

void
Switch::Learn(ns3::Mac48Address address, std::vector<std::size_t> ports)
{
    NS_LOG_FUNCTION(this << address);
    NS_ABORT_MSG_IF(ports.empty(), "an address that is known has a port");
    m_table[address] = std::move(ports);
}

void
Switch::SetUplinks(std::vector<std::size_t> ports)
{
    NS_LOG_FUNCTION(this);
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
Switch::SetNumber(std::uint32_t number, std::uint64_t waysBelow)
{
    NS_LOG_FUNCTION(this << number << waysBelow);
    m_number = number;
    m_waysBelow = waysBelow;
}

void
Switch::SetFrameReceiver(FrameKind kind, FrameReceiver receiver)
{
    NS_LOG_FUNCTION(this);
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
Switch::Choose(const std::vector<std::size_t>& ports,
               ns3::Mac48Address destination,
               ns3::Mac48Address source) const
{
    if (ports.size() == 1)
    {
        return ports[0];
    }
    const auto host =
        static_cast<std::uint32_t>(MacNumber(destination)) - 1; // addresses count from 1
    const auto number =
        m_routing == D_MOD_K
            ? host / m_waysBelow
            : RandomBits(m_ecmpSeed, m_number, MacNumber(source), MacNumber(destination));
    return ports[number % ports.size()];
}

std::optional<std::size_t>
Switch::PortTowards(ns3::Mac48Address destination, ns3::Mac48Address source, std::size_t from) const
{
    if (const auto found = m_table.find(destination); found != m_table.end())
    {
        return Choose(found->second, destination, source);
    }
    if (GoesUp(destination, from))
    {
        return Choose(m_uplinks, destination, source);
    }
    return std::nullopt;
}

void
Switch::Forward(ns3::Ptr<Frame> frame, std::size_t from)
{
    NS_LOG_FUNCTION(this << *frame << from);
    if (const auto port = PortTowards(frame->destination, frame->source, from))
    {
        Send(std::move(frame), *port);
        return;
    }
    Flood(*frame, from);
}

void
Switch::Send(ns3::Ptr<Frame> frame, std::size_t port)
{
    NS_LOG_FUNCTION(this << *frame << port);
    const PathLog::Scope scope;
    const auto now = NowPs();
    ExtendPath(PathKind::SWITCH, now + m_latency.GetTimeStep());
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
Switch::GoesUp(ns3::Mac48Address destination, std::size_t from) const
{
    return !m_uplinks.empty() && !m_ports.at(from).leadsUp && !destination.IsGroup();
}

void
Switch::Flood(const Frame& frame, std::size_t from)
{
    NS_LOG_FUNCTION(this << from);
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
    NS_LOG_FUNCTION(this);
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
