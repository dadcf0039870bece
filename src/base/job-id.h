/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_JOB_ID_H
#define INCA_BASE_JOB_ID_H

#include <cstdint>
#include <string>

namespace inca
{

/**
 * Which of the training jobs on one network; job 0 where there is only one. Where switches add for several groups of a job's
 * workers, each by itself, a group has a number, too.
 */
class JobId
{
  public:
    constexpr JobId() = default;

    constexpr explicit JobId(std::uint32_t number)
        : m_number(number)
    {
    }

    constexpr std::uint32_t Number() const
    {
        return m_number;
    }

    /** @return the same job's group @p number, from 1 on */
    constexpr JobId Group(std::uint32_t number) const
    {
        JobId of = *this;
        of.m_group = number;
        return of;
    }

    constexpr std::uint32_t GroupNumber() const ///< 0: all of the job
    {
        return m_group;
    }

    /** Whatever their groups. */
    constexpr bool IsOf(JobId job) const
    {
        return m_number == job.m_number;
    }

    /** "job 2" */
    std::string Text() const
    {
        return "job " + std::to_string(m_number);
    }

    friend constexpr bool operator==(JobId a, JobId b)
    {
        return a.m_number == b.m_number && a.m_group == b.m_group;
    }

    friend constexpr bool operator!=(JobId a, JobId b)
    {
        return !(a == b);
    }

    friend constexpr bool operator<(JobId a, JobId b)
    {
        return a.m_number != b.m_number ? a.m_number < b.m_number : a.m_group < b.m_group;
    }

  private:
    std::uint32_t m_number{0};
    std::uint32_t m_group{0};
};

} // namespace inca

#endif // INCA_BASE_JOB_ID_H
