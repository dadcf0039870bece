/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/link.h"

#include "device/random-loss.h"
#include "device/set-up-error.h"
#include "device/simulated-time.h"

#include "ns3/abort.h"
#include "ns3/global-value.h"
#include "ns3/log.h"
#include "ns3/string.h"

#include <algorithm>
#include <string>
#include <utility>

namespace inca
{

void
RequireSequentialSimulator()
{
    ns3::StringValue used;
    ns3::GlobalValue::GetValueByName("SimulatorImplementationType", used);
    for (const auto* parallel : {"Distributed", "NullMessage", "Multithreaded", "Hybrid"})
    {
        INCA_ABORT_MSG_IF(used.Get() == std::string("ns3::") + parallel + "SimulatorImpl",
                          "INCA simulates in one thread of one process, because hosts share "
                          "frames and jobs; set ns-3's SimulatorImplementationType, which is " +
                              used.Get() + ", to ns3::DefaultSimulatorImpl, and do without MPI");
    }
}

NS_LOG_COMPONENT_DEFINE("IncaLink");

NS_OBJECT_ENSURE_REGISTERED(Link);

ns3::TypeId
Link::GetTypeId()
{
    static ns3::TypeId tid = ns3::TypeId("inca::Link")
                                 .SetParent<ns3::Channel>()
                                 .SetGroupName("Inca")
                                 .AddConstructor<Link>()
                                 .AddAttribute("Delay",
                                               "time from one end to the other",
                                               ns3::TimeValue(ns3::MicroSeconds(1)),
                                               ns3::MakeTimeAccessor(&Link::m_delay),
                                               ns3::MakeTimeChecker(ns3::Time(0)));
    return tid;
}

unsigned
Link::Attach(LinkEnd* end)
{
    NS_LOG_FUNCTION(this << end);
    RequireSequentialSimulator();
    NS_ABORT_MSG_IF(IsUp(), "a link has two ends");
    const auto side = m_ends++;
    auto& way = m_directions[1 - side];
    way.to = end;
    way.deliver = KeptEvent::Of<&Direction::DeliverFirst>(&way);
    if (IsUp())
    {
        m_directions[0].to->LinkIsUp(*m_directions[1].to);
        m_directions[1].to->LinkIsUp(*m_directions[0].to);
    }
    return side;
}

void
Link::Transmit(unsigned fromSide, ns3::Ptr<Frame> frame)
{
    NS_LOG_FUNCTION(this << fromSide << *frame);
    auto& way = m_directions[fromSide];
    auto arrivalPs = frame->lastDeparturePs + m_delay.GetTimeStep();
    if (!way.frames.empty()) // Delay may be shorter now
    {
        arrivalPs = std::max(arrivalPs, way.frames.back().arrivalPs);
    }
    PathLog::Propagate(arrivalPs);
    way.frames.push_back({std::move(frame), arrivalPs, PathLog::Now()});
    if (way.frames.size() == 1)
    {
        way.ScheduleFirst();
    }
}

void
Link::SetErrorModel(unsigned fromSide, ns3::Ptr<ns3::ErrorModel> model)
{
    NS_LOG_FUNCTION(this << fromSide);
    auto& way = m_directions.at(fromSide);
    way.errorModel = model;
    way.looksAtFrames = !ns3::DynamicCast<RandomLoss>(model);
}

void
Link::Direction::ScheduleFirst()
{
    if (!node)
    {
        node = to->NodeId();
    }
    deliver.ScheduleAt(frames.front().arrivalPs, *node);
}

void
Link::Direction::DeliverFirst()
{
    auto frame = std::move(frames.front().frame);
    PathLog::Follow(frames.front().path);
    frames.pop_front();
    if (!frames.empty())
    {
        ScheduleFirst();
    }
    if (errorModel && IsLost(*frame))
    {
        ++counters.lostFrames;
        return;
    }
    ++counters.carriedFrames;
    to->ReceiveFrame(std::move(frame));
}

bool
Link::Direction::IsLost(const Frame& frame) const
{
    if (!looksAtFrames)
    {
        return errorModel->IsCorrupt(
            nullptr); // a packet for each frame and hop takes a fifth of the time
    }
    const auto frameBytes = frame.wireBytes - PREAMBLE_BYTES - GAP_BYTES;
    auto shown = frame.packet ? frame.packet
                              : ns3::Create<ns3::Packet>(static_cast<std::uint32_t>(frameBytes));
    return errorModel->IsCorrupt(shown);
}

void
Link::VisitState(StateVisitor& visitor)
{
    for (auto& way : m_directions)
    {
        if (way.errorModel)
        {
            visitor.Aperiodic(); // who knows what it does next
        }
        visitor.State(way.frames.size());
        for (std::size_t i = 0; i < way.frames.size(); ++i)
        {
            visitor.At(way.frames[i].arrivalPs);
            way.frames[i].frame->VisitState(visitor);
            visitor.Path(way.frames[i].path);
        }
        visitor.Count(way.counters.carriedFrames);
    }
}

std::size_t
Link::GetNDevices() const
{
    return m_ends;
}

ns3::Ptr<ns3::NetDevice>
Link::GetDevice(std::size_t i) const
{
    // the end attached first is the one that the second direction leads to
    return i < m_ends ? dynamic_cast<ns3::NetDevice*>(m_directions[1 - i].to) : nullptr;
}

void
Link::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_directions = {};
    m_ends = 0;
    ns3::Channel::DoDispose();
}

} // namespace inca
