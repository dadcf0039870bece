/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/atomic-file.h"
#include "base/errors.h"
#include "base/interrupt.h"
#include "base/nearest.h"
#include "base/units.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/standard-streams.h"
#include "experiment/cycle-search.h"
#include "export/exported-text.h"
#include "report/progress.h"
#include "scenario/scenario-reader.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

struct ExportOptions
{
    std::string scenario;
    std::vector<std::string> settings;
    std::string format;
    std::string out;
    std::uint64_t mostBytes{256ULL << 20U};
    bool collectives{false};
};

/** Texts of an export, of which none is written if they get too large. */
struct ExportedTexts
{
    std::uint64_t mostBytes;
    std::uint64_t bytes{0};
    std::vector<FileText> files{};

    void Append(const std::string& text)
    {
        ThrowIfInterrupted();
        bytes += text.size();
        if (bytes > mostBytes)
        {
            throw InputError(TooLargeToExport(mostBytes));
        }
        files.back().text += text;
    }
};

/** @return the path of what is written */
std::string
WriteGoal(const ExportOptions& options, const Plan& plan, ExportedTexts& texts)
{
    const auto& job = *plan.Job().job;
    texts.files.push_back({options.out, ""});
    texts.Append(fmt::format("num_ranks {}\n\n", job.RankCount()));
    for (Rank rank = 0; rank < job.RankCount(); ++rank)
    {
        const auto operations = ExportRank(plan.Settings(), job, rank, options.collectives);
        texts.Append(GoalText(rank, operations) + "\n");
    }
    return options.out;
}

/** @return the paths of what is written: the first, and the last */
std::string
WriteChakra(const ExportOptions& options, const Plan& plan, ExportedTexts& texts)
{
    const auto& job = *plan.Job().job;
    const auto ranks = options.collectives ? job.workers : job.RankCount();
    const auto path = [&options](Rank rank) { return fmt::format("{}.{}.et", options.out, rank); };
    for (Rank rank = 0; rank < ranks; ++rank)
    {
        const auto operations = ExportRank(plan.Settings(), job, rank, options.collectives);
        texts.files.push_back({path(rank), ""});
        texts.Append(ChakraText(rank, plan.Settings().trace->gradientType, operations));
    }
    return path(0) + (ranks > 1 ? " to " + path(ranks - 1) : "");
}

void
Export(const ExportOptions& options)
{
    if (options.format != "goal" && options.format != "chakra")
    {
        throw InputError("--format: " + UnknownName(options.format, {"goal", "chakra"}));
    }
    if (options.collectives && options.format == "goal")
    {
        throw InputError("--collectives: GOAL has no collectives; --format chakra has");
    }
    const auto text = ReadScenarioText(options.scenario);
    const auto loaded = ParseScenario(text, ScenarioName(options.scenario), options.settings);
    Warn(loaded.warnings);
    Progress progress("export");
    const auto plan =
        MakePlanOfRun(loaded.scenario, [&progress](double share) { progress.Update(share); });
    progress.Done();
    const auto& job = *plan.Job().job;
    RequireExportable(plan.Settings(), job, options.collectives, options.mostBytes);
    ExportedTexts texts{options.mostBytes};
    const auto paths = options.format == "goal" ? WriteGoal(options, plan, texts)
                                                : WriteChakra(options, plan, texts);
    WriteAtomically(texts.files);
    fmt::print("{}: {} ranks, {}\n", paths, job.RankCount(), HumanBytes(texts.bytes));
}

} // namespace

void
AddExportCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    const auto options = std::make_shared<ExportOptions>();
    auto* command = app.add_subcommand(
        "export", "write one iteration's exchanges, so that other simulators can run the same");
    const OptionAdder add(*command);
    AddScenario(*command, options->scenario);
    AddSetOption(*command, options->settings);
    add("--format NAME",
        options->format,
        "goal (LogGOPSim's schedules) or chakra (a .et file per rank)")
        ->required();
    add("-o,--out FILE",
        options->out,
        "the schedule; of chakra what files' names begin with: FILE.0.et, ...")
        ->required();
    add(
        "--max-size SIZE",
        options->mostBytes,
        [](const std::string& text) { return g_byteCount.Parse(text); },
        "an export that takes more is refused; 256MiB if it is not given");
    add("--collectives",
        options->collectives,
        "chakra: an exchange is one collective of all workers, and not its steps");
    command->callback([options] { Export(*options); });
}

} // namespace inca
