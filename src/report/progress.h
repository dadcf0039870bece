/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PROGRESS_H
#define INCA_REPORT_PROGRESS_H

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace inca
{

/** How far many runs are. */
struct RunsDone
{
    std::size_t done{0}; ///< with those that have failed
    std::size_t failed{0};
    std::size_t all{0};
    std::optional<double> secondsLeft; ///< as estimated
};

/**
 * Says on stderr how far long work is, and how long it will still take: on a terminal in a line that is written
 * over and over, and goes with its owner; elsewhere in a line now and then, or not at all.
 */
class Progress
{
  public:
    /**
     * @param label what is being done, for the line's beginning
     * @param quiet whether nothing is to be said
     * @param elsewhere how often there is a line where there is no terminal; 0: never
     */
    explicit Progress(std::string label = "",
                      bool quiet = false,
                      std::chrono::seconds elsewhere = std::chrono::seconds(0));

    ~Progress();

    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /** @param seconds says how many the work may take, if anybody looks; it counts until it is known better */
    void Expect(const std::function<double()>& seconds);

    /** @param share of the work that is done, 0..1; costs next to nothing between two redraws */
    void Update(double share);

    void Update(const RunsDone& now);

    /** Clears the line, for others to write. */
    void Done();

  private:
    using Clock = std::chrono::steady_clock;

    bool IsDue() const;
    void Show(const std::string& text);

    std::string m_label;
    bool m_onTerminal;
    Clock::duration m_every; ///< 0: never
    Clock::time_point m_begin;
    Clock::time_point m_lastShown;
    bool m_isShown{false};
    double m_expectedSeconds{0};
};

/**
 * "alexnet: 40 %, 12 s left". Never 100 %: there is no line once the work has ended. The rest is taken to be as
 * fast as what is done; in the first second and per cent, what was expected is left, if anything was.
 */
std::string ProgressText(const std::string& label,
                         double share,
                         double seconds,
                         double expectedSeconds = 0);

/** "sweep: 12 of 40 done, 1 failed, 28 left, 3.0 min left"; the time as soon as it can be told. */
std::string RunsDoneText(const RunsDone& now);

} // namespace inca

#endif // INCA_REPORT_PROGRESS_H
