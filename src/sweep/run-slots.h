/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_RUN_SLOTS_H
#define INCA_SWEEP_RUN_SLOTS_H

#include "inca/sweep/point-result.h"
#include "inca/sweep/points.h"
#include "inca/sweep/worker-pool.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
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

/** Does one run at a time. */
struct RunSlot
{
    std::string machine; ///< whose memory it shares with the other slots there
    double freeBytes{0}; ///< of the machine, before anything runs
};

/** A run that has ended. */
struct EndedRun
{
    std::size_t point{0}; ///< its index
    PointResult result;
};

/** Runs points of a sweep, some at the same time, in processes of their own, which end with this object. */
class RunSlots
{
  public:
    /** @param points must outlive it @param slots at least one */
    RunSlots(const std::vector<SweepPoint>& points, std::vector<RunSlot> slots)
        : m_points(points),
          m_slots(std::move(slots))
    {
    }

    virtual ~RunSlots() = default;
    RunSlots(const RunSlots&) = delete;
    RunSlots& operator=(const RunSlots&) = delete;

    /** @return whether there are as many runs as there may be */
    bool IsFull() const
    {
        return m_running.size() == m_slots.size();
    }

    bool IsIdle() const
    {
        return m_running.empty();
    }

    /** Where nothing runs, any run has room. @param memoryBytes as estimated */
    bool HasRoomFor(double memoryBytes) const
    {
        return SlotFor(memoryBytes).has_value();
    }

    /** @param point its index; HasRoomFor its memory @throws RunError if there is no process to be had */
    void Start(std::size_t point, double memoryBytes);

    /**
     * Waits until something has happened, at most a fifth of a second.
     * @return the runs that have ended, also those that took too long, which are ended then
     * @throws Interrupted
     */
    std::vector<EndedRun> Wait();

  protected:
    const std::vector<SweepPoint>& Points() const
    {
        return m_points;
    }

  private:
    virtual void DoStart(std::size_t slot, std::size_t point) = 0;

    /** As Wait. @return by point */
    virtual std::vector<EndedWork> DoWait() = 0;

    struct Running
    {
        std::size_t slot;
        double memoryBytes;
    };

    std::optional<std::size_t> SlotFor(double memoryBytes) const;

    const std::vector<SweepPoint>& m_points;
    std::vector<RunSlot> m_slots;
    std::map<std::size_t, Running> m_running; ///< by point
};

/** On this machine. @param points as of RunSlots */
std::unique_ptr<RunSlots> MakeLocalSlots(const std::vector<SweepPoint>& points,
                                         const RunLimits& limits);

/** Reads the message of a run that has ended (FormatResult). @throws Interrupted if that is how it ended */
PointResult DecodeResult(const std::string& message, const Scenario& scenario);

/** What is left of this machine's memory, or of what this process may take of it. (bytes) */
double FreeMemoryBytes();

} // namespace inca

#endif // INCA_SWEEP_RUN_SLOTS_H
