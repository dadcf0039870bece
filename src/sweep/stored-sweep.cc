/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/stored-sweep.h"

#include "base/errors.h"
#include "base/lines.h"
#include "record/detail-json.h"
#include "record/row-json.h"
#include "scenario/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace inca
{

namespace
{

/** The settings' columns of a row. */
std::vector<std::string>
SettingNames()
{
    std::vector<std::string> names;
    for (const auto& column : SettingColumns(Scenario{}))
    {
        names.push_back(column.name);
    }
    return names;
}

/** @param first column of status, warnings and row */
PointResult
ResultAt(const Statement& statement, int first)
{
    return {StatusOf(statement.Text(first)),
            TextsOfJson(statement.Text(first + 1)),
            ResultsOfJson(statement.Text(first + 2))};
}

/** @param first column of a result that may be missing */
std::optional<PointResult>
ResultIfAny(const Statement& statement, int first)
{
    return statement.IsNull(first) ? std::nullopt : std::optional(ResultAt(statement, first));
}

std::uint64_t
Count(const Statement& statement, int column)
{
    return static_cast<std::uint64_t>(statement.Number(column));
}

} // namespace

Row
RowOf(const StoredPoint& point)
{
    return RowOf(point.label, point.number, point.settings, point.result.value());
}

StoredSweep::StoredSweep(Database& database)
    : m_database(database)
{
}

/** @return its text, or nothing if there is no sweep */
std::string
StoredSweep::Last(const char* column)
{
    auto last = m_database.Prepare(fmt::format("SELECT {} FROM sweeps", column));
    return last.Step() ? last.Text(0) : "";
}

std::vector<std::string>
StoredSweep::Command()
{
    const auto command = Last("command");
    return command.empty() ? std::vector<std::string>() : TextsOfJson(command);
}

std::vector<std::string>
StoredSweep::Base()
{
    return Lines(Last("base"));
}

std::int64_t
StoredSweep::AllPoints()
{
    return std::strtoll(Last("points").c_str(), nullptr, 10);
}

std::string
StoredSweep::Against()
{
    return Last("against");
}

bool
StoredSweep::IsRepeated()
{
    return std::strtoll(Last("repeat").c_str(), nullptr, 10) > 1;
}

void
StoredSweep::ForEachPoint(const std::function<void(const StoredPoint&)>& take)
{
    auto points = m_database.Prepare(
        "SELECT p.point, p.label, p.arguments, p.settings, p.key, r.status, r.warnings, r.row,"
        " a.status, a.warnings, a.row"
        " FROM points p LEFT JOIN results r ON p.key = r.key"
        " LEFT JOIN results a ON p.against = a.key ORDER BY p.point");
    constexpr int own = 5;
    constexpr int other = 8;
    const bool compares = !Against().empty();
    const auto settings = SettingNames();
    while (points.Step())
    {
        auto result = ResultIfAny(points, own);
        if (result && compares)
        {
            result = WithGain(std::move(*result), ResultIfAny(points, other));
        }
        take({Count(points, 0),
              points.Text(1),
              TextsOfJson(points.Text(2)),
              RowOfGiven(settings, points.Text(3)),
              points.Text(4),
              std::move(result)});
    }
}

std::optional<PointResult>
StoredSweep::Find(const std::string& key)
{
    auto found = m_database.Prepare("SELECT status, warnings, row FROM results WHERE key = ?");
    return found.Bind(key).Step() ? std::optional(ResultAt(found, 0)) : std::nullopt;
}

std::vector<LayerRow>
StoredSweep::Layers(const std::string& key)
{
    auto found = m_database.Prepare("SELECT layers FROM results WHERE key = ?");
    return found.Bind(key).Step() ? LayersOfJson(found.Text(0)) : std::vector<LayerRow>();
}

std::int64_t
StoreVersion(Database& database, const std::string& schema)
{
    auto version = database.Prepare("PRAGMA " + schema + ".user_version");
    version.Step();
    return version.Number(0);
}

std::string
StorePath(const std::string& directory)
{
    return directory + "/results.sqlite";
}

Database
OpenStore(const std::string& path)
{
    Database database(path, WhereMissing::REFUSE);
    try
    {
        database.Run("BEGIN"); // until it is closed: nothing changes meanwhile
        if (StoreVersion(database, "main") == STORE_VERSION)
        {
            return database;
        }
    }
    catch (const RunError& error)
    {
        throw InputError(error.what());
    }
    throw InputError(path + ": holds no results of this version of INCA");
}

} // namespace inca
