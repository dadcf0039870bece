/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_SWEEP_H
#define INCA_SWEEP_SWEEP_H

#include "inca/record/result-row.h"
#include "inca/sweep/point-result.h"
#include "inca/sweep/points.h"
#include "inca/sweep/result-store.h"
#include "inca/sweep/run-slots.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** How far a sweep is. */
struct SweepProgress
{
    std::size_t done{0};   ///< points whose runs have ended, and are stored
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
 * the last ones to end are short. What is done is in the store, whatever ends this one.
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
    const SweepProgress& Progress() const
    {
        return m_progress;
    }

    /**
     * @param slots of the plan's points
     * @throws Interrupted; RunError if there are no processes, or no room on the disk; nothing is left running
     */
    void Run(RunSlots& slots);

  private:
    using Clock = std::chrono::steady_clock;

    /** A result that is to be found, for one point or for several. */
    struct Task
    {
        std::size_t point;
        double cpuSeconds; ///< that it takes, about
        double memoryBytes;
    };

    /** What is known of a point's result. */
    enum class State : char
    {
        MISSING,
        THERE,
        FAILED, ///< or timed out; it is there, too
    };

    void AddTask(std::size_t point);
    void Commit();
    void StartWhatFits(RunSlots& slots);
    void Take(std::size_t point, const PointResult& result);
    bool IsWhole(std::size_t point) const;
    void HandOver();
    void Count();

    const std::vector<SweepPoint>& m_points;
    bool m_compares;
    ResultStore& m_store;
    ResultUser m_onResult;
    ProgressUser m_onProgress;
    std::vector<std::size_t> m_first; ///< by point, the first one that has the same result
    std::vector<std::size_t>
        m_against;               ///< by point, the first one with the result that its gain is over
    std::vector<State> m_states; ///< of first points
    std::list<Task> m_waiting;   ///< longest first
    std::vector<EndedRun> m_ended; ///< that are not in the store yet
    Clock::time_point m_committed; ///< last
    std::size_t m_handedOver{0};
    std::optional<Clock::time_point> m_begin; ///< of Run
    std::size_t m_before{0};                  ///< done, when it began
    SweepProgress m_progress;
};

/** A point of which there are several runs that differ in their seeds. */
struct Summary
{
    std::vector<std::string> varied; ///< "key=value", without the seed
    Row row; ///< label, settings, runs; of some results mean, sd, low95, high95
};

/** Collects the rows of a sweep that repeats every point with some seeds. */
class Summaries
{
  public:
    /**
     * Seeds vary fastest: the rows of one point come one after the other. Those that are not done do not count.
     * @param varied "key=value" of what sets the row's point apart, the seed last
     * @param settings the row's columns that say what was simulated
     */
    void Add(const std::string& label,
             std::vector<std::string> varied,
             const Row& settings,
             const Row& row);

    /** One for each point, in the order of their first rows. */
    std::vector<Summary> All() const;

  private:
    struct Group
    {
        std::string label;
        std::vector<std::string> varied;
        Row settings;
        std::vector<Row> rows;
    };

    static Summary Of(const Group& group);

    std::vector<Group> m_groups;
};

} // namespace inca

#endif // INCA_SWEEP_SWEEP_H
