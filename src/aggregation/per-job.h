/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_AGGREGATION_PER_JOB_H
#define INCA_AGGREGATION_PER_JOB_H

#include "inca/base/job-id.h"
#include "inca/device/set-up-error.h"

#include "ns3/object.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <map>
#include <string>

namespace inca
{

/** Objects of one host or switch, one for each job, or group of its workers. @tparam Member an ns3::Object */
template <class Member>
class PerJob : public ns3::Object
{
  public:
    /** Ends the program if @p job has one already. */
    void Add(JobId job, const ns3::Ptr<Member>& member)
    {
        INCA_ABORT_MSG_IF(!m_members.emplace(KeyOf(job), member).second,
                          std::string(m_has) + " of " + job.Text() + " already");
    }

    /** @return that of @p job; null if it has none */
    ns3::Ptr<Member> Find(JobId job) const
    {
        const auto found = m_members.find(KeyOf(job));
        return found == m_members.end() ? nullptr : found->second;
    }

  protected:
    static constexpr std::uint64_t GROUP{1ULL << 32U}; ///< more than there are jobs

    /** @return where it stands among the members: that of a whole job by the job's number */
    static std::uint64_t KeyOf(JobId job)
    {
        return job.GroupNumber() * GROUP + job.Number();
    }

    /** @param has "the host has an aggregation client" */
    explicit PerJob(const char* has)
        : m_has(has)
    {
    }

    /** Disposes of all of them. */
    void DoDispose() override
    {
        for (const auto& [job, member] : m_members)
        {
            member->Dispose();
        }
        m_members.clear();
        ns3::Object::DoDispose();
    }

    std::map<std::uint64_t, ns3::Ptr<Member>> m_members; ///< by their job

  private:
    const char* m_has; ///< what errors begin with: "the NIC has an aggregation client"
};

} // namespace inca

#endif // INCA_AGGREGATION_PER_JOB_H
