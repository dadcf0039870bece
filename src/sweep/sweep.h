/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_SWEEP_H
#define INCA_SWEEP_SWEEP_H

#include "sweep/point-result.h"
#include "sweep/points.h"
#include "sweep/result-store.h"
#include "sweep/run-slots.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** How far a sweep is. */
struct SweepProgress
{
    std::size_t done{0};   ///< points whose rows are whole, whoever has found what is in them
    std::size_t failed{0}; ///< of them, failed or timed out
    std::size_t points{0};
    std::optional<double> secondsLeft; ///< as estimated by how fast it was so far
};

/** Called with a point and its result. */
using ResultUser = std::function<void(const SweepPoint&, const PointResult&)>;

/** Called once a second or more often. */
using ProgressUser = std::function<void(const SweepProgress&)>;

/**
 * Brings the result of every point into a store: runs what is missing there, what takes longest first, so that
 * the last ones to end are short, and waits for what other sweeps are at. What is done is in the store,
 * whatever ends this one.
 */
class Sweep
{
  public:
    /**
     * @param plan, store must outlive it; @p store has begun @p plan's sweep
     * @param onResult told of every point in its order, with its gain, as soon as those before it are there
     */
    Sweep(const SweepPlan& plan, ResultStore& store, ResultUser onResult, ProgressUser onProgress);

    /** How far it is; at first, what was in the store. */
    SweepProgress Progress() const;

    /** @throws Interrupted; RunError if there are no processes, or no room on the disk; nothing is left running */
    void Run(RunSlots& slots);

    /** Tells @p user of the points with a result that come after one without. */
    void Rest(const ResultUser& user);

  private:
    using Clock = std::chrono::steady_clock;

    /** A result that is to be found, for one point or for several. */
    struct Task
    {
        std::string key;
        std::size_t index; ///< in m_keys
        std::size_t point; ///< index of the first
        double cpuSeconds; ///< that it takes, about
        double memoryBytes;
    };

    void Sort();
    void AddTask(const std::string& key, std::size_t point);
    bool IsOver(const RunSlots& slots) const;
    void Step(RunSlots& slots);
    bool IsDue(const RunSlots& slots) const;
    void Commit(std::uint32_t jobs);
    void ClaimFor(std::uint32_t jobs, std::vector<Task>& done);
    void StartWhatFits(RunSlots& slots);
    void Take(const std::string& key, const PointResult& result);
    bool Tell(std::size_t point, const ResultUser& user);
    void HandOver();
    void TellProgress();

    const std::vector<SweepPoint>& m_points;
    bool m_compares;
    ResultStore& m_store;
    ResultUser m_onResult;
    ProgressUser m_onProgress;
    std::map<std::string, std::vector<std::size_t>> m_users; ///< by key, the points that need it
    std::vector<std::size_t> m_missing; ///< by point, of the keys that it needs
    std::vector<bool> m_failed;         ///< by point
    std::vector<std::string> m_keys;    ///< by index of tasks
    std::list<Task> m_waiting;          ///< longest first
    std::list<Task> m_claimed;          ///< that are to start next
    std::vector<EndedRun> m_ended;      ///< that are not in the store yet
    Clock::time_point m_committed;      ///< last
    std::size_t m_handedOver{0};
    Clock::time_point m_begin;
    std::size_t m_before{0}; ///< done, when it began
    SweepProgress m_progress;
};

} // namespace inca

#endif // INCA_SWEEP_SWEEP_H
