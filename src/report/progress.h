/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PROGRESS_H
#define INCA_REPORT_PROGRESS_H

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace inca
{

/** A line on stderr that is written over and over; where there is no terminal, one now and then, or none. */
class ProgressLine
{
  public:
    /** @param elsewhere how often there is one where there is no terminal; 0: never */
    explicit ProgressLine(std::chrono::seconds elsewhere = std::chrono::seconds(0));

    /** The line goes with its owner, whatever ended the work. */
    ~ProgressLine();

    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    bool IsOnTerminal() const;

    /** @return whether it is time for another text; costs next to nothing */
    bool IsDue() const;

    /** Shows @p text instead of what is there. */
    void Show(const std::string& text);

    /** Clears the line, for others to write. */
    void Clear();

  private:
    using Clock = std::chrono::steady_clock;

    bool m_onTerminal;
    Clock::duration m_every;
    Clock::time_point m_lastShown;
    bool m_drawn{false};
};

/** Says how far a long work is and how long it will still take. */
class Progress
{
  public:
    /**
     * @param label what is being done, for the line's beginning
     * @param quiet whether nothing is to be said
     */
    explicit Progress(std::string label = "", bool quiet = false);

    /** Whether there is a terminal, and something to be said. */
    bool IsShown() const;

    /** @param share of the work that is done, 0..1; costs next to nothing between two redraws */
    void Update(double share);

    /** Clears the line. */
    void Done();

  private:
    using Clock = std::chrono::steady_clock;

    std::string m_label;
    bool m_quiet;
    ProgressLine m_line;
    Clock::time_point m_begin;
};

/** How far many runs are. */
struct RunsDone
{
    std::size_t done{0}; ///< with those that have failed
    std::size_t failed{0};
    std::size_t all{0};
    std::optional<double> secondsLeft; ///< as estimated
};

/** Says how far a sweep is: on a terminal in a line that stays one, elsewhere in a line a minute. */
class SweepProgressLine : public ProgressLine
{
  public:
    SweepProgressLine();

    void Update(const RunsDone& now);
};

/**
 * "alexnet: 40 %, 12 s left". Never 100 %: there is no line once the work has ended. The rest is taken to be as
 * fast as what is done; nothing is said of it in the first second and per cent.
 */
std::string ProgressText(const std::string& label, double share, double seconds);

/** "sweep: 12 of 40 done, 1 failed, 28 left, 3.0 min left"; the time as soon as it can be told. */
std::string RunsDoneText(const RunsDone& now);

/** "12 s left", or "1.5 min left"; empty of less than a second, and of nothing. */
std::string LeftText(std::optional<double> seconds);

} // namespace inca

#endif // INCA_REPORT_PROGRESS_H
