/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/point-result.h"

#include "record/csv-text.h"
#include "scenario/keys.h"

#include "inca-version.h"

namespace inca
{

const char*
StatusName(PointStatus status)
{
    switch (status)
    {
    case PointStatus::DONE:
        return "done";
    case PointStatus::REFUSED:
        return "refused";
    case PointStatus::FAILED:
        return "failed";
    case PointStatus::TIMEOUT:
        break;
    }
    return "timeout";
}

PointResult
DoneResult(const RunRecord& record)
{
    return {
        PointStatus::DONE, record.warnings, ResultCells(record), record.layers, record.links, {}};
}

PointResult
ResultWithout(PointStatus status, const std::string& reason, const Scenario& scenario)
{
    RunOrigin origin;
    origin.incaVersion = INCA_VERSION;
    origin.ns3Version = INCA_NS3_VERSION;
    origin.seed = scenario.simulation.seed;
    return {status, {reason}, OriginCells(origin), {}, {}, {}};
}

PointResult
WithGain(PointResult result, const PointResult* against)
{
    constexpr const char* time = "iteration_time_s";
    constexpr int places = 6;
    const auto own = PicosecondsIn(CellText(result.results, time));
    const auto other = against == nullptr ? 0 : PicosecondsIn(CellText(against->results, time));
    const bool bothAre = own > 0 && other > 0;
    result.gain =
        bothAre ? DecimalPlaces(static_cast<double>(other) / static_cast<double>(own), places) : "";
    return result;
}

Row
WithGainOf(const PointResult& result, Row row)
{
    if (result.gain)
    {
        row.push_back({GAIN_COLUMN, *result.gain, false});
    }
    return row;
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
RowOf(const SweepPoint& point, const PointResult& result)
{
    return WithGainOf(
        result,
        JoinRow({point.label, point.number, StatusName(result.status), result.warnings},
                SettingsOf(point),
                result.results));
}

} // namespace inca
