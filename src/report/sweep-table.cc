/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/sweep-table.h"

#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace inca
{

namespace
{

constexpr std::size_t g_keyWidth = 18;
constexpr std::size_t g_valueWidth = 16;

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
    return {name.substr(name.rfind('.') + 1), setting.substr(std::min(equals + 1, setting.size()))};
}

std::string
Cells(const std::vector<std::string>& results)
{
    std::string text;
    for (const auto& result : results)
    {
        text += fmt::format("{:>{}}", result, g_valueWidth);
    }
    return text + "\n";
}

} // namespace

std::string
SweepTableHeader(const std::vector<std::string>& varied)
{
    std::string text;
    for (const auto& setting : varied)
    {
        text += fmt::format("{:<{}} ", Split(setting).key, g_keyWidth);
    }
    return text + Cells({"iteration", "communication", "agg. Gbit/s", "limited by"});
}

std::string
SweepTableRow(const std::vector<std::string>& varied, const RunRecord& record)
{
    std::string text;
    for (const auto& setting : varied)
    {
        text += fmt::format("{:<{}} ", Split(setting).value, g_keyWidth);
    }
    const auto& results = record.results;
    const auto throughput = results.aggregationThroughputGbps;
    return text +
           Cells({HumanPicoseconds(results.iterationTimePs),
                  HumanPicoseconds(results.shares.communicationPs / results.measuredIterations),
                  throughput ? fmt::format("{:.2f}", *throughput) : "",
                  results.limitedBy});
}

} // namespace inca
