/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/host-path.h"

#include "base/units.h"
#include "device/byte-rate.h"

#include "ns3/boolean.h"
#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaHostPath");

NS_OBJECT_ENSURE_REGISTERED(HostPath);

ns3::TypeId
HostPath::GetTypeId()
{
    static ns3::TypeId tid =
        ns3::TypeId("inca::HostPath")
            .SetParent<ns3::Object>()
            .SetGroupName("Inca")
            .AddConstructor<HostPath>()
            .AddAttribute("ByteRate",
                          "of plain bytes that a host moves, each way; by default at no cost",
                          ns3::DataRateValue(ns3::DataRate(NO_LIMIT_BPS)),
                          ns3::MakeDataRateAccessor(&HostPath::SetByteRate, &HostPath::GetByteRate),
                          ns3::MakeDataRateChecker())
            .AddAttribute("FrameCost",
                          "what each frame costs, sent or received",
                          ns3::TimeValue(ns3::Time(0)),
                          ns3::MakeTimeAccessor(&HostPath::m_frameCost),
                          ns3::MakeTimeChecker(ns3::Time(0)))
            .AddAttribute("MessageCost",
                          "what a message, or a sum of the network, costs its sender before its "
                          "first frame",
                          ns3::TimeValue(ns3::Time(0)),
                          ns3::MakeTimeAccessor(&HostPath::m_messageCost),
                          ns3::MakeTimeChecker(ns3::Time(0)))
            .AddAttribute("FullDuplex",
                          "whether a host sends and receives at once; else it receives, then sends",
                          ns3::BooleanValue(true),
                          ns3::MakeBooleanAccessor(&HostPath::m_fullDuplex),
                          ns3::MakeBooleanChecker());
    return tid;
}

ns3::Ptr<HostPath>
HostPath::Of(const ns3::Ptr<ns3::Node>& node)
{
    auto path = node->GetObject<HostPath>();
    if (!path)
    {
        path = ns3::CreateObject<HostPath>();
        node->AggregateObject(path);
    }
    return path;
}

void
HostPath::SetByteRate(ns3::DataRate rate)
{
    NS_LOG_FUNCTION(this);
    m_bytesPerSecond = BytesPerSecond(rate);
}

ns3::DataRate
HostPath::GetByteRate() const
{
    return ByteRate(m_bytesPerSecond);
}

std::int64_t
HostPath::FrameCostPs(std::uint64_t plainBytes) const
{
    return WorkPs(plainBytes, m_bytesPerSecond) + m_frameCost.GetTimeStep();
}

void
HostPath::Work(std::int64_t costPs, std::int64_t messagePs, std::function<void()> done)
{
    NS_LOG_FUNCTION(this << costPs << messagePs);
    m_sends = true;
    m_done = std::move(done);
    const PathLog::Scope scope;
    ExtendByCost(NowPs(), costPs, messagePs);
    m_endOfWork.ScheduleOnPathAt(NowPs() + costPs);
}

/** Of a frame, by what it is made of. */
void
HostPath::ExtendByCost(std::int64_t beginPs, std::int64_t costPs, std::int64_t messagePs) const
{
    const auto framePs = std::min(costPs - messagePs, m_frameCost.GetTimeStep());
    ExtendPath(PathKind::HOST_MESSAGE, beginPs + messagePs);
    ExtendPath(PathKind::HOST_FRAME, beginPs + messagePs + framePs);
    ExtendPath(PathKind::HOST_BYTES, beginPs + costPs);
}

void
HostPath::EndWork()
{
    NS_LOG_FUNCTION(this);
    m_sends = false;
    const auto done = std::move(m_done);
    done();
    GiveTurns();
}

void
HostPath::VisitState(StateVisitor& visitor)
{
    visitor.State(m_sends ? 1 : 0);
    visitor.Deadline(m_receivesUntilPs);
    visitor.Path(m_receivePath);
    m_endOfWork.VisitState(visitor);
    for (const auto* sender : m_waiting)
    {
        visitor.State(reinterpret_cast<std::uintptr_t>(sender));
    }
}

void
HostPath::Await(Sender& sender)
{
    NS_LOG_FUNCTION(this);
    if (!sender.isQueued)
    {
        sender.isQueued = true;
        m_waiting.push_back(&sender);
    }
}

void
HostPath::GiveTurns()
{
    NS_LOG_FUNCTION(this);
    while (!m_sends && !m_waiting.empty())
    {
        m_turnOf = m_waiting.front();
        m_waiting.pop_front();
        m_turnOf->isQueued = false;
        m_turnOf->onTurn();
    }
    m_turnOf = nullptr;
}

void
HostPath::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_waiting.clear();
    ns3::Object::DoDispose();
}

} // namespace inca
