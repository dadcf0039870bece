/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/row-output.h"
#include "cli/scenario-options.h"
#include "cli/standard-streams.h"
#include "report/progress.h"
#include "report/sweep-table.h"
#include "sweep/summary.h"
#include "sweep/sweep.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace inca
{

namespace
{

struct SweepOptions
{
    SweepRequest request;
    std::vector<std::string> vary;
    std::vector<std::string> zip;
    std::vector<std::string> systems;
    std::vector<std::string> where;
    RowFormat format;
    std::string csv;
    std::uint32_t jobs{0};
};

std::vector<Varied>
Texts(const std::vector<std::string>& texts, const std::string& option)
{
    std::vector<Varied> all;
    for (const auto& text : texts)
    {
        all.push_back({text, option});
    }
    return all;
}

SweepRequest
RequestOf(const SweepOptions& options)
{
    auto request = options.request;
    request.options.zip = Texts(options.zip, "--zip");
    request.options.vary = Texts(options.vary, "--vary");
    request.options.where = Texts(options.where, "--where");
    for (const auto& system : options.systems)
    {
        request.options.systems.push_back(ParseSystem(system));
    }
    return request;
}

Coordinates
CoordinatesOf(const std::string& label, const std::vector<std::string>& varied)
{
    Coordinates coordinates;
    if (!label.empty())
    {
        coordinates.push_back("label=" + label);
    }
    coordinates.insert(coordinates.end(), varied.begin(), varied.end());
    return coordinates;
}

SweepTable
TableOf(const SweepPlan& plan)
{
    std::vector<Coordinates> points;
    for (const auto& point : plan.points)
    {
        points.push_back(CoordinatesOf(point.label, point.varied));
    }
    return SweepTable(points);
}

/**
 * Shows each run as it ends: rows to stdout, or rows to the CSV file and a table to stdout; lines of JSON
 * instead of either if they are asked for.
 */
class SweepPrinter
{
  public:
    SweepPrinter(const SweepOptions& options, const SweepPlan& plan)
        : m_showsTable(!options.csv.empty() && !options.format.json),
          m_repeat(options.request.repeat),
          m_table(TableOf(plan)),
          m_summaries(m_repeat)
    {
        if (!options.csv.empty())
        {
            m_rows.emplace_back(options.format, AppendRows(options.format, options.csv));
        }
        if (!m_showsTable)
        {
            m_rows.emplace_back(options.format, PrintRows(options.format));
        }
    }

    void Print(const SweepPoint& point, const PointResult& result)
    {
        const auto row = RowOf(point, result);
        for (auto& rows : m_rows)
        {
            rows.Add(row);
        }
        if (m_showsTable)
        {
            PrintLine(point, row);
        }
        if (m_repeat > 1)
        {
            m_summaries.Add(point, row);
        }
        WarnOf(point, result);
    }

    void Finish()
    {
        for (auto& rows : m_rows)
        {
            rows.Finish();
        }
        if (m_repeat > 1 && m_showsTable)
        {
            PrintSummaries();
        }
    }

  private:
    void PrintLine(const SweepPoint& point, const Row& row)
    {
        const auto line = m_table.Line(CoordinatesOf(point.label, point.varied), row);
        fmt::print("{}", PrintableLines((m_first ? m_table.Header() : "") + line));
        FlushOutput();
        m_first = false;
    }

    void PrintSummaries() const
    {
        fmt::print("\n{}", PrintableLines(m_table.SummaryHeader()));
        for (const auto& summary : m_summaries.All())
        {
            auto coordinates = CoordinatesOf(CellText(summary.row, "label"), summary.varied);
            coordinates.push_back("simulation.seed=");
            fmt::print("{}", PrintableLines(m_table.SummaryLine(coordinates, summary.row)));
        }
    }

    /** Each text once, with the first point that it is said of. */
    void WarnOf(const SweepPoint& point, const PointResult& result)
    {
        for (const auto& warning : result.warnings)
        {
            if (m_warned.insert(warning).second)
            {
                const auto status = result.status == PointStatus::DONE
                                        ? ""
                                        : fmt::format("{}: ", StatusName(result.status));
                Warn({fmt::format("at {}: {}{}", NameOf(point), status, warning)});
            }
        }
    }

    bool m_showsTable;
    std::uint32_t m_repeat;
    SweepTable m_table;
    Summaries m_summaries;
    std::vector<RowChoice> m_rows;
    bool m_first{true}; ///< of the table
    std::set<std::string> m_warned;
};

RunLimits
LimitsOf(const SweepOptions& options)
{
    constexpr double shareUsed = 0.8; // of what is free: estimates are good to a factor of two
    RunLimits limits;
    limits.jobs =
        options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
    limits.memoryBytes = shareUsed * FreeMemoryBytes();
    return limits;
}

void
Sweep(const SweepOptions& options, ExitCode& exitCode)
{
    CheckColumns(options.format);
    const auto plan = PlanSweep(RequestOf(options));
    Warn(plan.warnings);
    SweepPrinter printer(options, plan);
    Progress progress("sweep");
    SweepUser user;
    user.onResult = [&](const SweepPoint& point, const PointResult& result) {
        progress.Done();
        printer.Print(point, result);
        const bool failed =
            result.status == PointStatus::FAILED || result.status == PointStatus::TIMEOUT;
        exitCode = failed ? ExitCode::CHECK_FAILED : exitCode;
    };
    user.onProgress = [&progress](const SweepProgress& now) { progress.Update(now.share); };
    RunSweep(plan, LimitsOf(options), user);
    printer.Finish();
}

void
AddPointOptions(CLI::App& command, SweepOptions& options)
{
    const auto add = [&command](const char* name,
                                std::vector<std::string>& texts,
                                const char* type,
                                const char* meaning) {
        command.add_option(name, texts, meaning)->expected(1)->take_all()->type_name(type);
    };
    add("--vary",
        options.vary,
        "KEY=VALUES",
        "a key and its values: table.key=v1,v2 or table.key=2..64:x2; several make a grid, "
        "over the file's table [sweep] if it has one");
    add("--zip",
        options.zip,
        "KEY=VALUES",
        "the same of keys that move together: the first values of all, then the second ones");
    add("--system",
        options.systems,
        "LABEL:KEY=VALUE,...",
        "a named variant that sets several keys; each is run at every point");
    add("--where",
        options.where,
        "EXPRESSION",
        "only points for which this holds, such as 'cluster.workers * exchange.group_size <= 64'");
    command
        .add_option("--repeat",
                    options.request.repeat,
                    "every point with so many seeds, and a summary of them")
        ->check(CLI::Range(1U, 100'000U))
        ->type_name("N");
    command.add_flag("--strict",
                     options.request.strict,
                     "a point that cannot be simulated ends the sweep before anything runs");
}

} // namespace

void
AddSweepCommand(CLI::App& app, ExitCode& exitCode)
{
    auto options = std::make_shared<SweepOptions>();
    auto* command = app.add_subcommand("sweep", "run a scenario at every point of a grid");
    command->add_option("scenario", options->request.scenario, "a scenario's TOML file")
        ->required();
    AddSetOption(*command, options->request.settings);
    AddPointOptions(*command, *options);
    AddRowOptions(*command, options->format);
    command
        ->add_option(
            "--csv",
            options->csv,
            "adds the rows to this CSV file as the runs end, and prints a table; without it "
            "the rows go to stdout")
        ->type_name("FILE");
    command->add_option("--jobs", options->jobs, "runs at the same time; default: one per core")
        ->check(CLI::Range(1U, 4'096U))
        ->type_name("N");
    command->callback([options, &exitCode] { Sweep(*options, exitCode); });
}

} // namespace inca
