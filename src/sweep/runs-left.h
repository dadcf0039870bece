/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_RUNS_LEFT_H
#define INCA_SWEEP_RUNS_LEFT_H

#include <cstdint>
#include <optional>
#include <vector>

namespace inca
{

/** One of many runs, while it goes on. */
struct RunUnderWay
{
    double work{0};    ///< seconds of CPU time, as estimated
    double share{0};   ///< of it that is done, 0..1; 0: it has not told yet
    double seconds{0}; ///< since it began
};

/** Runs that have not begun. */
struct WaitingRuns
{
    double work{0};    ///< of all of them
    double longest{0}; ///< of one
};

/**
 * When many runs will have ended. Estimates of their work need only be right against each other: what a
 * second of it takes is learnt from what is done.
 */
class RunsLeft
{
  public:
    /** @param work of a run that has ended @param seconds that it took */
    void Ended(double work, double seconds);

    /** @param jobs that run at once @return seconds; empty before anything is known of any run */
    std::optional<double> Seconds(const std::vector<RunUnderWay>& running,
                                  const WaitingRuns& waiting,
                                  std::uint32_t jobs) const;

  private:
    double m_work{0};
    double m_seconds{0};
};

} // namespace inca

#endif // INCA_SWEEP_RUNS_LEFT_H
