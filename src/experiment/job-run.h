/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_JOB_RUN_H
#define INCA_EXPERIMENT_JOB_RUN_H

#include "inca/experiment/critical-path.h"
#include "inca/experiment/recorder.h"
#include "inca/helper/cluster.h"
#include "inca/job/breakdown.h"
#include "inca/job/other-orders.h"
#include "inca/job/verifier.h"
#include "inca/plan/plan.h"
#include "inca/record/run-record.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace inca
{

/** All that one job of a run leaves behind. */
struct JobOutcome
{
    std::unique_ptr<Recorder> seen;
    std::vector<SwitchRow> switches;      ///< those that add
    std::uint64_t retransmittedFrames{0}; ///< of what switches add
    std::uint64_t clampedValues{0};       ///< did not fit the scale of what switches add
    Rank measuredWorker{0}; ///< whose measured iterations take longest; the lowest on a tie
    /** By simulated worker, after its last backward pass. */
    std::vector<std::vector<Span>> communication;
    CriticalPath path;                        ///< of the same, if paths are remembered
    Breakdown breakdown;                      ///< of that worker, from the end of the warm-up on
    std::optional<SumErrors> errors;          ///< where workers have values
    std::optional<OrderChanges> orderChanges; ///< the same
    std::vector<SumErrors> bucketErrors;      ///< the same
    std::vector<std::vector<ErrorSums>> hops; ///< of each bucket (MeasureHops), with a lossy codec
    std::uint64_t comparedValues{0};
};

/** One job of a simulation: its ranks on hosts of a cluster, what they are seen to do, and whether their sums are right. */
class JobRun
{
  public:
    /** Does what may throw, and keeps that from ns-3's event loop. */
    using Guard = std::function<void(const std::function<void()>&)>;

    /**
     * Puts the ranks that are simulated on their hosts, before the simulator starts.
     * @param planned outlives it, as does @p cluster
     * @param atWindow called when some more values were compared; may throw
     */
    JobRun(const PlannedJob& planned,
           const Cluster& cluster,
           const Guard& guard,
           std::function<void()> atWindow);

    JobRun(const JobRun&) = delete; // ranks know where it is
    JobRun& operator=(const JobRun&) = delete;
    ~JobRun();

    const PlannedJob& Planned() const
    {
        return m_planned;
    }

    /** Those that are simulated. */
    const std::vector<ns3::Ptr<RankApplication>>& Ranks() const
    {
        return m_ranks;
    }

    Recorder& Seen() const
    {
        return *m_outcome.seen;
    }

    bool IsFinished() const;

    /** Share of its values that were compared; 0 without values. */
    double ComparedShare() const;

    /** When the simulator has returned: what the job's switches and ranks have done. @param hosts names @param withSpans of the critical path @throws InvariantError */
    void Collect(const std::vector<std::string>& hosts, bool withSpans);

    /** After Collect, if what was simulated holds for all ranks. @throws InvariantError if a sum is wrong, or was not compared */
    void Verify();

    /** Where the time of simulated workers went. */
    Breakdowns GetBreakdowns() const;

    /** Complete after Verify. @{ */
    const JobOutcome& Outcome() const
    {
        return m_outcome;
    }

    JobOutcome TakeOutcome()
    {
        return std::move(m_outcome);
    }

    /** @} */

  private:
    const TrainingJob& Job() const
    {
        return *m_planned.job;
    }

    void FindPath(const std::vector<std::string>& hosts, bool withSpans);
    bool NeedsSizes() const;
    void ReplaySizes();
    Rank MeasuredWorker() const;
    std::int64_t LengthOf(Rank worker) const;
    Span WindowOf(Rank worker) const;

    const PlannedJob& m_planned;
    const Cluster& m_cluster;
    std::shared_ptr<const TrainingJob>
        m_simulated;                      ///< the plan's, and how large its frames are coded
    std::unique_ptr<Verifier> m_verifier; ///< null: there are no values
    std::vector<ns3::Ptr<RankApplication>> m_ranks;
    JobOutcome m_outcome;
};

} // namespace inca

#endif // INCA_EXPERIMENT_JOB_RUN_H
