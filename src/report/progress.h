/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PROGRESS_H
#define INCA_REPORT_PROGRESS_H

#include "report/time-left.h"

#include <chrono>
#include <string>

namespace inca
{

/** A line on stderr that says how far a long work is and how long it will still take; only on a terminal. */
class Progress
{
  public:
    /**
     * @param label what is being done, for the line's beginning
     * @param quiet whether nothing is to be said
     */
    explicit Progress(std::string label = "", bool quiet = false);

    /** The line goes with its owner, whatever ended the work. */
    ~Progress();

    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /** Whether there is a terminal, and something to be said. */
    bool IsShown() const
    {
        return m_onTerminal;
    }

    /** @param share of the work that is done, 0..1; costs next to nothing between two redraws */
    void Update(double share);

    /** Clears the line. */
    void Done();

  private:
    using Clock = std::chrono::steady_clock;

    std::string m_label;
    bool m_onTerminal;
    bool m_drawn{false};
    Clock::time_point m_begin;
    Clock::time_point m_lastDrawn;
    TimeLeft m_left;
};

/** "alexnet: 40 %, 12 s left". Never 100 %: there is no line once the work has ended. */
std::string ProgressText(const std::string& label, double share, const TimeLeft& left);

} // namespace inca

#endif // INCA_REPORT_PROGRESS_H
