/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/host-clients.h"

#include "base/errors.h"

#include "ns3/node.h"
#include "ns3/object-map.h"

#include <utility>

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(HostClients);

ns3::TypeId
HostClients::GetTypeId()
{
    static ns3::TypeId tid = ns3::TypeId("inca::HostClients")
                                 .SetParent<ns3::Object>()
                                 .SetGroupName("Inca")
                                 .AddConstructor<HostClients>()
                                 .AddAttribute("Clients",
                                               "by the number of their job",
                                               ns3::ObjectMapValue(),
                                               ns3::MakeObjectMapAccessor(&HostClients::m_clients),
                                               ns3::MakeObjectMapChecker<AggregationClient>());
    return tid;
}

ns3::Ptr<HostClients>
HostClients::Of(const ns3::Ptr<Nic>& nic)
{
    const auto node = nic->GetNode();
    auto clients = node->GetObject<HostClients>();
    if (!clients)
    {
        clients = ns3::CreateObject<HostClients>();
        node->AggregateObject(clients);
        nic->SetFrameReceiver(
            {FrameKind::AGGREGATION},
            [receiver = ns3::PeekPointer(clients)](ns3::Ptr<Frame> frame, std::int64_t readyPs) {
                receiver->Receive(std::move(frame), readyPs);
            });
    }
    return clients;
}

void
HostClients::Add(JobId job, const ns3::Ptr<AggregationClient>& client)
{
    if (!m_clients.emplace(job.Number(), client).second)
    {
        throw InputError("the host has an aggregation client of " + job.Text() + " already");
    }
}

ns3::Ptr<AggregationClient>
HostClients::Find(JobId job) const
{
    const auto found = m_clients.find(job.Number());
    return found == m_clients.end() ? nullptr : found->second;
}

void
HostClients::Receive(ns3::Ptr<Frame> frame, std::int64_t readyPs)
{
    const auto found = m_clients.find(frame->aggregation.packet.job.Number());
    if (found != m_clients.end())
    {
        found->second->Receive(std::move(frame), readyPs);
    }
}

void
HostClients::DoDispose()
{
    for (const auto& [job, client] : m_clients)
    {
        client->Dispose();
    }
    m_clients.clear();
    ns3::Object::DoDispose();
}

} // namespace inca
