/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/interrupt.h"
#include "base/nearest.h"
#include "base/units.h"
#include "base/whole-file.h"
#include "cli/commands.h"
#include "cli/scenario-options.h"
#include "export/chakra-rank.h"
#include "export/goal-text.h"
#include "import/chakra-protobuf.h"
#include "plan/plan-maker.h"
#include "scenario/scenario-reader.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

constexpr std::size_t MOST_BYTES = 2ULL << 30U;

struct ExportOptions
{
    std::string scenario;
    std::vector<std::string> settings;
    std::string format;
    std::string out;
    bool collectives{false};
};

/** Adds a rank's bytes to those of the ranks before it, all of which are kept until they are written. */
void
AddBytes(std::size_t& bytes, const std::string& text)
{
    ThrowIfInterrupted();
    bytes += text.size();
    if (bytes > MOST_BYTES)
    {
        throw InputError("an export of more than " + FormatBytes(MOST_BYTES) +
                         "; fewer workers or larger buckets have fewer operations");
    }
}

std::vector<FileText>
GoalFiles(const ExportOptions& options, const Plan& plan)
{
    const auto& job = *plan.prepared.job;
    std::size_t bytes = 0;
    FileText file{options.out, fmt::format("num_ranks {}\n\n", job.RankCount())};
    for (Rank rank = 0; rank < job.RankCount(); ++rank)
    {
        const auto text = GoalText(rank, ExportRank(plan.scenario, job, rank, options.collectives));
        AddBytes(bytes, text);
        file.text += text + "\n";
    }
    return {file};
}

std::vector<FileText>
ChakraFiles(const ExportOptions& options, const Plan& plan)
{
    const auto& job = *plan.prepared.job;
    const auto ranks = options.collectives ? job.workers : job.RankCount();
    std::size_t bytes = 0;
    std::vector<FileText> files;
    for (Rank rank = 0; rank < ranks; ++rank)
    {
        auto text =
            FormatChakra(ChakraOf(rank, ExportRank(plan.scenario, job, rank, options.collectives)));
        AddBytes(bytes, text);
        files.push_back({fmt::format("{}.{}.et", options.out, rank), std::move(text)});
    }
    return files;
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
    const auto plan = MakePlan(loaded.scenario);
    RequireExportable(plan.scenario, *plan.prepared.job, options.collectives);
    const auto files =
        options.format == "goal" ? GoalFiles(options, plan) : ChakraFiles(options, plan);
    WriteWholeFiles(files);
    std::size_t bytes = 0;
    for (const auto& file : files)
    {
        bytes += file.text.size();
    }
    fmt::print("{}{}: {} ranks, {}\n",
               files.front().path,
               files.size() > 1 ? " to " + files.back().path : "",
               plan.prepared.job->RankCount(),
               HumanBytes(bytes));
}

} // namespace

void
AddExportCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    const auto options = std::make_shared<ExportOptions>();
    auto* command = app.add_subcommand(
        "export", "write one iteration's exchanges, so that other simulators can run the same");
    AddScenario(*command, options->scenario);
    AddSetOption(*command, options->settings);
    command
        ->add_option("--format",
                     options->format,
                     "goal (LogGOPSim's schedules) or chakra (a .et file per rank)")
        ->required()
        ->type_name("NAME");
    command
        ->add_option("-o,--out",
                     options->out,
                     "the schedule; of chakra what files' names begin with: FILE.0.et, ...")
        ->required()
        ->type_name("FILE");
    command->add_flag("--collectives",
                      options->collectives,
                      "chakra: each exchange is one all-reduce node, and not its steps");
    command->callback([options] { Export(*options); });
}

} // namespace inca
