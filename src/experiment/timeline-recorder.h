/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_TIMELINE_RECORDER_H
#define INCA_EXPERIMENT_TIMELINE_RECORDER_H

#include "inca/base/atomic-file.h"
#include "inca/experiment/critical-path.h"
#include "inca/experiment/job-run.h"
#include "inca/experiment/timeline-source.h"
#include "inca/job/breakdown.h"
#include "inca/plan/plan.h"
#include "inca/record/timeline-request.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/**
 * Writes the timeline of one run (docs/formats.md) while it goes on. It only listens: what happens is
 * what happens without it.
 */
class TimelineRecorder
{
  public:
    /**
     * Listens from now on, before the run begins.
     * @param request outlives it @param ranks that are simulated
     * @throws as AtomicFile
     */
    TimelineRecorder(const TimelineRequest& request,
                     const Plan& plan,
                     const Cluster& cluster,
                     const std::vector<ns3::Ptr<RankApplication>>& ranks,
                     JobRun::Guard guard);

    TimelineRecorder(const TimelineRecorder&) = delete; // trace sources know where it is
    TimelineRecorder& operator=(const TimelineRecorder&) = delete;
    ~TimelineRecorder() = default;

    /** As Recorder::atIterationEnd. */
    void EndIteration(std::uint32_t iteration);

    /** As SteadyState::onSkip. */
    void Skip(std::int64_t fromPs, std::int64_t untilPs, std::uint64_t times);

    /** When the run is over: where its time went. */
    void ShowBreakdowns(const Breakdowns& breakdowns);

    /** The critical path, which ends on @p worker. */
    void ShowPath(Rank worker, const std::vector<PathSpan>& spans);

    /** Gives the file its name, and says what is not in it. @throws as AtomicFile */
    void Finish();

  private:
    void NameProcesses(const Plan& plan);
    std::string LimitNote() const;

    const TimelineRequest& m_request;
    std::uint32_t m_warmup; ///< iterations
    Rank m_workers;         ///< simulated
    const JobClock& m_clock;
    AtomicFile m_file;
    bool m_isOver{false}; ///< the run: whoever writes may throw
    TimelineWriter m_writer;
    std::vector<std::unique_ptr<TimelineSource>> m_sources;
    std::vector<std::int64_t> m_iterationEndPs; ///< of those that are over
};

} // namespace inca

#endif // INCA_EXPERIMENT_TIMELINE_RECORDER_H
