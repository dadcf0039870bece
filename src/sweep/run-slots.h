/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_RUN_SLOTS_H
#define INCA_SWEEP_RUN_SLOTS_H

#include "scenario/scenario.h"
#include "sweep/point-result.h"
#include "sweep/run-process.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace inca
{

/** How many runs there may be at once, and how long each may take. */
struct RunLimits
{
    std::uint32_t jobs{1};             ///< at least 1
    double memoryBytes{0};             ///< that all runs together may take, as estimated
    std::optional<double> timeLimit{}; ///< of one run, in seconds of the wall clock
};

/** The run of a point that has ended. */
struct EndedRun
{
    std::size_t index{0}; ///< as it was started with
    PointResult result;
};

/** Runs at the same time, each in a process of its own, which ends with this object. */
class RunSlots
{
  public:
    explicit RunSlots(const RunLimits& limits);

    /** One run always fits. @param memoryBytes as estimated */
    bool HasRoomFor(double memoryBytes) const;

    /** How many runs there may be at once. */
    std::uint32_t Jobs() const;

    /** @return whether there are as many runs as there may be */
    bool IsFull() const;

    bool IsIdle() const;

    /** @param scenario must outlive the run @throws RunError if there is no process to be had */
    void Start(std::size_t index, const Scenario& scenario, double memoryBytes);

    /**
     * Waits until something has happened, at most a fifth of a second.
     * @return the runs that have ended, also those that took too long, which are ended then
     * @throws Interrupted
     */
    std::vector<EndedRun> Wait();

  private:
    using Clock = std::chrono::steady_clock;

    struct Running
    {
        std::size_t index;
        const Scenario* scenario;
        double memoryBytes;
        Clock::time_point begin;
        std::unique_ptr<RunProcess> process;
    };

    std::optional<PointResult> EndOf(Running& running) const;

    RunLimits m_limits;
    std::vector<Running> m_running;
};

/** What is left of this machine's memory, or of what this process may take of it. (bytes) */
double FreeMemoryBytes();

} // namespace inca

#endif // INCA_SWEEP_RUN_SLOTS_H
