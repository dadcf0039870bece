/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include <unistd.h>

namespace inca
{

namespace
{

constexpr double g_leastSeconds = 1;
constexpr const char* g_clearLine = "\r\033[K";

void
Write(const std::string& text)
{
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
}

/** ", 12 s left", or ", 1.5 min left"; empty of less than a second, and of nothing. */
std::string
LeftText(std::optional<double> left)
{
    constexpr double few = 9.95; // whole ones would be far from it
    const double seconds = left.value_or(0);
    const double minutes = seconds / 60;
    return seconds < g_leastSeconds ? ""
           : seconds < few          ? fmt::format(", {:.1f} s left", seconds)
           : minutes < 1            ? fmt::format(", {:.0f} s left", seconds)
           : minutes < 60           ? fmt::format(", {:.1f} min left", minutes)
                                    : fmt::format(", {:.1f} h left", minutes / 60);
}

} // namespace

Progress::Progress(std::string label, bool quiet, std::chrono::seconds elsewhere)
    : m_label(std::move(label)),
      m_onTerminal(::isatty(STDERR_FILENO) == 1),
      m_every(quiet          ? Clock::duration(0)
              : m_onTerminal ? std::chrono::milliseconds(200)
                             : Clock::duration(elsewhere)),
      m_begin(Clock::now()),
      m_lastShown(m_begin)
{
}

Progress::~Progress()
{
    Done();
}

void
Progress::Expect(const std::function<double()>& seconds)
{
    m_expectedSeconds = m_every != Clock::duration(0) ? seconds() : 0;
}

void
Progress::Update(double share)
{
    if (IsDue())
    {
        const std::chrono::duration<double> elapsed = Clock::now() - m_begin;
        Show(ProgressText(m_label, share, elapsed.count(), m_expectedSeconds));
    }
}

void
Progress::Update(const RunsDone& now)
{
    if (now.done < now.all && IsDue())
    {
        Show(RunsDoneText(now));
    }
}

void
Progress::Done()
{
    if (m_isShown)
    {
        Write(g_clearLine);
        m_isShown = false;
    }
}

bool
Progress::IsDue() const
{
    return m_every != Clock::duration(0) && Clock::now() - m_lastShown >= m_every;
}

void
Progress::Show(const std::string& text)
{
    Write(m_onTerminal ? g_clearLine + text : "inca: " + text + "\n");
    m_isShown = m_onTerminal;
    m_lastShown = Clock::now();
}

std::string
ProgressText(const std::string& label, double share, double seconds, double expectedSeconds)
{
    constexpr double leastShare = 0.01; // an estimate from less would jump about
    constexpr double beforeTheEnd = 99; // who reads this still waits
    const double done = std::clamp(share, 0.0, 1.0);
    const bool isKnown = done >= leastShare && seconds >= g_leastSeconds;
    return fmt::format("{}{}{:.0f} %{}",
                       label,
                       label.empty() ? "" : ": ",
                       std::min(std::floor(done * 100), beforeTheEnd),
                       LeftText(isKnown ? seconds * (1 - done) / done : expectedSeconds - seconds));
}

std::string
RunsDoneText(const RunsDone& now)
{
    return fmt::format("sweep: {} of {} done, {} failed, {} left{}",
                       now.done,
                       now.all,
                       now.failed,
                       now.all - std::min(now.done, now.all),
                       LeftText(now.secondsLeft));
}

} // namespace inca
