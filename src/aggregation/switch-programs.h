/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_AGGREGATION_SWITCH_PROGRAMS_H
#define INCA_AGGREGATION_SWITCH_PROGRAMS_H

#include "aggregation/aggregation-program.h"
#include "base/job-id.h"
#include "device/switch.h"

#include "ns3/object.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace inca
{

/**
 * The aggregation programs that a switch runs, one for each job; aggregated to the switch. Each gets
 * the frames of its job. A frame of a job for which nothing runs here is forwarded as any other.
 */
class SwitchPrograms : public ns3::Object
{
  public:
    static ns3::TypeId GetTypeId();

    /** @return those of @p owner; made if there are none yet */
    static ns3::Ptr<SwitchPrograms> Of(const ns3::Ptr<Switch>& owner);

    /** @throws InputError if @p job has a program already */
    void Add(JobId job, const ns3::Ptr<AggregationProgram>& program);

    /** @return the program of @p job; null if it has none */
    ns3::Ptr<AggregationProgram> Find(JobId job) const;

  protected:
    void DoDispose() override;

  private:
    void Take(ns3::Ptr<Frame> frame, std::size_t port);

    std::map<std::uint32_t, ns3::Ptr<AggregationProgram>>
        m_programs; ///< by the number of their job
};

} // namespace inca

#endif // INCA_AGGREGATION_SWITCH_PROGRAMS_H
