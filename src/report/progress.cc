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

constexpr auto g_redrawEvery = std::chrono::milliseconds(200);
constexpr auto g_tellEvery = std::chrono::minutes(1);
constexpr double g_leastSeconds = 1;

void
Write(const std::string& text)
{
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
}

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

TerminalLine::TerminalLine()
    : m_onTerminal(::isatty(STDERR_FILENO) == 1)
{
}

TerminalLine::~TerminalLine()
{
    Clear();
}

bool
TerminalLine::IsOnTerminal() const
{
    return m_onTerminal;
}

void
TerminalLine::Clear()
{
    if (m_drawn)
    {
        Write("\r\033[K");
        m_drawn = false;
    }
}

void
TerminalLine::Show(const std::string& text)
{
    Write("\r\033[K" + text);
    m_drawn = true;
}

Progress::Progress(std::string label, bool quiet)
    : m_label(std::move(label)),
      m_quiet(quiet),
      m_begin(Clock::now()),
      m_lastDrawn(m_begin)
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
    const auto now = Clock::now();
    if (IsShown() && now - m_lastDrawn >= g_redrawEvery)
    {
        const std::chrono::duration<double> elapsed = now - m_begin;
        m_line.Show(ProgressText(m_label, share, elapsed.count()));
        m_lastDrawn = now;
    }
}

void
Progress::Done()
{
    m_line.Clear();
}

SweepProgressLine::SweepProgressLine()
    : m_lastTold(Clock::now())
{
}

void
SweepProgressLine::Update(const RunsDone& now)
{
    const auto time = Clock::now();
    const auto passed = time - m_lastTold;
    const bool isDue = m_line.IsOnTerminal() ? passed >= g_redrawEvery : passed >= g_tellEvery;
    if (!isDue || now.done >= now.all)
    {
        return;
    }
    if (m_line.IsOnTerminal())
    {
        m_line.Show(RunsDoneText(now));
    }
    else
    {
        Write("inca: " + RunsDoneText(now) + "\n");
    }
    m_lastTold = time;
}

void
SweepProgressLine::Clear()
{
    m_line.Clear();
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
