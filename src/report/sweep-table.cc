/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/sweep-table.h"

#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace inca
{

namespace
{

constexpr std::size_t g_keyWidth = 18;
constexpr std::size_t g_resultWidth = 16;
constexpr double g_psPerSecond = 1e12;
constexpr std::string_view g_group = "group.";

struct Setting
{
    std::string key; ///< without its table
    std::string value;
};

Setting
Split(const std::string& setting)
{
    const auto equals = std::min(setting.find('='), setting.size());
    const auto name = setting.substr(0, equals);
    const bool isOfGroup = name.rfind(g_group, 0) == 0; // several groups have keys of one name
    return {name.substr(isOfGroup ? g_group.size() : name.rfind('.') + 1),
            setting.substr(std::min(equals + 1, setting.size()))};
}

std::string
RightAligned(const std::vector<std::string>& results)
{
    std::string text;
    for (const auto& result : results)
    {
        text += fmt::format("{:>{}}", result, g_resultWidth);
    }
    return text;
}

std::string
TimeIn(const Row& row, const char* column)
{
    const auto seconds = CellText(row, column);
    return seconds.empty() ? ""
                           : HumanPicoseconds(static_cast<std::int64_t>(
                                 std::strtod(seconds.c_str(), nullptr) * g_psPerSecond + 0.5));
}

std::string
RateIn(const Row& row, const char* column)
{
    const auto rate = CellText(row, column);
    return rate.empty() ? "" : fmt::format("{:.2f}", std::strtod(rate.c_str(), nullptr));
}

/** A gain; "undecided" where the ranges of a calibrated preset overlap, or it has none; "-" where there is none. */
std::string
GainIn(const Row& row)
{
    const auto gain = RateIn(row, GAIN_COLUMN);
    const auto low = CellText(row, GAIN_LOW_COLUMN);
    const bool isOne =
        !gain.empty() && std::strtod(CellText(row, GAIN_COLUMN).c_str(), nullptr) == 1;
    const bool hasPreset = !CellText(row, "iteration_time_range").empty();
    const bool isDecided =
        !low.empty() && (std::strtod(low.c_str(), nullptr) > 1 ||
                         std::strtod(CellText(row, GAIN_HIGH_COLUMN).c_str(), nullptr) < 1);
    return gain.empty() ? "-" : hasPreset && !isDecided && !isOne ? "undecided" : gain;
}

} // namespace

SweepTable::SweepTable(const std::vector<Coordinates>& points,
                       const std::string& against,
                       bool hasErrors,
                       bool hasLosses)
    : m_gain(against.empty() ? "" : "  " + (GAIN_COLUMN + (" over " + against))),
      m_hasErrors(hasErrors),
      m_hasLosses(hasLosses)
{
    for (const auto& point : points)
    {
        m_widths.resize(point.size(), g_keyWidth);
        for (std::size_t i = 0; i < point.size(); ++i)
        {
            m_widths[i] = std::max(m_widths[i], Split(point[i]).value.size());
        }
    }
    for (std::size_t i = 0; i < m_widths.size(); ++i)
    {
        m_titles += fmt::format("{:<{}} ", Split(points.front()[i]).key, m_widths[i]);
    }
}

std::string
SweepTable::Begin(const Coordinates& point) const
{
    std::string text;
    for (std::size_t i = 0; i < point.size(); ++i)
    {
        text += fmt::format("{:<{}} ", Split(point[i]).value, m_widths[i]);
    }
    return text;
}

std::string
SweepTable::End(const std::string& gain, const std::string& loses) const
{
    const auto width = m_gain.empty() ? 0 : std::max(g_resultWidth, m_gain.size());
    return fmt::format(
        "{:>{}}{}\n", m_gain.empty() ? "" : gain, width, m_hasLosses ? "  " + loses : "");
}

std::string
SweepTable::Header() const
{
    std::vector<std::string> titles{"iteration", "communication", "agg. Gbit/s", "limited by"};
    if (m_hasErrors)
    {
        titles.emplace_back("vNMSE");
    }
    return m_titles + RightAligned(titles) + End(m_gain, "loses");
}

std::string
SweepTable::Line(const Coordinates& point, const Row& row) const
{
    const auto status = CellText(row, "status");
    if (status != "done")
    {
        return Begin(point) + RightAligned({status}) + "\n";
    }
    std::vector<std::string> cells{TimeIn(row, "iteration_time_s"),
                                   TimeIn(row, "communication_s"),
                                   RateIn(row, "aggregation_throughput_gbps"),
                                   CellText(row, "limited_by")};
    if (m_hasErrors)
    {
        const auto error = CellText(row, "sum_vnmse");
        cells.push_back(error.empty() ? "-"
                                      : fmt::format("{:.2e}", std::strtod(error.c_str(), nullptr)));
    }
    return Begin(point) + RightAligned(cells) + End(GainIn(row), CellText(row, "loses"));
}

std::string
SweepTable::SummaryHeader() const
{
    return m_titles + RightAligned({"runs", "iteration", "deviation", "95 % from", "to"}) + "\n";
}

std::string
SweepTable::SummaryLine(const Coordinates& point, const Row& summary) const
{
    return Begin(point) +
           RightAligned({CellText(summary, "runs"),
                         TimeIn(summary, "iteration_time_mean_s"),
                         TimeIn(summary, "iteration_time_sd_s"),
                         TimeIn(summary, "iteration_time_low95_s"),
                         TimeIn(summary, "iteration_time_high95_s")}) +
           "\n";
}

} // namespace inca
