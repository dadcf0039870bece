/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/paced-works.h"

#include <utility>

namespace inca
{

PacedWorks::PacedWorks(const std::vector<double>& seconds, Progress onProgress)
    : m_onProgress(std::move(onProgress)),
      m_pace(seconds),
      m_done(seconds.size(), 0)
{
}

void
PacedWorks::Expect(std::size_t work, bool isToBeDone)
{
    m_pace.Expect(work, isToBeDone);
}

PacedWorks::Progress
PacedWorks::Begin(std::size_t work)
{
    m_pace.Expect(work, true);
    return [this, work](double share) {
        if (m_onProgress)
        {
            m_done[work] = share;
            m_pace.Tell(m_done, m_clock.Seconds());
            m_onProgress(m_pace.Share());
        }
    };
}

void
PacedWorks::End(std::size_t work)
{
    m_done[work] = 1;
}

} // namespace inca
