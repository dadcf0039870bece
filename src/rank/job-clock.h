/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_JOB_CLOCK_H
#define INCA_RANK_JOB_CLOCK_H

#include "inca/base/path-log.h"
#include "inca/base/state-visitor.h"

#include <cstdint>
#include <functional>
#include <list>

namespace inca
{

/**
 * The time of a rank, and what it does at a certain time. It is ahead of ns-3's time by what the network
 * has skipped, as it only repeated itself: a network's parts reckon in ns-3's time, ranks and those who
 * watch them in this one.
 */
class JobClock
{
  public:
    JobClock() = default;
    JobClock(const JobClock&) = delete; // what is pending knows where it is
    JobClock& operator=(const JobClock&) = delete;
    ~JobClock() = default;

    /** Something that will be done. */
    struct Pending
    {
        std::uint64_t eventUid{0}; ///< ns-3's number
        std::int64_t timePs{0};    ///< when, by this clock
        std::uint64_t ofStep{0};   ///< what it does in a step; 0: it is of none
        PathEnd path{};            ///< to when it was asked for
    };

    std::int64_t NowPs() const; ///< ns-3's time, and what the network has skipped (ps)

    /** What time it is in the network when it is @p timePs here. */
    std::int64_t NetworkPs(std::int64_t timePs) const
    {
        return timePs - m_skippedPs;
    }

    /**
     * Has something done in an event of its own.
     * @param timePs when: now or later
     * @param action what is done
     * @param ofStep what it does, if it is part of a step: steps that are alike do it again and again; else 0
     */
    void At(std::int64_t timePs, std::function<void()> action, std::uint64_t ofStep = 0);

    /** What will be done, in the order in which it was asked for. */
    const std::list<Pending>& Awaited() const
    {
        return m_awaited;
    }

    /** How much of what was awaited has been done, steps included. */
    std::uint64_t Done() const
    {
        return m_done + m_doneOfSteps;
    }

    /** The network has skipped @p ps more; whoever says so has brought forward what is awaited, but what a period has. */
    void Skip(std::int64_t ps)
    {
        m_skippedPs += ps;
    }

    /** Shows what it will do of steps, and that it has done nothing else. */
    void VisitState(StateVisitor& visitor);

  private:
    std::int64_t m_skippedPs{0};    ///< by the network, so far
    std::uint64_t m_done{0};        ///< how much of what was awaited has been done, beside steps
    std::uint64_t m_doneOfSteps{0}; ///< the same of steps
    std::list<Pending> m_awaited;   ///< in the order in which it was asked for
};

} // namespace inca

#endif // INCA_RANK_JOB_CLOCK_H
