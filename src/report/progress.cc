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

std::string
TimeText(double seconds)
{
    constexpr double few = 9.95; // whole ones would be far from it
    const double minutes = seconds / 60;
    if (minutes < 1)
    {
        return seconds < few ? fmt::format("{:.1f} s", seconds) : fmt::format("{:.0f} s", seconds);
    }
    return minutes < 60 ? fmt::format("{:.1f} min", minutes)
                        : fmt::format("{:.1f} h", minutes / 60);
}

} // namespace

ProgressLine::ProgressLine(std::chrono::seconds elsewhere)
    : m_onTerminal(::isatty(STDERR_FILENO) == 1),
      m_every(m_onTerminal ? std::chrono::milliseconds(200) : elsewhere),
      m_lastShown(Clock::now())
{
}

ProgressLine::~ProgressLine()
{
    Clear();
}

bool
ProgressLine::IsOnTerminal() const
{
    return m_onTerminal;
}

bool
ProgressLine::IsDue() const
{
    return m_every != Clock::duration(0) && Clock::now() - m_lastShown >= m_every;
}

void
ProgressLine::Show(const std::string& text)
{
    std::fputs((m_onTerminal ? "\r\033[K" + text : "inca: " + text + "\n").c_str(), stderr);
    std::fflush(stderr);
    m_drawn = m_onTerminal;
    m_lastShown = Clock::now();
}

void
ProgressLine::Clear()
{
    if (m_drawn)
    {
        std::fputs("\r\033[K", stderr);
        std::fflush(stderr);
        m_drawn = false;
    }
}

Progress::Progress(std::string label, bool quiet)
    : m_label(std::move(label)),
      m_quiet(quiet),
      m_begin(Clock::now())
{
}

bool
Progress::IsShown() const
{
    return !m_quiet && m_line.IsOnTerminal();
}

void
Progress::Update(double share)
{
    if (!m_quiet && m_line.IsDue())
    {
        const std::chrono::duration<double> elapsed = Clock::now() - m_begin;
        m_line.Show(ProgressText(m_label, share, elapsed.count()));
    }
}

void
Progress::Done()
{
    m_line.Clear();
}

SweepProgressLine::SweepProgressLine()
    : ProgressLine(std::chrono::minutes(1))
{
}

void
SweepProgressLine::Update(const RunsDone& now)
{
    if (now.done < now.all && IsDue())
    {
        Show(RunsDoneText(now));
    }
}

std::string
ProgressText(const std::string& label, double share, double seconds)
{
    constexpr double leastShare = 0.01; // an estimate from less would jump about
    constexpr double beforeTheEnd = 99; // who reads this still waits
    const double done = std::clamp(share, 0.0, 1.0);
    const bool isKnown = done >= leastShare && seconds >= g_leastSeconds;
    const auto left = isKnown ? LeftText(seconds * (1 - done) / done) : "";
    return fmt::format("{}{}{:.0f} %{}{}",
                       label,
                       label.empty() ? "" : ": ",
                       std::min(std::floor(done * 100), beforeTheEnd),
                       left.empty() ? "" : ", ",
                       left);
}

std::string
RunsDoneText(const RunsDone& now)
{
    const auto left = LeftText(now.secondsLeft);
    return fmt::format("sweep: {} of {} done, {} failed, {} left{}{}",
                       now.done,
                       now.all,
                       now.failed,
                       now.all - std::min(now.done, now.all),
                       left.empty() ? "" : ", ",
                       left);
}

std::string
LeftText(std::optional<double> seconds)
{
    return seconds && *seconds >= g_leastSeconds ? TimeText(*seconds) + " left" : "";
}

} // namespace inca
