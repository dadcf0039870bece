/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/direct-transport.h"

#include "inca/base/units.h"
#include "inca/device/nic.h"
#include "inca/device/simulated-time.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(DirectTransport);

ns3::TypeId
DirectTransport::GetTypeId()
{
    static ns3::TypeId tid =
        ns3::TypeId("inca::DirectTransport")
            .SetParent<MessageTransport>()
            .SetGroupName("Inca")
            .AddConstructor<DirectTransport>()
            .AddAttribute("Latency",
                          "From the last bit that leaves to the whole message.",
                          ns3::TimeValue(ns3::MicroSeconds(5)),
                          ns3::MakeTimeAccessor(&DirectTransport::m_latency),
                          ns3::MakeTimeChecker());
    return tid;
}

void
DirectTransport::SetNic(ns3::Ptr<Nic> nic)
{
    m_nic = std::move(nic);
}

void
DirectTransport::SetPeers(PeerLookup peers)
{
    m_peers = std::move(peers);
}

/** Runs over it are not skipped (TransportEntry::hasFrames), so nobody compares its state. */
void
DirectTransport::VisitState(StateVisitor& /*visitor*/)
{
}

double
DirectTransport::LongestSilencePs(double /*timeoutsInVain*/) const
{
    return static_cast<double>(m_latency.GetPicoSeconds());
}

void
DirectTransport::DoSend(Message message, std::function<void()> left)
{
    const auto nowPs = NowPs();
    const auto sendingPs = SerialisationPs(message.plainBytes, m_nic->BitsPerSecond());
    if (!message.tag.grant) // grants go ahead of others
    {
        m_freeAtPs = std::max(m_freeAtPs, nowPs) + sendingPs;
    }
    const auto leavesPs = message.tag.grant ? nowPs : m_freeAtPs;
    const auto leaves = ns3::PicoSeconds(static_cast<std::uint64_t>(leavesPs - nowPs));
    if (left)
    {
        ns3::Simulator::Schedule(leaves, std::move(left));
    }
    auto* const peer = dynamic_cast<DirectTransport*>(m_peers(message.to));
    const auto from = ns3::Mac48Address::ConvertFrom(m_nic->GetAddress());
    const auto node = peer->m_nic->GetNode()->GetId();
    ns3::Simulator::ScheduleWithContext(
        node, leaves + m_latency, [peer, message = std::move(message), from] {
            peer->Arrive(message, from);
        });
}

void
DirectTransport::Arrive(const Message& message, ns3::Mac48Address from)
{
    Deliver({from,
             message.tag,
             message.plainBytes,
             message.plainBytes,
             message.payload,
             message.sentPs});
}

} // namespace inca
