/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_WATCHDOG_H
#define INCA_EXPERIMENT_WATCHDOG_H

#include "ns3/event-id.h"

#include <cstdint>
#include <functional>
#include <string>

namespace inca
{

/** What a watchdog needs to know of the run that it watches. */
struct WatchedRun
{
    std::function<std::int64_t()> nowPs; ///< of the ranks
    std::function<bool()> isFinished;
    /** Until when some rank computes, copies, codes or adds, and needs nothing to happen; may be past. (ps) */
    std::function<std::int64_t()> busyUntilPs;
    std::function<std::uint64_t()> progress; ///< grows with everything that happens
    std::function<std::int64_t()>
        silencePs;                      ///< how long timeouts may let it wait though it goes on
    std::function<std::string()> state; ///< for people: who waits for what
};

/** What is known of a run before it starts. */
struct ExpectedRun
{
    std::int64_t iterationPs{0}; ///< at least
    std::uint32_t iterations{1};
    double cpuSeconds{0}; ///< that it takes, about
    std::int64_t patiencePs{0};
};

/**
 * How long a watchdog lets pass from look to look: some hundred looks at a run, and some in a second of a long
 * one, as Ctrl-C waits for a look; but never fewer than the watchdog's patience asks for. (ps of simulated time)
 */
std::int64_t WatchdogLookPs(const ExpectedRun& run);

/**
 * Ends a run that stands still, or is longer than simulated time can be counted. It looks at the run in intervals of simulated time, which grow while
 * nothing happens; none of its looks changes what is simulated.
 */
class Watchdog
{
  public:
    /**
     * @param lookPs simulated time between two looks, at least 1
     * @param patiencePs simulated time without progress that a run may take, at least 1; more where
     *        its senders wait longer for what is lost (silencePs)
     * @param onLook called at every look: progress for people, and Ctrl-C
     */
    Watchdog(WatchedRun run,
             std::int64_t lookPs,
             std::int64_t patiencePs,
             std::function<void()> onLook);

    ~Watchdog();

    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /** From now on, stops the simulator once the run has stood still for its patience. */
    void Start();

    /** To be called when the simulator has returned. @throws RunError unless the run is finished */
    void CheckFinished() const;

  private:
    void Look();
    bool HasProgressed();
    std::int64_t PatienceLeftPs() const;
    std::string Since() const; ///< for people: since when it stands still
    void ScheduleLook(std::int64_t delayPs);

    WatchedRun m_run;
    std::int64_t m_lookPs;
    std::int64_t m_patiencePs;
    std::function<void()> m_onLook;
    std::uint64_t m_lastProgress{0};
    std::int64_t m_lastProgressPs{0};
    std::int64_t m_delayPs{0};       ///< between the last two looks
    std::int64_t m_gaveUpAfterPs{0}; ///< without progress; 0: has not
    bool m_outOfTime{false};
    ns3::EventId m_look;
};

} // namespace inca

#endif // INCA_EXPERIMENT_WATCHDOG_H
