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
constexpr double g_leastShare = 0.01; ///< an estimate from less would jump about
constexpr double g_leastSeconds = 1;
constexpr double g_secondsPerMinute = 60;
constexpr double g_minutesPerHour = 60;
constexpr const char* g_clearLine = "\r\033[K";

std::string
TimeText(double seconds)
{
    const double minutes = seconds / g_secondsPerMinute;
    if (minutes < 1)
    {
        return fmt::format("{:.0f} s", seconds);
    }
    return minutes < g_minutesPerHour ? fmt::format("{:.1f} min", minutes)
                                      : fmt::format("{:.1f} h", minutes / g_minutesPerHour);
}

} // namespace

std::string
LeftText(double share, double elapsedSeconds)
{
    const double done = std::clamp(share, 0.0, 1.0);
    const double left = elapsedSeconds * (1 - done) / std::max(done, g_leastShare);
    const bool known =
        done >= g_leastShare && elapsedSeconds >= g_leastSeconds && left >= g_leastSeconds;
    return known ? TimeText(left) + " left" : "";
}

std::string
ProgressText(const std::string& label, double share, double elapsedSeconds)
{
    constexpr double percent = 100;
    constexpr double beforeTheEnd = 99; // who reads this still waits
    const double done = std::clamp(share, 0.0, 1.0);
    const auto left = LeftText(share, elapsedSeconds);
    return fmt::format("{}{}{:.0f} %{}",
                       label,
                       label.empty() ? "" : ": ",
                       std::min(std::floor(done * percent), beforeTheEnd),
                       left.empty() ? "" : ", " + left);
}

Progress::Progress(std::string label, bool quiet)
    : m_label(std::move(label)),
      m_onTerminal(!quiet && ::isatty(STDERR_FILENO) == 1),
      m_begin(Clock::now()),
      m_lastDrawn(m_begin)
{
}

Progress::~Progress()
{
    Done();
}

void
Progress::Update(double share)
{
    if (!m_onTerminal)
    {
        return;
    }
    const auto now = Clock::now();
    if (now - m_lastDrawn < g_redrawEvery)
    {
        return;
    }
    const std::chrono::duration<double> elapsed = now - m_begin;
    const auto text = g_clearLine + ProgressText(m_label, share, elapsed.count());
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
    m_lastDrawn = now;
    m_drawn = true;
}

void
Progress::Done()
{
    if (m_drawn)
    {
        std::fputs(g_clearLine, stderr);
        std::fflush(stderr);
        m_drawn = false;
    }
}

} // namespace inca
