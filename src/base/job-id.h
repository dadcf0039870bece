/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_JOB_ID_H
#define INCA_BASE_JOB_ID_H

#include <cstdint>
#include <string>

namespace inca
{

/** Which of the training jobs on one network; job 0 where there is only one. */
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

    /** "job 2" */
    std::string Text() const
    {
        return "job " + std::to_string(m_number);
    }

    friend constexpr bool operator==(JobId a, JobId b)
    {
        return a.m_number == b.m_number;
    }

    friend constexpr bool operator!=(JobId a, JobId b)
    {
        return a.m_number != b.m_number;
    }

    friend constexpr bool operator<(JobId a, JobId b)
    {
        return a.m_number < b.m_number;
    }

  private:
    std::uint32_t m_number{0};
};

} // namespace inca

#endif // INCA_BASE_JOB_ID_H
