/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/aggregation-client.h"

#include "base/text.h"
#include "device/initial-attribute.h"
#include "device/nic.h"
#include "device/set-up-error.h"
#include "device/simulated-time.h"
#include "device/traced-count.h"
#include "transport/host-path.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/object-map.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaAggregationClient");

NS_OBJECT_ENSURE_REGISTERED(AggregationClient);

namespace
{

constexpr const char* COUNT_SINK{"ns3::TracedValueCallback::Uint64"};

} // namespace

ns3::TypeId
AggregationClient::GetTypeId()
{
    static ns3::TypeId tid =
        ns3::TypeId("inca::AggregationClient")
            .SetParent<ns3::Object>()
            .SetGroupName("Inca")
            .AddAttribute("HeaderBytes",
                          "that precede the values in an IP packet, where the program has no "
                          "fields of its own",
                          ns3::UintegerValue(SlotFormat().headerBytes),
                          Initially<AggregationClient>(
                              ns3::MakeUintegerAccessor(&AggregationClient::m_headerBytes)),
                          ns3::MakeUintegerChecker<std::uint16_t>())
            .AddTraceSource("SentFrames",
                            "frames, first transmissions only",
                            ns3::MakeTraceSourceAccessor(&AggregationClient::m_sentFrames),
                            COUNT_SINK)
            .AddTraceSource("RetransmittedFrames",
                            "frames sent again",
                            ns3::MakeTraceSourceAccessor(&AggregationClient::m_retransmittedFrames),
                            COUNT_SINK)
            .AddTraceSource("ReceivedBytes",
                            "payload of sums, each once",
                            ns3::MakeTraceSourceAccessor(&AggregationClient::m_receivedBytes),
                            COUNT_SINK)
            .AddTraceSource("ClampedValues",
                            "values that did not fit their block's scale, or were no numbers",
                            ns3::MakeTraceSourceAccessor(&AggregationClient::m_clampedValues),
                            COUNT_SINK)
            .AddTraceSource("GoesOn",
                            "a sum has come a turn of its packets further",
                            ns3::MakeTraceSourceAccessor(&AggregationClient::m_goesOnTrace),
                            "ns3::TracedValueCallback::Void");
    return tid;
}

// Here, where the class that is only declared in the header is known.
AggregationClient::AggregationClient() = default;
AggregationClient::~AggregationClient() = default;

void
AggregationClient::Install(ns3::Ptr<Nic> nic, ClientPlace place)
{
    NS_LOG_FUNCTION(this << nic);
    NS_ABORT_MSG_IF(m_nic, "a client has one NIC");
    NS_ABORT_MSG_UNLESS(nic->GetNode(), "a NIC is on its node before a client uses it");
    m_nic = nic;
    m_place = place;
    m_path = HostPath::Of(nic->GetNode());
    DoInstall();
    CheckPacket();
}

void
AggregationClient::CheckPacket() const
{
    const auto format = Format();
    const auto mtu = m_nic->GetMtu();
    INCA_ABORT_MSG_IF(format.PacketBytes(*format.adder.sum) > mtu,
                      Text(format.PacketText(), ", but the NIC's MTU is ", mtu, ": at most ") +
                          Text(format.MostValues(mtu), " values fit"));
}

void
AggregationClient::Sum(ReductionRequest request)
{
    NS_LOG_FUNCTION(this << request.size.words);
    NS_ABORT_MSG_IF(request.size.words == 0, "a sum of no values");
    DoSum(std::move(request));
}

std::int64_t
AggregationClient::Send(ns3::Ptr<Frame> frame)
{
    if (!frame->aggregation.fields)
    {
        frame->SetHeader(m_headerBytes);
    }
    frame->destination = m_place.switchAddress;
    frame->aggregation.packet.job = m_place.job;
    frame->aggregation.packet.child = m_place.childNumber;
    frame->aggregation.repeated ? ++m_retransmittedFrames : ++m_sentFrames;
    return m_nic->SendFrame(std::move(frame)).value_or(NowPs());
}

const PathEnd&
AggregationClient::DeparturePath() const
{
    return m_nic->DeparturePath();
}

void
AggregationClient::Receive(ns3::Ptr<Frame> frame, std::int64_t readyPs)
{
    NS_LOG_FUNCTION(this << *frame << readyPs);
    if (frame->aggregation.down)
    {
        DoReceive(std::move(frame), readyPs);
    }
}

void
AggregationClient::VisitState(StateVisitor& visitor)
{
    DoVisitState(visitor);
    CountTraced(visitor, m_sentFrames);
    CountTraced(visitor, m_receivedBytes);
    visitor.State(m_retransmittedFrames);
    visitor.State(m_clampedValues);
}

void
AggregationClient::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_nic = nullptr;
    m_path = nullptr;
    ns3::Object::DoDispose();
}

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
                                               ns3::MakeObjectMapAccessor(&HostClients::m_members),
                                               ns3::MakeObjectMapChecker<AggregationClient>());
    return tid;
}

HostClients::HostClients()
    : PerJob("the NIC has an aggregation client")
{
}

ns3::Ptr<HostClients>
HostClients::Of(const ns3::Ptr<Nic>& nic)
{
    auto clients = nic->GetObject<HostClients>();
    if (!clients)
    {
        clients = ns3::CreateObject<HostClients>();
        nic->AggregateObject(clients);
        nic->SetFrameReceiver(
            {FrameKind::AGGREGATION},
            [receiver = ns3::PeekPointer(clients)](ns3::Ptr<Frame> frame, std::int64_t readyPs) {
                receiver->Receive(std::move(frame), readyPs);
            });
    }
    return clients;
}

ns3::Ptr<AggregationClient>
HostClients::Find(JobId job, bool inNode) const
{
    for (const auto& [key, client] : m_members)
    {
        if (key % GROUP == job.Number() && client->Place().inNode == inNode)
        {
            return client;
        }
    }
    return nullptr;
}

void
HostClients::Receive(ns3::Ptr<Frame> frame, std::int64_t readyPs)
{
    NS_LOG_FUNCTION(this << *frame << readyPs);
    const auto found = m_members.find(KeyOf(frame->aggregation.packet.job));
    if (found != m_members.end())
    {
        found->second->Receive(std::move(frame), readyPs);
    }
}

} // namespace inca
