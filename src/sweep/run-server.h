/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_RUN_SERVER_H
#define INCA_SWEEP_RUN_SERVER_H

#include "scenario/scenario.h"
#include "sweep/run-process.h"

#include <cstdint>
#include <memory>

namespace inca
{

/**
 * A process, split from this one, that does one run after the other, and ends with its owner: to split one off takes
 * longer than many a run.
 */
class RunServer
{
  public:
    /** @throws RunError if there is no process to be had */
    RunServer();

    /**
     * Has it run @p scenario, which was there when it was split off and has not changed since. It does nothing else yet.
     * @return whether the process is still there
     */
    bool Begin(const Scenario& scenario);

    /** The run that has begun last. */
    RunProcess& Run() const
    {
        return *m_run;
    }

    /** Whether it has done so many that another process had better go on, without what has gathered in this one. */
    bool IsWornOut() const;

  private:
    std::unique_ptr<RunProcess> m_run;
    std::uint32_t m_begun{0};
};

} // namespace inca

#endif // INCA_SWEEP_RUN_SERVER_H
