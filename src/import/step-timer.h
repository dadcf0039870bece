/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_STEP_TIMER_H
#define INCA_IMPORT_STEP_TIMER_H

#include "import/recorded-training.h"
#include "import/torch-recording.h"
#include "import/torch-steps.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace inca
{

/** When what a CPU asked of its GPU was done, and what that took. Collectives are no work of this. (ns) */
class DeviceClock
{
  public:
    /** @param recording outlives it; its work is by launch */
    explicit DeviceClock(const TorchRecording& recording);

    /** @return when the CPU has come to @p at and the GPU has done what was launched until then */
    std::int64_t DoneAt(std::int64_t at) const;

    /**
     * Time in which the GPU computed what was launched after @p from, up to @p to; what goes on at the same
     * time counts once.
     */
    std::int64_t Busy(std::int64_t from, std::int64_t to) const;

    /** Time from @p from to @p to in which a collective goes on and nothing computes. */
    std::int64_t ExposedCollectives(std::int64_t from, std::int64_t to) const;

    bool HasWork() const
    {
        return !m_launches.empty();
    }

  private:
    struct Interval
    {
        std::int64_t begin;
        std::int64_t end;
    };

    static std::vector<Interval> Union(std::vector<Interval> intervals);
    static std::int64_t Within(const std::vector<Interval>& intervals,
                               std::int64_t from,
                               std::int64_t to);

    std::vector<std::int64_t> m_launches; ///< of what computes
    std::vector<std::int64_t> m_doneAt;   ///< the latest end up to there
    std::vector<std::int64_t> m_busy;  ///< sums of their shares in the time that the GPU computes
    std::vector<Interval> m_both;      ///< of everything, apart and ascending
    std::vector<Interval> m_computing; ///< the same of what computes
};

/** Times of one iteration's spans. (ns) */
struct StepTimes
{
    std::vector<std::int64_t> forward;
    std::vector<std::int64_t> backward;
    std::int64_t update{0};
};

/** Takes the times of iterations from a profile, as TrainingOfTorch describes. */
class StepTimer
{
  public:
    /** @param profile outlives it @throws InputError if kernels' times are asked for, and there are none */
    StepTimer(const TorchRecording& profile, const ImportOptions& options, ImportReport& report);

    StepTimes TimesOf(const TorchStep& step, const std::vector<GradientSpan>& spans);

    /** Says what makes the times doubtful, of iterations from their beginning to their end. */
    void Warn(const std::vector<TorchStep>& steps);

  private:
    std::int64_t BackwardBegin(const TorchStep& step) const;
    std::int64_t Passed(std::int64_t from, std::int64_t to) const;
    std::vector<std::int64_t> Backward(const TorchStep& step,
                                       const std::vector<GradientSpan>& spans,
                                       std::int64_t begin) const;
    std::optional<std::int64_t> ForwardBegin(const TorchStep& step, const GradientSpan& span) const;
    std::vector<std::int64_t> Forward(const TorchStep& step,
                                      const std::vector<GradientSpan>& spans,
                                      std::int64_t begin,
                                      std::int64_t end) const;

    const TorchRecording& m_profile;
    DeviceClock m_clock;
    bool m_kernelTimes;
    ImportReport& m_report;
};

} // namespace inca

#endif // INCA_IMPORT_STEP_TIMER_H
