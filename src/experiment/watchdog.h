/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_WATCHDOG_H
#define INCA_EXPERIMENT_WATCHDOG_H

#include "inca/experiment/job-run.h"
#include "inca/plan/resolved.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/**
 * Ends a run that stands still, or is longer than simulated time can be counted. It looks at the run several times in its
 * patience, and more often at first; none of its looks changes what is simulated. Progress is what the recorder has seen and bytes that have come, and
 * a rank that computes, copies, codes or adds needs none.
 */
class Watchdog
{
  public:
    /**
     * From now on, stops the simulator once the run has stood still for its patience. All that it watches outlives it.
     * @param resolved whose watchdogPs, at least 1, is how long a run may take without progress; more where its senders wait
     *        longer for what is lost (LongestSilencePs)
     */
    Watchdog(const Cluster& cluster,
             const std::vector<std::unique_ptr<JobRun>>& jobs,
             const Resolved& resolved);

    Watchdog(const Watchdog&) = delete; // its events know where it is
    Watchdog& operator=(const Watchdog&) = delete;
    ~Watchdog() = default;

    /** To be called when the simulator has returned. @throws RunError unless the run is finished */
    void CheckFinished() const;

  private:
    void ScheduleLook();
    void OnLook();
    void NoteProgress();
    bool IsFinished() const;
    std::int64_t NowPs() const;
    std::string Since() const; ///< for people: since when it stands still

    const Cluster& m_cluster;
    const std::vector<std::unique_ptr<JobRun>>& m_jobs;
    std::int64_t m_patiencePs;
    double m_lossRate;
    std::uint64_t m_lastProgress{0};
    std::int64_t m_lastProgressPs{0};
    std::int64_t m_gaveUpAfterPs{0}; ///< without progress; 0: has not
};

} // namespace inca

#endif // INCA_EXPERIMENT_WATCHDOG_H
