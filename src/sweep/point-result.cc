/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/point-result.h"

#include "base/errors.h"
#include "record/csv-text.h"
#include "record/row-json.h"
#include "scenario/keys.h"

#include "inca-version.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace inca
{

namespace
{

constexpr std::array<const char*, 4> g_statusNames{"done", "refused", "failed", "timeout"};

} // namespace

const char*
StatusName(PointStatus status)
{
    return g_statusNames.at(static_cast<std::size_t>(status));
}

PointStatus
StatusOf(const std::string& name)
{
    const auto* found = std::find(g_statusNames.begin(), g_statusNames.end(), name);
    return found == g_statusNames.end() ? PointStatus::FAILED
                                        : static_cast<PointStatus>(found - g_statusNames.begin());
}

PointResult
DoneResult(const RunRecord& record)
{
    return {PointStatus::DONE, record.warnings, ResultCells(record)};
}

std::string
FormatResult(const PointResult& result)
{
    return JsonOfTexts({JsonOfTexts(result.warnings), JsonOfGiven(result.results)});
}

PointResult
ParseResult(const std::string& text)
{
    constexpr std::size_t parts = 2;
    const auto texts = TextsOfJson(text);
    if (texts.size() != parts)
    {
        throw InvariantError("no result of a point: " + text);
    }
    return {PointStatus::DONE, TextsOfJson(texts[0]), ResultsOfJson(texts[1])};
}

Row
ResultsOfJson(const std::string& json)
{
    static const auto columns = OriginCells({});
    return RowOfGiven(columns, json);
}

PointResult
ResultWithout(PointStatus status, const std::string& reason, const Scenario& scenario)
{
    RunOrigin origin;
    origin.incaVersion = INCA_VERSION;
    origin.ns3Version = INCA_NS3_VERSION;
    origin.seed = scenario.simulation.seed;
    return {status, {reason}, OriginCells(origin)};
}

Row
GainCells(const std::string& gain, const std::string& low, const std::string& high)
{
    return {
        {GAIN_COLUMN, gain, false}, {GAIN_LOW_COLUMN, low, false}, {GAIN_HIGH_COLUMN, high, false}};
}

PointResult
WithGain(PointResult result, const std::optional<PointResult>& against)
{
    constexpr int places = 6;
    const auto seconds = [](const PointResult& of, const std::string& column) {
        return std::strtod(CellText(of.results, column).c_str(), nullptr); // 0: there is none
    };
    const auto gain = [&](const std::string& ofOther, const std::string& ofOwn) {
        const auto own = seconds(result, ofOwn);
        const auto other = against ? seconds(*against, ofOther) : 0;
        return own > 0 && other > 0 ? DecimalPlaces(other / own, places) : "";
    };
    const std::string low = "iteration_time_low_s";
    const std::string high = "iteration_time_high_s";
    const auto isSame = [&](const std::string& column) {
        return against && CellText(result.results, column) == CellText(against->results, column);
    };
    const bool same = isSame("iteration_time_s") && isSame(low) && isSame(high);
    result.gains = GainCells(gain("iteration_time_s", "iteration_time_s"),
                             gain(low, same ? low : high),
                             gain(high, same ? high : low));
    return result;
}

Row
SettingsOf(const SweepPoint& point)
{
    Row cells;
    const auto& scenario = point.scenario;
    for (const auto& column : // of a refused point nobody can say what matters
         point.refusal.empty() ? SettingColumns(scenario) : GivenColumns(scenario))
    {
        cells.push_back({column.name, column.text, false});
    }
    return cells;
}

Row
RowOf(const std::string& label,
      std::uint64_t number,
      const Row& settings,
      const PointResult& result)
{
    auto row = JoinRow(
        {label, number, StatusName(result.status), result.warnings}, settings, result.results);
    row.insert(row.end(), result.gains.begin(), result.gains.end());
    return row;
}

Row
RowOf(const SweepPoint& point, const PointResult& result)
{
    return RowOf(point.label, point.number, SettingsOf(point), result);
}

} // namespace inca
