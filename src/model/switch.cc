/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "model/switch.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <utility>

namespace inca
{

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
                          "from a train's last bit in to its place in the output queue",
                          ns3::TimeValue(ns3::Time(0)),
                          ns3::MakeTimeAccessor(&Switch::m_latency),
                          ns3::MakeTimeChecker(ns3::Time(0)));
    return tid;
}

std::size_t
Switch::AddPort(ns3::Ptr<SwitchPort> port, ns3::Ptr<Link> link)
{
    const auto node = GetObject<ns3::Node>();
    NS_ABORT_MSG_UNLESS(node, "a switch is aggregated to its node before it gets ports");
    const auto number = m_ports.size();
    m_ports.push_back(port);
    port->Attach(
        link, node, [this, number](ns3::Ptr<Train> train) { Forward(std::move(train), number); });
    return number;
}

void
Switch::Learn(ns3::Mac48Address address, std::size_t port)
{
    m_table[address] = port;
}

void
Switch::Forward(ns3::Ptr<Train> train, std::size_t from)
{
    const auto readyPs = (ns3::Simulator::Now() + m_latency).GetTimeStep();
    const auto found = m_table.find(train->destination);
    if (found == m_table.end())
    {
        Flood(*train, from, readyPs);
        return;
    }
    m_ports[found->second]->Output(std::move(train), readyPs);
}

void
Switch::Flood(const Train& train, std::size_t from, std::int64_t readyPs)
{
    m_floodedFrames += train.frames;
    for (std::size_t port = 0; port < m_ports.size(); ++port)
    {
        if (port != from)
        {
            m_ports[port]->Output(train.Copy(), readyPs);
        }
    }
}

void
Switch::DoDispose()
{
    for (const auto& port : m_ports)
    {
        port->Dispose();
    }
    m_ports.clear();
    ns3::Object::DoDispose();
}

} // namespace inca
