/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/result-csv.h"
#include "cli/scenario-options.h"
#include "cli/standard-streams.h"
#include "record/result-row.h"
#include "report/progress.h"
#include "report/sweep-table.h"
#include "sweep/sweep.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace inca
{

namespace
{

struct SweepOptions
{
    std::string scenario;
    std::vector<std::string> settings;
    std::vector<std::string> vary;
    std::string csv;
    bool quiet{false};
};

/** Shows each run as it ends: rows to stdout, or rows to the CSV file and a table to stdout. */
class SweepPrinter
{
  public:
    /** @throws InputError if nobody would get the rows, or as the file does */
    explicit SweepPrinter(const SweepOptions& options)
        : m_csv(OpenResultCsv(options.csv)),
          m_quiet(options.quiet)
    {
        if (m_quiet && !m_csv)
        {
            throw InputError("--quiet: the rows would go nowhere; name a file with --csv");
        }
    }

    void Print(const SweepPoint& point, const RunRecord& record)
    {
        if (!m_csv)
        {
            fmt::print("{}{}", m_first ? CsvHeader(record) : "", CsvRow(record));
        }
        else
        {
            WarnOf(AppendResult(*m_csv, record));
            Say((m_first ? SweepTableHeader(point.varied) : "") +
                SweepTableRow(point.varied, record));
        }
        FlushOutput();
        m_first = false;
    }

    void WarnOf(const std::vector<std::string>& warnings) const
    {
        Warn(m_quiet ? std::vector<std::string>() : warnings);
    }

    /** Each text once, with the first point that it is said of. */
    void WarnOf(const SweepPoint& point, const RunRecord& record)
    {
        for (const auto& warning : record.warnings)
        {
            if (m_warned.insert(warning).second)
            {
                WarnOf({fmt::format("at {}: {}", fmt::join(point.varied, " "), warning)});
            }
        }
    }

  private:
    void Say(const std::string& lines) const
    {
        fmt::print("{}", m_quiet ? "" : PrintableLines(lines));
    }

    std::unique_ptr<CsvOutput> m_csv;
    bool m_quiet;
    bool m_first{true};
    std::set<std::string> m_warned;
};

void
Sweep(const SweepOptions& options)
{
    const auto plan = PlanSweep(options.scenario, options.settings, options.vary);
    SweepPrinter printer(options);
    printer.WarnOf(plan.warnings);
    Progress progress("sweep", options.quiet);
    RunSweep(
        plan,
        [&](const SweepPoint& point, const RunRecord& record) {
            progress.Done();
            printer.Print(point, record);
            printer.WarnOf(point, record);
        },
        [&progress](double share) { progress.Update(share); });
}

} // namespace

void
AddSweepCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto options = std::make_shared<SweepOptions>();
    auto* command = app.add_subcommand("sweep", "run a scenario at every point of a grid");
    AddScenario(*command, options->scenario);
    AddQuiet(*command, options->quiet);
    command
        ->add_option(
            "--vary",
            options->vary,
            "a key and its values: table.key=v1,v2 or table.key=2..64:x2; several make a grid, "
            "over the file's table [sweep] if it has one")
        ->expected(1)
        ->take_all()
        ->type_name("KEY=VALUES");
    AddSetOption(*command, options->settings);
    command
        ->add_option(
            "--csv",
            options->csv,
            "adds the rows to this CSV file as the runs end, and prints a table; without it "
            "the rows go to stdout")
        ->type_name("FILE");
    command->callback([options] { Sweep(*options); });
}

} // namespace inca
