/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_PACED_WORKS_H
#define INCA_SWEEP_PACED_WORKS_H

#include "base/cpu-clock.h"
#include "experiment/work-pace.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace inca
{

/** Works of this process, one after the other, each of which tells how far it is: tells how far all of them are. */
class PacedWorks
{
  public:
    using Progress = std::function<void(double share)>;

    /** @param seconds that each is estimated to take @param onProgress may be empty */
    PacedWorks(const std::vector<double>& seconds, Progress onProgress);

    /** Whether that one is still to be done, as far as is known; at first all are. */
    void Expect(std::size_t work, bool isToBeDone);

    /** That one begins. @return what it is to tell of itself; this outlives it */
    Progress Begin(std::size_t work);

    void End(std::size_t work);

  private:
    Progress m_onProgress;
    CpuClock m_clock;
    WorkPace m_pace;
    std::vector<double> m_done; ///< of each, 0..1
};

} // namespace inca

#endif // INCA_SWEEP_PACED_WORKS_H
