/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/result-store.h"

#include "base/errors.h"
#include "base/lines.h"
#include "record/row-json.h"
#include "record/run-directory.h"
#include "scenario/keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

namespace inca
{

namespace
{

constexpr const char* g_tables = R"(
CREATE TABLE IF NOT EXISTS sweeps (
    sweep INTEGER PRIMARY KEY AUTOINCREMENT, points INTEGER NOT NULL, repeat INTEGER NOT NULL,
    base TEXT NOT NULL, command TEXT NOT NULL, against TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS points (
    sweep INTEGER NOT NULL, point INTEGER NOT NULL, label TEXT NOT NULL, arguments TEXT NOT NULL,
    settings TEXT NOT NULL, key TEXT NOT NULL, against TEXT NOT NULL, PRIMARY KEY (sweep, point));
CREATE TABLE IF NOT EXISTS results (
    key TEXT PRIMARY KEY, sweep INTEGER NOT NULL, status TEXT NOT NULL, warnings TEXT NOT NULL,
    row TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS claims (
    key TEXT PRIMARY KEY, sweep INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS layers (
    key TEXT NOT NULL, worker INTEGER, workers INTEGER, layer TEXT, elements INTEGER, first_bucket INTEGER,
    last_bucket INTEGER, ready_ps INTEGER, start_ps INTEGER, end_ps INTEGER, exposed_communication_ps INTEGER,
    weights_wait_ps INTEGER, plain_bytes INTEGER, wire_bytes INTEGER);
CREATE INDEX IF NOT EXISTS layers_by_key ON layers (key);
CREATE TABLE IF NOT EXISTS links (
    key TEXT NOT NULL, link TEXT, "from" TEXT, "to" TEXT, bits_per_s INTEGER, wire_bytes INTEGER,
    frames INTEGER, utilisation REAL, largest_queue_bytes INTEGER, ecn_marked_frames INTEGER,
    drops INTEGER);
CREATE INDEX IF NOT EXISTS links_by_key ON links (key);
)";

/** @return the member @p column of a JSON object in @p where, as a column of a view */
std::string
ViewColumn(const std::string& where, const std::string& column)
{
    return fmt::format(", json_extract({0}, '$.{1}') AS \"{1}\"", where, column);
}

/** The last sweep's rows, a column for each of a CSV row. */
std::string
RowsView()
{
    std::string columns = "p.point, p.label, r.status, r.warnings";
    for (const auto& setting : SettingColumns(Scenario{}))
    {
        columns += ViewColumn("p.settings", setting.name);
    }
    for (const auto& result : ResultColumns())
    {
        columns += ViewColumn("r.row", result.name);
    }
    columns += ", round(1.0 * json_extract(a.row, '$.iteration_time_s') /"
               " json_extract(r.row, '$.iteration_time_s'), 6) AS gain";
    return "DROP VIEW IF EXISTS rows; CREATE VIEW rows AS SELECT " + columns +
           " FROM points p LEFT JOIN results r ON p.key = r.key"
           " LEFT JOIN results a ON p.against = a.key"
           " WHERE p.sweep = (SELECT max(sweep) FROM points) ORDER BY p.point;";
}

std::map<std::string, std::string>
ByName(const std::vector<std::string>& lines)
{
    std::map<std::string, std::string> texts;
    for (const auto& line : lines)
    {
        const auto equals = line.find('=');
        texts[line.substr(0, equals)] = line.substr(equals + 1);
    }
    return texts;
}

std::string
Shown(const std::string& text)
{
    return text.empty() ? "nothing" : text;
}

/** "cluster.latency is 1us, was 2us" */
std::vector<std::string>
Differences(const std::vector<std::string>& before, const std::vector<std::string>& now)
{
    auto old = ByName(before);
    auto all = ByName(now);
    for (const auto& [name, text] : old)
    {
        all.emplace(name, "");
    }
    std::vector<std::string> differences;
    for (const auto& [name, text] : all)
    {
        if (old[name] != text)
        {
            differences.push_back(
                fmt::format("{} is {}, was {}", name, Shown(text), Shown(old[name])));
        }
    }
    return differences;
}

std::int64_t
Signed(std::uint64_t count)
{
    return static_cast<std::int64_t>(count);
}

std::string
Made(const std::string& directory)
{
    MakeRunDirectory(directory);
    return StorePath(directory);
}

/** What workers that follow each other do alike with a layer. */
struct AlikeRow
{
    const LayerRow* first; ///< the first worker's
    std::uint32_t workers;
    std::size_t place; ///< of the layer in the model
};

bool
DoTheSame(const LayerRow& a, const LayerRow& b)
{
    const auto figures = [](const LayerRow& row) {
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
    };
    return figures(a) == figures(b);
}

/** @param layers worker by worker @return layer by layer */
std::vector<AlikeRow>
AlikeRows(const std::vector<LayerRow>& layers)
{
    std::vector<AlikeRow> rows;
    for (const auto& row : layers)
    {
        const bool isOfNext = rows.empty() || rows.back().first->worker != row.worker;
        rows.push_back({&row, 1, isOfNext ? 0 : rows.back().place + 1});
    }
    std::stable_sort(rows.begin(), rows.end(), [](const AlikeRow& a, const AlikeRow& b) {
        return a.place < b.place;
    });
    std::vector<AlikeRow> alike;
    for (const auto& row : rows)
    {
        const bool isAlike =
            !alike.empty() && alike.back().place == row.place &&
            alike.back().first->worker + alike.back().workers == row.first->worker &&
            DoTheSame(*alike.back().first, *row.first);
        if (isAlike)
        {
            ++alike.back().workers;
        }
        else
        {
            alike.push_back(row);
        }
    }
    return alike;
}

/** Takes results with these keys, and their details, from the store "other", unless they are here. */
void
CopyResults(Database& database, const std::string& keys)
{
    database.Run(
        "CREATE TEMP TABLE taken AS SELECT key FROM other.results"
        " WHERE key IN (" +
        keys + ") AND status IN ('done', 'refused') AND key NOT IN (SELECT key FROM main.results)");
    for (const auto* table : {"results", "layers", "links"})
    {
        database.Run(fmt::format("INSERT INTO main.{0} SELECT * FROM other.{0}"
                                 " WHERE key IN (SELECT key FROM temp.taken)",
                                 table));
    }
}

} // namespace

ResultStore::ResultStore(const std::string& directory)
    : m_directory(directory),
      m_database(Made(directory)),
      m_last(m_database),
      m_live(directory + "/sweeps.lock")
{
    try
    {
        MakeTables();
    }
    catch (const RunError& error)
    {
        throw InputError(std::string(error.what()) + "; name another folder with --out");
    }
}

void
ResultStore::MakeTables()
{
    Transaction transaction(m_database);
    const auto version = StoreVersion(m_database, "main");
    if (version != 0 && version != STORE_VERSION)
    {
        throw InputError(StorePath(m_directory) +
                         ": is a store of another version of INCA; name another folder with --out");
    }
    m_database.Run(g_tables + RowsView() + fmt::format("PRAGMA user_version = {}", STORE_VERSION));
    transaction.Commit();
}

std::set<std::int64_t>
ResultStore::SweepsAtWork()
{
    std::set<std::int64_t> sweeps;
    auto all = m_database.Prepare("SELECT sweep FROM sweeps");
    while (all.Step())
    {
        if (m_live.IsAtWork(all.Number(0)))
        {
            sweeps.insert(all.Number(0));
        }
    }
    return sweeps;
}

void
ResultStore::ForgetOthers()
{
    const auto atWork = fmt::format("{}", fmt::join(SweepsAtWork(), ", "));
    for (const auto* table : {"sweeps", "points", "claims"})
    {
        m_database.Run(fmt::format("DELETE FROM {} WHERE sweep NOT IN ({})", table, atWork));
    }
}

void
ResultStore::PutPoints(const std::vector<SweepPoint>& points)
{
    auto insert = m_database.Prepare("INSERT INTO points VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (const auto& point : points)
    {
        insert.Bind(m_sweep).Bind(Signed(point.number)).Bind(point.label);
        insert.Bind(JsonOfTexts(point.settings)).Bind(JsonOfGiven(SettingsOf(point)));
        insert.Bind(point.key).Bind(point.against).Run();
        if (!point.refusal.empty())
        {
            Put(point.key, ResultWithout(PointStatus::REFUSED, point.refusal, point.scenario));
        }
    }
}

void
ResultStore::EnterSweep(const SweepPlan& plan)
{
    m_database
        .Prepare(
            "INSERT INTO sweeps (points, repeat, base, command, against) VALUES (?, ?, ?, ?, ?)")
        .Bind(Signed(plan.all))
        .Bind(std::int64_t{plan.repeat})
        .Bind(fmt::format("{}", fmt::join(plan.base, "\n")))
        .Bind(JsonOfTexts(plan.command))
        .Bind(plan.against)
        .Run();
    m_sweep = m_database.LastRow();
    m_live.Enter(m_sweep); // before anybody can know of it
}

std::vector<std::string>
ResultStore::Begin(const SweepPlan& plan)
{
    Transaction transaction(m_database);
    const auto before = m_last.Base();
    EnterSweep(plan);
    ForgetOthers();
    PutPoints(plan.points);
    m_database.Run(fmt::format("DELETE FROM results WHERE status IN ('failed', 'timeout') AND"
                               " key IN (SELECT key FROM points WHERE sweep = {})",
                               m_sweep));
    transaction.Commit();
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
    try
    {
        if (StoreVersion(m_database, "other") == STORE_VERSION)
        {
            return;
        }
    }
    catch (const RunError& error)
    {
        throw InputError(path + ": " + error.what());
    }
    throw InputError(path + ": holds no results of this version of INCA");
}

std::int64_t
ResultStore::TakeFrom(const std::string& directory)
{
    Attach(directory);
    Transaction transaction(m_database);
    CopyResults(m_database, fmt::format("SELECT key FROM main.points WHERE sweep = {}", m_sweep));
    auto count = m_database.Prepare("SELECT count(*) FROM temp.taken");
    count.Step();
    const auto taken = count.Number(0);
    count.Step();
    m_database.Run("DROP TABLE temp.taken");
    transaction.Commit();
    m_database.Run("DETACH other");
    return taken;
}

/** Shards of one sweep say the same of it. */
void
ResultStore::RequireSameSweep(const std::string& directory)
{
    auto sweeps = m_database.Prepare("SELECT m.base, o.base, m.points = o.points AND m.against = "
                                     "o.against FROM main.sweeps m, other.sweeps o"
                                     " WHERE m.sweep = (SELECT max(sweep) FROM main.sweeps)"
                                     " AND o.sweep = (SELECT max(sweep) FROM other.sweeps)");
    if (!sweeps.Step() || (sweeps.Text(0) == sweeps.Text(1) && sweeps.Number(2) == 1))
    {
        return;
    }
    const auto differences = Differences(Lines(sweeps.Text(0)), Lines(sweeps.Text(1)));
    throw InputError(
        fmt::format("{}: is no shard of the same sweep: {}",
                    directory,
                    differences.empty() ? "it has other points" : differences.front()));
}

void
ResultStore::Merge(const std::string& directory)
{
    Attach(directory);
    RequireSameSweep(directory);
    Transaction transaction(m_database);
    m_database.Run("INSERT INTO main.sweeps (points, repeat, base, command, against)"
                   " SELECT points, repeat, base, command, against FROM other.sweeps"
                   " WHERE sweep = (SELECT max(sweep) FROM other.sweeps)"
                   " AND NOT EXISTS (SELECT 1 FROM main.sweeps)");
    m_database.Run("INSERT OR IGNORE INTO main.points"
                   " SELECT (SELECT max(sweep) FROM main.sweeps), point, label, arguments, "
                   "settings, key, against"
                   " FROM other.points WHERE sweep = (SELECT max(sweep) FROM other.points)");
    const std::string keys = "SELECT key FROM main.points";
    CopyResults(m_database, keys);
    m_database.Run("DROP TABLE temp.taken;"
                   "INSERT OR IGNORE INTO main.results SELECT * FROM other.results"
                   " WHERE key IN (" +
                   keys + ")"); // what has failed
    transaction.Commit();
    m_database.Run("DETACH other");
}

StoredSweep&
ResultStore::Last()
{
    return m_last;
}

void
ResultStore::Together(const std::function<void()>& steps)
{
    Transaction transaction(m_database);
    steps();
    transaction.Commit();
}

Claim
ResultStore::TryClaim(const std::string& key)
{
    auto result = m_database.Prepare("SELECT 1 FROM results WHERE key = ?");
    if (result.Bind(key).Step())
    {
        return Claim::DONE;
    }
    auto claim = m_database.Prepare("SELECT sweep FROM claims WHERE key = ?");
    if (claim.Bind(key).Step() && m_live.IsAtWork(claim.Number(0)))
    {
        return claim.Number(0) == m_sweep ? Claim::MINE : Claim::OTHERS;
    }
    m_database.Prepare("INSERT OR REPLACE INTO claims VALUES (?, ?)").Bind(key).Bind(m_sweep).Run();
    return Claim::MINE;
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
    m_database.Prepare("DELETE FROM claims WHERE key = ?").Bind(key).Run();
    PutDetails(key, result);
}

void
ResultStore::PutDetails(const std::string& key, const PointResult& result)
{
    if (result.layers.size() <= MOST_DETAILS)
    {
        PutLayers(key, result.layers);
    }
    if (result.links.size() <= MOST_DETAILS)
    {
        PutLinks(key, result.links);
    }
}

void
ResultStore::PutLayers(const std::string& key, const std::vector<LayerRow>& layers)
{
    auto insert =
        m_database.Prepare("INSERT INTO layers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const auto& [first, workers, place] : AlikeRows(layers))
    {
        const auto& row = *first;
        insert.Bind(key).Bind(std::int64_t{row.worker}).Bind(std::int64_t{workers});
        insert.Bind(row.layer).Bind(Signed(row.elements));
        insert.Bind(std::int64_t{row.firstBucket}).Bind(std::int64_t{row.lastBucket});
        insert.Bind(row.readyPs).Bind(row.startPs).Bind(row.endPs);
        insert.Bind(row.exposedCommunicationPs).Bind(row.weightsWaitPs);
        insert.Bind(Signed(row.plainBytes)).Bind(Signed(row.wireBytes)).Run();
    }
}

void
ResultStore::PutLinks(const std::string& key, const std::vector<LinkRow>& links)
{
    auto insert = m_database.Prepare("INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const auto& row : links)
    {
        std::uint64_t drops = 0;
        for (const auto& drop : row.drops)
        {
            drops += drop.frames;
        }
        insert.Bind(key).Bind(row.link).Bind(row.from).Bind(row.to).Bind(Signed(row.bitsPerSecond));
        insert.Bind(Signed(row.wireBytes)).Bind(Signed(row.frames)).Bind(row.utilisation);
        insert.Bind(Signed(row.largestQueueBytes)).Bind(Signed(row.markedFrames));
        insert.Bind(Signed(drops)).Run();
    }
}

std::optional<PointResult>
ResultStore::Find(const std::string& key)
{
    return m_last.Find(key);
}

} // namespace inca
