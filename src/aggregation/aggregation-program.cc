/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/aggregation-program.h"

#include "device/frame.h"
#include "device/initial-attribute.h"
#include "device/switch.h"
#include "exchange/slot-format.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/object-map.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaAggregationProgram");

NS_OBJECT_ENSURE_REGISTERED(AggregationProgram);

namespace
{

constexpr std::size_t OUTCOMES{7};

/** By outcome. */
constexpr std::array<std::uint64_t AggregationCounters::*, OUTCOMES> g_counters{
    &AggregationCounters::combined,
    &AggregationCounters::forwarded,
    &AggregationCounters::answered,
    &AggregationCounters::duplicates,
    &AggregationCounters::late,
    &AggregationCounters::noSlot,
    &AggregationCounters::foreign};

} // namespace

const char*
AggregationOutcomeName(AggregationOutcome outcome)
{
    static constexpr std::array<const char*, OUTCOMES> names{
        "combined", "forwarded", "answered", "duplicate", "late", "no-slot", "foreign"};
    return names[static_cast<std::size_t>(outcome)];
}

ns3::TypeId
AggregationProgram::GetTypeId()
{
    static ns3::TypeId tid =
        ns3::TypeId("inca::AggregationProgram")
            .SetParent<ns3::Object>()
            .SetGroupName("Inca")
            .AddAttribute("HeaderBytes",
                          "that precede the values in an IP packet, where the program has no "
                          "fields of its own",
                          ns3::UintegerValue(SlotFormat().headerBytes),
                          Initially<AggregationProgram>(
                              ns3::MakeUintegerAccessor(&AggregationProgram::m_headerBytes)),
                          ns3::MakeUintegerChecker<std::uint16_t>())
            .AddTraceSource("Slots",
                            "slots in use",
                            ns3::MakeTraceSourceAccessor(&AggregationProgram::m_slots),
                            "inca::AggregationProgram::SlotsTracedCallback")
            .AddTraceSource("Combined",
                            "a contribution was added to a sum",
                            ns3::MakeTraceSourceAccessor(&AggregationProgram::m_combinedTrace),
                            "inca::AggregationProgram::FrameTracedCallback")
            .AddTraceSource("Completed",
                            "the last contribution to a packet came",
                            ns3::MakeTraceSourceAccessor(&AggregationProgram::m_completedTrace),
                            "inca::AggregationProgram::CompletedTracedCallback")
            .AddTraceSource("Dropped",
                            "a frame was dropped, and why",
                            ns3::MakeTraceSourceAccessor(&AggregationProgram::m_droppedTrace),
                            "inca::AggregationProgram::DroppedTracedCallback");
    return tid;
}

void
AggregationProgram::Install(ns3::Ptr<Switch> owner, AggregationPlace place)
{
    NS_LOG_FUNCTION(this << owner);
    NS_ABORT_MSG_IF(m_switch, "a program has one switch");
    m_switch = owner;
    m_place = std::move(place);
    DoInstall();
}

void
AggregationProgram::Take(ns3::Ptr<Frame> frame, std::size_t port)
{
    NS_LOG_FUNCTION(this << *frame << port);
    const auto& segment = frame->aggregation;
    const bool isForeign = IsForeign(segment, port);
    const auto outcome = isForeign ? AggregationOutcome::FOREIGN : DoTake(segment);
    NS_LOG_INFO("got " << *frame << ": " << AggregationOutcomeName(outcome));
    Count(outcome, isForeign ? 1 : MultiplicityOf(segment));
    if (outcome == AggregationOutcome::COMBINED)
    {
        m_combinedTrace(frame);
    }
    else if (IsDropped(outcome))
    {
        m_droppedTrace(frame, outcome);
    }
}

bool
AggregationProgram::IsForeign(const AggregationSegment& segment, std::size_t port) const
{
    if (segment.down)
    {
        return !m_place.parent || m_place.parent->port != port;
    }
    const auto child = segment.packet.child;
    return child >= m_place.children.size() || m_place.children[child].port != port;
}

std::uint32_t
AggregationProgram::MultiplicityOf(const AggregationSegment& segment) const
{
    return segment.down ? m_place.parent->multiplicity
                        : m_place.children[segment.packet.child].multiplicity;
}

void
AggregationProgram::Count(AggregationOutcome outcome, std::uint32_t times)
{
    NS_LOG_FUNCTION(this << times);
    m_counters.in += times;
    m_counters.*g_counters[static_cast<std::size_t>(outcome)] += times;
}

void
AggregationProgram::CountFlow(std::uint64_t packets, std::uint32_t slots)
{
    NS_LOG_FUNCTION(this << packets << slots);
    const auto fromAbove = m_place.parent ? packets : 0;
    m_counters.in += packets * Children() + fromAbove;
    m_counters.combined += packets * Children();
    m_counters.forwarded += fromAbove;
    m_counters.made += packets * Children() + fromAbove;
    UseSlots(slots);
    UseSlots(0);
}

std::string
AggregationProgram::State() const
{
    const auto waits = DoState();
    const auto drops = Drops();
    const auto* between = waits.empty() || drops.empty() ? "" : "; ";
    return waits + between + (drops.empty() ? "" : "dropped so far: " + drops);
}

std::string
AggregationProgram::Drops() const
{
    std::string text;
    for (std::size_t i = 0; i < g_counters.size(); ++i)
    {
        const auto outcome = static_cast<AggregationOutcome>(i);
        const auto frames = m_counters.*g_counters[i];
        if (IsDropped(outcome) && frames > 0)
        {
            text += (text.empty() ? "" : ", ") + std::to_string(frames) + " " +
                    AggregationOutcomeName(outcome);
        }
    }
    return text;
}

void
AggregationProgram::Send(ns3::Ptr<Frame> frame, const AggregationPeer& peer)
{
    NS_LOG_FUNCTION(this << *frame);
    if (!frame->aggregation.fields)
    {
        frame->SetHeader(m_headerBytes);
    }
    frame->source = m_place.address;
    frame->destination = peer.address;
    frame->aggregation.packet.job = m_place.job;
    m_counters.made += peer.multiplicity;
    m_switch->Send(std::move(frame), peer.port);
}

void
AggregationProgram::VisitState(StateVisitor& visitor)
{
    DoVisitState(visitor);
    visitor.State(m_slots);
    visitor.State(m_slotsPeak);
    visitor.Count(m_counters.in);
    visitor.Count(m_counters.combined);
    visitor.Count(m_counters.forwarded);
    visitor.Count(m_counters.made);
    visitor.State(m_counters.answered);
    visitor.State(m_counters.Dropped());
}

void
AggregationProgram::UseSlots(std::uint32_t slots)
{
    NS_LOG_FUNCTION(this << slots);
    m_slots = slots;
    m_slotsPeak = std::max(m_slotsPeak, slots);
}

void
AggregationProgram::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_switch = nullptr;
    ns3::Object::DoDispose();
}

NS_OBJECT_ENSURE_REGISTERED(SwitchPrograms);

ns3::TypeId
SwitchPrograms::GetTypeId()
{
    static ns3::TypeId tid =
        ns3::TypeId("inca::SwitchPrograms")
            .SetParent<ns3::Object>()
            .SetGroupName("Inca")
            .AddConstructor<SwitchPrograms>()
            .AddAttribute("Programs",
                          "by the number of their job",
                          ns3::ObjectMapValue(),
                          ns3::MakeObjectMapAccessor(&SwitchPrograms::m_members),
                          ns3::MakeObjectMapChecker<AggregationProgram>());
    return tid;
}

SwitchPrograms::SwitchPrograms()
    : PerJob("the switch has an aggregation program")
{
}

ns3::Ptr<SwitchPrograms>
SwitchPrograms::Of(const ns3::Ptr<Switch>& owner)
{
    auto programs = owner->GetObject<SwitchPrograms>();
    if (!programs)
    {
        programs = ns3::CreateObject<SwitchPrograms>();
        owner->AggregateObject(programs);
        owner->SetFrameReceiver(
            FrameKind::AGGREGATION,
            [taker = ns3::PeekPointer(programs)](ns3::Ptr<Frame> frame, std::size_t from) {
                taker->Take(std::move(frame), from);
            });
    }
    return programs;
}

void
SwitchPrograms::Take(ns3::Ptr<Frame> frame, std::size_t port)
{
    NS_LOG_FUNCTION(this << *frame << port);
    const auto found = m_members.find(KeyOf(frame->aggregation.packet.job));
    if (found == m_members.end())
    {
        GetObject<Switch>()->Forward(std::move(frame), port);
        return;
    }
    found->second->Take(std::move(frame), port);
}

} // namespace inca
