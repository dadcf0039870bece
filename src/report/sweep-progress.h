/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_SWEEP_PROGRESS_H
#define INCA_REPORT_SWEEP_PROGRESS_H

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace inca
{

/** How far many runs are. */
struct RunsDone
{
    std::size_t done{0}; ///< with those that have failed
    std::size_t failed{0};
    std::size_t all{0};
    std::optional<double> secondsLeft; ///< as estimated
};

/** "sweep: 12 of 40 done, 1 failed, 28 left, 3.0 min left"; the time as soon as it can be told. */
std::string RunsDoneText(const RunsDone& now);

/** Says on stderr how far a sweep is: on a terminal in a line that stays one, elsewhere in a line a minute. */
class SweepProgressLine
{
  public:
    SweepProgressLine();

    /** The terminal's line goes with its owner. */
    ~SweepProgressLine();

    SweepProgressLine(const SweepProgressLine&) = delete;
    SweepProgressLine& operator=(const SweepProgressLine&) = delete;

    void Update(const RunsDone& now);

    /** Clears the terminal's line, for others to write. */
    void Clear();

  private:
    using Clock = std::chrono::steady_clock;

    bool m_onTerminal;
    bool m_drawn{false};
    Clock::time_point m_lastTold;
};

} // namespace inca

#endif // INCA_REPORT_SWEEP_PROGRESS_H
