/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_SIMULATED_TIME_H
#define INCA_DEVICE_SIMULATED_TIME_H

#include "inca/base/path-log.h"

#include "ns3/event-id.h"
#include "ns3/event-impl.h"
#include "ns3/make-event.h"
#include "ns3/ptr.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <utility>

namespace inca
{

/** The present in picoseconds, which are ns-3's time steps (RequirePicosecondResolution). */
inline std::int64_t
NowPs()
{
    return ns3::Simulator::Now().GetTimeStep();
}

/** From now on it is for @p path that things happen. */
inline void
ResumePath(PathEnd path)
{
    if (PathLog::IsOn())
    {
        PathLog::Resume(std::move(path), NowPs(), ns3::Simulator::GetContext());
    }
}

/** They go on at @p endPs, when this node has done what @p kind says. */
inline void
ExtendPath(PathKind kind, std::int64_t endPs, std::uint32_t detail = 0)
{
    if (PathLog::IsOn())
    {
        PathLog::Extend(kind, ns3::Simulator::GetContext(), endPs, detail);
    }
}

/** Notes on their path something that takes no time. */
inline void
MarkPath(PathKind kind, std::uint32_t detail = 0)
{
    if (PathLog::IsOn())
    {
        PathLog::Mark(kind, ns3::Simulator::GetContext(), detail);
    }
}

/** How long it is until @p timePs, which is not in the past. */
inline ns3::Time
Until(std::int64_t timePs)
{
    return ns3::TimeStep(static_cast<std::uint64_t>(timePs - NowPs()));
}

/** Has @p action done at @p timePs, which says itself on whose path (ResumePath). @return ns-3's event */
template <typename Action>
ns3::EventId
ScheduleOffPath(std::int64_t timePs, Action action)
{
    const ns3::Ptr<ns3::EventImpl> event(ns3::MakeEvent(std::move(action)), false);
    return ns3::Simulator::Schedule(Until(timePs), event);
}

/** Has @p action done on @p node at @p timePs, for the reason for which things happen now: what is scheduled by the million. */
template <typename Action>
void
ScheduleOnPath(std::uint32_t node, std::int64_t timePs, Action action)
{
    const ns3::Ptr<ns3::EventImpl> event(
        ns3::MakeEvent([path = PathLog::Now(), action = std::move(action)]() mutable {
            ResumePath(std::move(path));
            action();
        }),
        false);
    event->Ref(); // of the scheduler, which lets it go
    ns3::Simulator::ScheduleWithContext(node, Until(timePs), ns3::PeekPointer(event));
}

} // namespace inca

#endif // INCA_DEVICE_SIMULATED_TIME_H
