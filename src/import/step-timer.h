/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_STEP_TIMER_H
#define INCA_IMPORT_STEP_TIMER_H

#include "import/device-clock.h"
#include "import/recorded-training.h"
#include "import/torch-step.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace inca
{

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
