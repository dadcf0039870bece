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
constexpr const char* g_clearLine = "\r\033[K";

} // namespace

std::string
ProgressText(const std::string& label, double share, const TimeLeft& left)
{
    constexpr double percent = 100;
    constexpr double beforeTheEnd = 99; // who reads this still waits
    const double done = std::clamp(share, 0.0, 1.0);
    const auto time = LeftText(left.Seconds());
    return fmt::format("{}{}{:.0f} %{}",
                       label,
                       label.empty() ? "" : ": ",
                       std::min(std::floor(done * percent), beforeTheEnd),
                       time.empty() ? "" : ", " + time);
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
    const std::chrono::duration<double> elapsed = now - m_begin;
    m_left.Tell(share, elapsed.count());
    if (now - m_lastDrawn < g_redrawEvery)
    {
        return;
    }
    const auto text = g_clearLine + ProgressText(m_label, share, m_left);
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
