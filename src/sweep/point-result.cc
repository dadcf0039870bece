/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/point-result.h"

#include "base/errors.h"
#include "record/csv-text.h"
#include "record/row-json.h"
#include "scenario/keys.h"

#include "inca-version.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <utility>

namespace inca
{

namespace
{

using Json = nlohmann::json;

constexpr std::array<std::pair<PointStatus, const char*>, 4> g_statusNames{
    {{PointStatus::DONE, "done"},
     {PointStatus::REFUSED, "refused"},
     {PointStatus::FAILED, "failed"},
     {PointStatus::TIMEOUT, "timeout"}}};

/** All that a layer's row says but of which worker it is. */
auto
FiguresOf(const LayerRow& row)
{
    return std::tie(row.layer,
                    row.elements,
                    row.firstBucket,
                    row.lastBucket,
                    row.readyPs,
                    row.startPs,
                    row.endPs,
                    row.exposedCommunicationPs,
                    row.weightsWaitPs,
                    row.plainBytes,
                    row.wireBytes);
}

/**
 * Layer by layer, a row for the workers that follow each other and do the same with it: the first one, how many there are, and
 * its figures.
 * @param layers worker by worker
 */
Json
RowsOfLayers(const std::vector<LayerRow>& layers)
{
    std::vector<std::pair<std::size_t, const LayerRow*>>
        rows; // with the layer's place in the model
    for (const auto& row : layers)
    {
        const bool isOfNext = rows.empty() || rows.back().second->worker != row.worker;
        rows.emplace_back(isOfNext ? 0 : rows.back().first + 1, &row);
    }
    std::stable_sort(
        rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    auto list = Json::array();
    std::size_t last = 0;         // place of the list's last row
    std::uint32_t next = 0;       // worker that would follow it
    const LayerRow* of = nullptr; // what it is of
    for (const auto& [place, row] : rows)
    {
        const bool isAlike = of != nullptr && place == last && row->worker == next &&
                             FiguresOf(*of) == FiguresOf(*row);
        if (!isAlike)
        {
            Json figures = FiguresOf(*row);
            figures.insert(figures.begin(), {row->worker, 0});
            list.push_back(std::move(figures));
            of = row;
            last = place;
        }
        next = row->worker + 1;
        list.back()[1] = next - list.back()[0].get<std::uint32_t>();
    }
    return list;
}

Json
RowsOfLinks(const std::vector<LinkRow>& links)
{
    auto list = Json::array();
    for (const auto& row : links)
    {
        const auto drops = std::accumulate(
            row.drops.begin(), row.drops.end(), std::uint64_t{0}, [](auto sum, const auto& drop) {
                return sum + drop.frames;
            });
        list.push_back(Json::array({row.link,
                                    row.from,
                                    row.to,
                                    row.bitsPerSecond,
                                    row.wireBytes,
                                    row.frames,
                                    row.utilisation,
                                    row.largestQueueBytes,
                                    row.markedFrames,
                                    drops}));
    }
    return list;
}

/** @return {} of more than are kept */
template <class DetailRow>
std::vector<DetailRow>
IfFew(const std::vector<DetailRow>& rows)
{
    return rows.size() > MOST_DETAILS ? std::vector<DetailRow>() : rows;
}

std::string
TextOf(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

const char*
StatusName(PointStatus status)
{
    return g_statusNames.at(static_cast<std::size_t>(status)).second;
}

PointStatus
StatusOf(const std::string& name)
{
    const auto* found = std::find_if(g_statusNames.begin(),
                                     g_statusNames.end(),
                                     [&name](const auto& each) { return name == each.second; });
    return found == g_statusNames.end() ? PointStatus::FAILED : found->first;
}

PointResult
DoneResult(const RunRecord& record)
{
    return {PointStatus::DONE,
            record.warnings,
            ResultCells(record),
            TextOf(RowsOfLayers(IfFew(record.layers))),
            TextOf(RowsOfLinks(IfFew(record.links)))};
}

std::string
FormatResult(const PointResult& result)
{
    return JsonOfTexts(
        {JsonOfTexts(result.warnings), JsonOfGiven(result.results), result.layers, result.links});
}

PointResult
ParseResult(const std::string& text)
{
    constexpr std::size_t parts = 4;
    const auto texts = TextsOfJson(text);
    if (texts.size() != parts)
    {
        throw InvariantError("no result of a point: " + text);
    }
    return {PointStatus::DONE, TextsOfJson(texts[0]), ResultsOfJson(texts[1]), texts[2], texts[3]};
}

Row
ResultsOfJson(const std::string& json)
{
    static const auto names = [] {
        std::vector<std::string> all;
        for (const auto& column : ResultColumns())
        {
            all.push_back(column.name);
        }
        return all;
    }();
    return RowOfGiven(names, json);
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

PointResult
WithGain(PointResult result, const std::optional<PointResult>& against)
{
    constexpr const char* time = "iteration_time_s";
    constexpr int places = 6;
    const auto own = PicosecondsIn(CellText(result.results, time));
    const auto other = against ? PicosecondsIn(CellText(against->results, time)) : 0;
    const bool bothAre = own > 0 && other > 0;
    result.gain =
        bothAre ? DecimalPlaces(static_cast<double>(other) / static_cast<double>(own), places) : "";
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
    if (result.gain)
    {
        row.push_back({GAIN_COLUMN, *result.gain, false});
    }
    return row;
}

Row
RowOf(const SweepPoint& point, const PointResult& result)
{
    return RowOf(point.label, point.number, SettingsOf(point), result);
}

} // namespace inca
