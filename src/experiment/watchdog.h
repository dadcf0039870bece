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

/**
 * Ends a run that stands still, or is longer than simulated time can be counted. It looks at the run several times in its
 * patience; none of its looks changes what is simulated.
 */
class Watchdog
{
  public:
    /**
     * From now on, stops the simulator once the run has stood still for its patience.
     * @param patiencePs simulated time without progress that a run may take, at least 1; more where
     *        its senders wait longer for what is lost (silencePs)
     */
    Watchdog(WatchedRun run, std::int64_t patiencePs);

    ~Watchdog();

    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /** To be called when the simulator has returned. @throws RunError unless the run is finished */
    void CheckFinished() const;

  private:
    void ScheduleLook();
    void Look();
    void NoteProgress();
    std::string Since() const; ///< for people: since when it stands still

    WatchedRun m_run;
    std::int64_t m_patiencePs;
    std::uint64_t m_lastProgress{0};
    std::int64_t m_lastProgressPs{0};
    std::int64_t m_gaveUpAfterPs{0}; ///< without progress; 0: has not
    ns3::EventId m_look;
};

} // namespace inca

#endif // INCA_EXPERIMENT_WATCHDOG_H
