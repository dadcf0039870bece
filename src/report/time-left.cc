/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/time-left.h"

#include <fmt/format.h>

#include <algorithm>

namespace inca
{

namespace
{

constexpr double LEAST_SHARE{0.01}; ///< an estimate from less would jump about
constexpr double LEAST_SECONDS{1};

std::string
TimeText(double seconds)
{
    constexpr double secondsPerMinute = 60;
    constexpr double minutesPerHour = 60;
    constexpr double few = 9.95; // whole ones would be far from it
    const double minutes = seconds / secondsPerMinute;
    if (minutes < 1)
    {
        return seconds < few ? fmt::format("{:.1f} s", seconds) : fmt::format("{:.0f} s", seconds);
    }
    return minutes < minutesPerHour ? fmt::format("{:.1f} min", minutes)
                                    : fmt::format("{:.1f} h", minutes / minutesPerHour);
}

} // namespace

void
TimeLeft::Tell(double share, double seconds)
{
    m_share = std::clamp(share, 0.0, 1.0);
    m_seconds = seconds;
}

std::optional<double>
TimeLeft::Seconds() const
{
    if (m_share < LEAST_SHARE || m_seconds < LEAST_SECONDS)
    {
        return std::nullopt;
    }
    return m_seconds * (1 - m_share) / m_share;
}

std::string
LeftText(std::optional<double> seconds)
{
    return seconds && *seconds >= LEAST_SECONDS ? TimeText(*seconds) + " left" : "";
}

} // namespace inca
