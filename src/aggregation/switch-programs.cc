/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/switch-programs.h"

#include "base/errors.h"

#include "ns3/object-map.h"

#include <utility>

namespace inca
{

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
                          ns3::MakeObjectMapAccessor(&SwitchPrograms::m_programs),
                          ns3::MakeObjectMapChecker<AggregationProgram>());
    return tid;
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
SwitchPrograms::Add(JobId job, const ns3::Ptr<AggregationProgram>& program)
{
    if (!m_programs.emplace(job.Number(), program).second)
    {
        throw InputError("the switch has an aggregation program of " + job.Text() + " already");
    }
}

ns3::Ptr<AggregationProgram>
SwitchPrograms::Find(JobId job) const
{
    const auto found = m_programs.find(job.Number());
    return found == m_programs.end() ? nullptr : found->second;
}

void
SwitchPrograms::Take(ns3::Ptr<Frame> frame, std::size_t port)
{
    const auto found = m_programs.find(frame->aggregation.packet.job.Number());
    if (found == m_programs.end())
    {
        GetObject<Switch>()->Forward(std::move(frame), port);
        return;
    }
    found->second->Take(std::move(frame), port);
}

void
SwitchPrograms::DoDispose()
{
    for (const auto& [job, program] : m_programs)
    {
        program->Dispose();
    }
    m_programs.clear();
    ns3::Object::DoDispose();
}

} // namespace inca
