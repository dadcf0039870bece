/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_RUN_SLOTS_H
#define INCA_SWEEP_RUN_SLOTS_H

#include "scenario/scenario.h"
#include "sweep/point-result.h"

#include <cstddef>
#include <cstdint>
#include <map>
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

/** A run that has ended. */
struct EndedRun
{
    std::size_t index{0}; ///< as it was started with
    PointResult result;
};

/** Runs at the same time, in processes of their own, which end with this object. */
class RunSlots
{
  public:
    virtual ~RunSlots() = default;

    /** How many runs there may be at once. */
    virtual std::uint32_t Jobs() const = 0;

    /** @return whether there are as many runs as there may be */
    virtual bool IsFull() const = 0;

    virtual bool IsIdle() const = 0;

    /** Where nothing runs, any run has room. @param memoryBytes as estimated */
    virtual bool HasRoomFor(double memoryBytes) const = 0;

    /** @param scenario was there before the first run, and outlives this one @throws RunError if there is no process to be had */
    virtual void Start(std::size_t index, const Scenario& scenario, double memoryBytes) = 0;

    /** How far those runs are that tell, 0..1, by the index that they were started with. */
    virtual std::map<std::size_t, double> Shares() const
    {
        return {};
    }

    /**
     * Waits until something has happened, at most a fifth of a second.
     * @return the runs that have ended, also those that took too long, which are ended then
     * @throws Interrupted
     */
    virtual std::vector<EndedRun> Wait() = 0;
};

/** Of a process, before it simulates anything. (bytes) */
constexpr double RUN_PROCESS_BYTES = 16e6;

/** On this machine, in processes that are split from this one. */
std::unique_ptr<RunSlots> MakeLocalSlots(const RunLimits& limits);

/** @param text of TellOf @return the result of a run that has ended @throws Interrupted if that is how it ended */
PointResult ResultTold(const std::string& text, const Scenario& scenario);

/** The result of a run that was ended for its length. */
PointResult TimeoutResult(double timeLimit, const Scenario& scenario);

/** What is left of this machine's memory, or of what this process may take of it. (bytes) */
double FreeMemoryBytes();

} // namespace inca

#endif // INCA_SWEEP_RUN_SLOTS_H
