/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/sweep-progress.h"

#include "report/time-left.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include <unistd.h>

namespace inca
{

namespace
{

constexpr auto g_redrawEvery = std::chrono::milliseconds(200);
constexpr auto g_tellEvery = std::chrono::minutes(1);
constexpr const char* g_clearLine = "\r\033[K";

} // namespace

std::string
RunsDoneText(const RunsDone& now)
{
    const auto left = LeftText(now.secondsLeft);
    return fmt::format("sweep: {} of {} done, {} failed, {} left{}",
                       now.done,
                       now.all,
                       now.failed,
                       now.all - std::min(now.done, now.all),
                       left.empty() ? "" : ", " + left);
}

SweepProgressLine::SweepProgressLine()
    : m_onTerminal(::isatty(STDERR_FILENO) == 1),
      m_lastTold(Clock::now())
{
}

SweepProgressLine::~SweepProgressLine()
{
    Clear();
}

void
SweepProgressLine::Update(const RunsDone& now)
{
    const auto time = Clock::now();
    const bool isDue =
        m_onTerminal ? time - m_lastTold >= g_redrawEvery : time - m_lastTold >= g_tellEvery;
    if (!isDue || now.done >= now.all)
    {
        return;
    }
    const auto text = RunsDoneText(now);
    std::fprintf(stderr,
                 m_onTerminal ? "%s%s" : "%sinca: %s\n",
                 m_onTerminal ? g_clearLine : "",
                 text.c_str());
    std::fflush(stderr);
    m_lastTold = time;
    m_drawn = m_onTerminal;
}

void
SweepProgressLine::Clear()
{
    if (m_drawn)
    {
        std::fputs(g_clearLine, stderr);
        std::fflush(stderr);
        m_drawn = false;
    }
}

} // namespace inca
