/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/interrupt.h"
#include "base/printable.h"
#include "base/units.h"
#include "cli/command-line.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/row-output.h"
#include "cli/standard-streams.h"
#include "cli/sweep-printer.h"
#include "plan/plan-maker.h"
#include "report/progress.h"
#include "sweep/mpi-ranks.h"
#include "sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

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
    RowFormat format;
    std::string csv;
    std::string out;
    bool explain{false};
    bool quiet{false};
    std::uint32_t jobs{0};           ///< 0: one per core
    std::optional<double> timeLimit; ///< seconds
};

/** @param text "2/8" @throws UnitError */
Shard
ParseShard(const std::string& text)
{
    static const std::regex form("([0-9]{1,9})/([0-9]{1,9})");
    std::smatch parts;
    Shard shard{0, 0};
    if (std::regex_match(text, parts, form))
    {
        shard = {std::stoul(parts[1]), std::stoul(parts[2])};
    }
    if (shard.number < 1 || shard.number > shard.of)
    {
        throw UnitError("needs a number and how many there are, such as 2/8, got '" + text + "'");
    }
    return shard;
}

std::vector<Varied>
VariedBy(const std::vector<std::string>& texts, const std::string& option)
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
    request.options.zip = VariedBy(options.zip, "--zip");
    request.options.vary = VariedBy(options.vary, "--vary");
    for (const auto& system : options.systems)
    {
        request.options.systems.push_back(ParseSystem(system));
    }
    return request;
}

/** Beside the scenario if there is room for it there, else in the current directory. */
std::string
DefaultDirectory(const std::string& scenario, const Shard& shard)
{
    namespace fs = std::filesystem;
    const auto ending =
        shard.of > 1 ? fmt::format(".shard-{}-of-{}.sweep", shard.number, shard.of) : ".sweep";
    const bool isPipe = scenario == "-" || scenario.rfind("/dev/", 0) == 0 ||
                        scenario.rfind("/proc/", 0) == 0; // of the shell's
    if (isPipe)
    {
        return "scenario" + ending;
    }
    const auto beside = fs::path(scenario).replace_extension(ending);
    const auto folder = beside.parent_path().empty() ? fs::path(".") : beside.parent_path();
    return ::access(folder.c_str(), W_OK) == 0 ? beside.string() : beside.filename().string();
}

RunLimits
LimitsOf(const SweepOptions& options)
{
    constexpr double shareUsed = 0.8; // of what is free: estimates are good to a factor of two
    RunLimits limits;
    limits.jobs =
        options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
    limits.memoryBytes = shareUsed * FreeMemoryBytes();
    limits.timeLimit = options.timeLimit;
    return limits;
}

/** Columns that are picked, or JSON, are for programs, unless a file takes them. */
bool
PrintsTable(const SweepOptions& options)
{
    const bool hasFile = !options.csv.empty() || !options.out.empty();
    return !options.format.json && (hasFile || options.format.columns.empty());
}

/** One sweep, from its options to its files. */
class SweepCommand
{
  public:
    SweepCommand(const SweepOptions& options, MpiRanks& ranks)
        : m_options(options),
          m_ranks(ranks),
          m_directory(options.out.empty()
                          ? DefaultDirectory(options.request.scenario, options.request.shard)
                          : options.out),
          m_plan(PlanSweep(RequestOf(options))),
          m_printer({options.format,
                     options.csv,
                     PrintsTable(options),
                     options.request.against,
                     options.request.repeat > 1,
                     options.quiet},
                    m_plan.points),
          m_store(m_directory)
    {
    }

    ExitCode Run()
    {
        for (const auto& warning : m_plan.warnings)
        {
            Note("warning: " + warning);
        }
        Prepare();
        Sweep sweep(
            m_plan,
            m_store,
            [this](const SweepPoint& point, const PointResult& result) {
                m_line.Done();
                m_printer.Print(point, result);
            },
            [this](const SweepProgress& now) { Tell(now); });
        TellOfEarlier(sweep.Progress().done);
        try
        {
            const auto slots = m_ranks.Slots(m_plan.points);
            sweep.Run(*slots);
        }
        catch (const Interrupted& interrupted)
        {
            GiveUp(sweep);
            m_ranks.Abort(static_cast<int>(
                interrupted.Signal() == SIGTERM ? ExitCode::TERMINATED : ExitCode::INTERRUPTED));
            throw;
        }
        m_line.Done();
        WriteSweepFiles(m_store, m_options.format, m_directory);
        m_printer.Finish();
        return sweep.Progress().failed > 0 ? ExitCode::CHECK_FAILED : ExitCode::DONE;
    }

  private:
    void Note(const std::string& text) const
    {
        if (!m_options.quiet)
        {
            Complain(text);
        }
    }

    void Prepare()
    {
        for (const auto& difference : m_store.Begin(m_plan))
        {
            Note(fmt::format(
                "warning: {}: since its last sweep {}; results of before are not mixed in",
                m_directory,
                difference));
        }
    }

    /** Refused points are no result of anybody's. */
    void TellOfEarlier(std::size_t done)
    {
        for (const auto& point : m_plan.points)
        {
            done -= point.refusal.empty() ? 0 : 1;
        }
        if (done > 0)
        {
            Note(fmt::format("{} of {} points are in {} already",
                             done,
                             m_plan.points.size(),
                             StorePath(m_directory)));
        }
    }

    void Tell(const SweepProgress& now)
    {
        if (!m_options.quiet)
        {
            m_line.Update({now.done, now.failed, now.points, now.secondsLeft});
        }
    }

    /** What is done is in the CSV, too, and how to go on is said. */
    void GiveUp(const Sweep& sweep)
    {
        m_line.Done();
        ForgetInterrupt();
        WriteSweepFiles(m_store, m_options.format, m_directory);
        Complain(
            fmt::format("{} of {} points are done; to go on: {}{}",
                        sweep.Progress().done,
                        m_plan.points.size(),
                        m_ranks.Count() > 1 ? fmt::format("mpirun -n {} ", m_ranks.Count()) : "",
                        ShellLine(OwnCommand())));
    }

    const SweepOptions& m_options;
    MpiRanks& m_ranks;
    std::string m_directory;
    SweepPlan m_plan;
    SweepPrinter m_printer;
    ResultStore m_store;
    Progress m_line{"", false, std::chrono::minutes(1)};
};

/** What will become of a point. @param seconds what it takes is added to them */
std::string
Outlook(const SweepPoint& point, double& seconds)
{
    if (!point.refusal.empty())
    {
        return "refused: " + point.refusal;
    }
    try
    {
        const auto cost = CostOf(point.scenario);
        seconds += cost.cpuSeconds;
        return fmt::format("about {:.2g} s, {}",
                           cost.cpuSeconds,
                           HumanBytes(static_cast<std::uint64_t>(cost.memoryBytes)));
    }
    catch (const InputError& error)
    {
        return std::string("refused: ") + error.what();
    }
}

/** A script that gives every row, a command each, with all else in its comments. */
std::string
ScriptOf(const SweepPlan& plan, const Shard& shard)
{
    double seconds = 0;
    std::string points;
    for (const auto& point : plan.points)
    {
        points += Printable(
            fmt::format("# {}: {}: {}", point.number, NameOf(point), Outlook(point, seconds)));
        points += "\n" + Printable(ShellLine(WithSettings(plan.command, point.settings))) + "\n";
    }
    auto text = fmt::format("# {} points", plan.all);
    text += shard.of > 1 ? fmt::format("; {} are in this shard", plan.points.size()) : "";
    return text + fmt::format("; about {:.2g} s of CPU time in all\n", seconds) + points;
}

void
AddPointOptions(CLI::App& command, SweepOptions& options)
{
    const OptionAdder add(command);
    add("--vary KEY=VALUES",
        options.vary,
        "a key and its values: table.key=v1,v2 or table.key=2..64:x2; several make a grid, "
        "over the file's table [sweep] if it has one");
    add("--zip KEY=VALUES",
        options.zip,
        "the same of keys that move together: the first values of all, then the second ones");
    add("--system LABEL:KEY=VALUE,...",
        options.systems,
        "a named variant that sets several keys; each is run at every point");
    add("--only LABEL,...",
        options.request.only,
        "runs these systems alone, and that of --against; the others of the file are left out");
    add("--against LABEL",
        options.request.against,
        "adds a column gain: the iteration time of this system at the same point over the "
        "point's own");
    command
        .add_option("--repeat",
                    options.request.repeat,
                    "every point with so many seeds, and a summary of them")
        ->check(CLI::Range(1U, 100'000U))
        ->type_name("N");
    add("--explain",
        options.explain,
        "runs nothing; prints the points, and for each the command that gives its row");
    add("--shard I/N",
        options.request.shard,
        ParseShard,
        "only every N-th point, from the I-th on; inca merge puts the shards together");
    add("--strict",
        options.request.strict,
        "a point that cannot be simulated ends the sweep before anything runs");
}

void
AddRunOptions(CLI::App& command, SweepOptions& options)
{
    const OptionAdder add(command);
    add("--out DIR",
        options.out,
        "keeps the results here, as results.sqlite and results.csv; default: SCENARIO.sweep");
    command.add_option("--jobs", options.jobs, "runs at the same time; default: one per core")
        ->check(CLI::Range(1U, 4'096U))
        ->type_name("N");
    command
        .add_option(
            "--time-limit", options.timeLimit, "ends a run that takes longer, such as 10min")
        ->transform(CLI::AsNumberWithUnit(
            std::map<std::string, double>{{"s", 1}, {"min", 60}, {"h", 3600}}))
        ->check(CLI::Range(0.001, 1e9))
        ->type_name("TIME");
}

} // namespace

void
AddSweepCommand(CLI::App& app, ExitCode& exitCode)
{
    auto options = std::make_shared<SweepOptions>();
    auto* command = app.add_subcommand("sweep", "run a scenario at every point of a grid");
    const OptionAdder add(*command);
    AddScenario(*command, options->request.scenario);
    AddQuiet(*command, options->quiet);
    AddSetOption(*command, options->request.settings);
    AddPointOptions(*command, *options);
    AddRowOptions(*command, options->format);
    add("--csv FILE",
        options->csv,
        "adds the rows to this CSV file as the runs end; with -q and /dev/stdout only they are "
        "printed");
    AddRunOptions(*command, *options);
    command->callback([options, &exitCode] {
        MpiRanks ranks(LimitsOf(*options));
        if (ranks.Number() > 0)
        {
            ranks.Serve();
            return;
        }
        CheckColumns(options->format);
        if (options->explain)
        {
            fmt::print("{}", ScriptOf(PlanSweep(RequestOf(*options)), options->request.shard));
            return;
        }
        exitCode = SweepCommand(*options, ranks).Run();
    });
}

} // namespace inca
