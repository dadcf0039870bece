/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/result-store.h"

#include "base/errors.h"
#include "base/text.h"
#include "record/row-json.h"
#include "record/run-directory.h"
#include "scenario/keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

namespace inca
{

namespace
{

/** The version of stores that this program reads and writes. */
constexpr std::int64_t STORE_VERSION = 8;

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

constexpr const char* g_tables = R"(
CREATE TABLE IF NOT EXISTS sweeps (
    sweep INTEGER PRIMARY KEY AUTOINCREMENT, points INTEGER NOT NULL, repeat INTEGER NOT NULL,
    base TEXT NOT NULL, command TEXT NOT NULL, against TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS points (
    point INTEGER PRIMARY KEY, label TEXT NOT NULL, arguments TEXT NOT NULL, settings TEXT NOT NULL,
    key TEXT NOT NULL, against TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS results (
    key TEXT PRIMARY KEY, sweep INTEGER NOT NULL, status TEXT NOT NULL, warnings TEXT NOT NULL,
    row TEXT NOT NULL);
)";

/** The settings of a row, without their texts. */
Row
SettingCells()
{
    Row row;
    for (const auto& column : SettingColumns(Scenario{}))
    {
        row.push_back({column.name, "", false});
    }
    return row;
}

/** The last sweep's rows, a column for each of a CSV row. */
std::string
RowsView()
{
    std::string columns = "p.point, p.label, r.status, r.warnings";
    const auto add = [&columns](const char* where, const Row& row) {
        for (const auto& cell : row)
        {
            const auto text = fmt::format("json_extract({}, '$.{}')", where, cell.column);
            const auto* form =
                cell.isName ? ", {0} AS \"{1}\"" // others may be numbers, true or false
                            : ", iif(json_valid({0}), json_extract({0}, '$'), {0}) AS \"{1}\"";
            columns += fmt::format(fmt::runtime(form), text, cell.column);
        }
    };
    add("p.settings", SettingCells());
    add("r.row", OriginCells({}));
    columns += ", round(1.0 * json_extract(a.row, '$.iteration_time_s') /"
               " json_extract(r.row, '$.iteration_time_s'), 6) AS gain";
    return "DROP VIEW IF EXISTS rows; CREATE VIEW rows AS SELECT " + columns +
           " FROM points p LEFT JOIN results r ON p.key = r.key"
           " LEFT JOIN results a ON p.against = a.key ORDER BY p.point;";
}

/** @param before, now "name=text" each @return "cluster.latency is 1us, was 2us" */
std::vector<std::string>
Differences(const std::vector<std::string>& before, const std::vector<std::string>& now)
{
    std::map<std::string, std::array<std::string, 2>> texts; // by name
    for (const std::size_t i : {0U, 1U})
    {
        for (const auto& line : i == 0 ? before : now)
        {
            const auto equals = line.find('=');
            texts[line.substr(0, equals)].at(i) = line.substr(equals + 1);
        }
    }
    const auto shown = [](const std::string& text) { return text.empty() ? "nothing" : text; };
    std::vector<std::string> differences;
    for (const auto& [name, both] : texts)
    {
        if (both[0] != both[1])
        {
            differences.push_back(
                fmt::format("{} is {}, was {}", name, shown(both[1]), shown(both[0])));
        }
    }
    return differences;
}

Database
MadeIn(const std::string& directory)
{
    MakeRunDirectory(directory);
    return Database(StorePath(directory));
}

/** @param schema "main", or what an attached store is called */
std::int64_t
StoreVersion(Database& database, const std::string& schema)
{
    auto version = database.Prepare("PRAGMA " + schema + ".user_version");
    version.Step();
    return version.Number(0);
}

/** @throws InputError unless it is a store of this version */
void
RequireVersion(Database& database, const std::string& schema, const std::string& path)
{
    std::string why;
    try
    {
        if (StoreVersion(database, schema) == STORE_VERSION)
        {
            return;
        }
    }
    catch (const RunError& error)
    {
        why = fmt::format(" ({})", error.what());
    }
    throw InputError(path + ": holds no results of this version of INCA" + why);
}

} // namespace

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
    const auto settings = SettingCells();
    while (points.Step())
    {
        auto result = ResultIfAny(points, own);
        if (result && compares)
        {
            result = WithGain(std::move(*result), ResultIfAny(points, other));
        }
        take({static_cast<std::uint64_t>(points.Number(0)),
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

StoredSweep
OpenStore(const std::string& path)
{
    Database database(path, WhereMissing::REFUSE);
    database.Run("BEGIN"); // until it is closed: nothing changes meanwhile
    RequireVersion(database, "main", path);
    return StoredSweep(std::move(database));
}

ResultStore::ResultStore(const std::string& directory)
    : StoredSweep(MadeIn(directory)),
      m_directory(directory)
{
    try
    {
        const auto version = StoreVersion(m_database, "main");
        if (version != 0 && version != STORE_VERSION)
        {
            throw RunError(StorePath(m_directory) + ": is a store of another version of INCA");
        }
        Together([this] {
            m_database.Run(g_tables + RowsView() +
                           fmt::format("PRAGMA user_version = {}", STORE_VERSION));
        });
    }
    catch (const RunError& error)
    {
        throw InputError(std::string(error.what()) + "; name another folder with --out");
    }
}

void
ResultStore::Lock()
{
    namespace ipc = boost::interprocess;
    const auto path = m_directory + "/sweep.lock";
    std::ofstream(path, std::ios::app); // makes it
    try
    {
        m_lock = ipc::file_lock(path.c_str());
        if (!m_lock.try_lock())
        {
            throw InputError(m_directory + ": another sweep is at work there; wait for its end, or "
                                           "name another folder with --out");
        }
    }
    catch (const ipc::interprocess_exception& error)
    {
        throw InputError(path + ": cannot be locked: " + error.what());
    }
}

/** Instead of that of the last sweep. */
void
ResultStore::PutPlan(const SweepPlan& plan)
{
    m_database.Run("DELETE FROM sweeps; DELETE FROM points");
    m_database
        .Prepare(
            "INSERT INTO sweeps (points, repeat, base, command, against) VALUES (?, ?, ?, ?, ?)")
        .Bind(static_cast<std::int64_t>(plan.all))
        .Bind(std::int64_t{plan.repeat})
        .Bind(fmt::format("{}", fmt::join(plan.base, "\n")))
        .Bind(JsonOfTexts(plan.command))
        .Bind(plan.against)
        .Run();
    m_sweep = m_database.LastRow();
    auto insert = m_database.Prepare("INSERT INTO points VALUES (?, ?, ?, ?, ?, ?)");
    for (const auto& point : plan.points)
    {
        insert.Bind(static_cast<std::int64_t>(point.number)).Bind(point.label);
        insert.Bind(JsonOfTexts(point.settings)).Bind(JsonOfGiven(SettingsOf(point)));
        insert.Bind(point.key).Bind(point.against).Run();
        if (!point.refusal.empty())
        {
            Put(point.key, ResultWithout(PointStatus::REFUSED, point.refusal, point.scenario));
        }
    }
}

std::vector<std::string>
ResultStore::Begin(const SweepPlan& plan)
{
    Lock();
    const auto before = Base();
    Together([&] {
        PutPlan(plan);
        m_database.Run("DELETE FROM results WHERE status IN ('failed', 'timeout') AND"
                       " key IN (SELECT key FROM points)");
    });
    return before.empty() ? before : Differences(before, plan.base);
}

/** @throws InputError unless there is a store of this version */
void
ResultStore::Attach(const std::string& directory)
{
    const auto path = StorePath(directory);
    if (!std::filesystem::exists(path))
    {
        throw InputError(path + ": there are no results");
    }
    if (std::filesystem::equivalent(path, StorePath(m_directory)))
    {
        throw InputError(path + ": is the store itself");
    }
    m_database.Prepare("ATTACH ? AS other").Bind(path).Run();
    RequireVersion(m_database, "other", path);
}

void
ResultStore::Merge(const std::string& directory)
{
    Attach(directory);
    {
        auto sweeps =
            m_database.Prepare("SELECT m.base, o.base, m.points = o.points AND m.against = "
                               "o.against FROM main.sweeps m, other.sweeps o");
        if (sweeps.Step() && (sweeps.Text(0) != sweeps.Text(1) || sweeps.Number(2) != 1))
        {
            const auto differences = Differences(Lines(sweeps.Text(0)), Lines(sweeps.Text(1)));
            throw InputError(
                fmt::format("{}: is no shard of the same sweep: {}",
                            directory,
                            differences.empty() ? "it has other points" : differences.front()));
        }
    }
    Together([this] {
        m_database.Run("INSERT INTO main.sweeps SELECT * FROM other.sweeps"
                       " WHERE NOT EXISTS (SELECT 1 FROM main.sweeps);"
                       "INSERT OR IGNORE INTO main.points SELECT * FROM other.points;"
                       "INSERT OR IGNORE INTO main.results SELECT * FROM other.results"
                       " WHERE key IN (SELECT key FROM main.points)");
    });
    m_database.Run("DETACH other");
}

void
ResultStore::Put(const std::string& key, const PointResult& result)
{
    m_database.Prepare("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?)")
        .Bind(key)
        .Bind(m_sweep)
        .Bind(StatusName(result.status))
        .Bind(JsonOfTexts(result.warnings))
        .Bind(JsonOfGiven(result.results))
        .Run();
}

} // namespace inca
