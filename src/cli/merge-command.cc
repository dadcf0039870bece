/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/standard-streams.h"
#include "cli/sweep-printer.h"
#include "sweep/result-store.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

struct MergeOptions
{
    std::vector<std::string> directories;
    std::string out;
    RowFormat format;
};

ExitCode
Merge(const MergeOptions& options)
{
    CheckColumns(options.format);
    ResultStore store(options.out);
    for (const auto& directory : options.directories)
    {
        store.Merge(directory);
    }
    const auto [done, failed] = WriteSweepFiles(store, options.format, options.out);
    const auto all = store.AllPoints();
    const auto missing = all - done;
    fmt::print("{} of {} points are in {}/results.csv, {} failed, {} missing\n",
               done,
               all,
               options.out,
               failed,
               missing);
    FlushOutput();
    return failed + missing > 0 ? ExitCode::CHECK_FAILED : ExitCode::DONE;
}

} // namespace

void
AddMergeCommand(CLI::App& app, ExitCode& exitCode)
{
    auto options = std::make_shared<MergeOptions>();
    auto* command = app.add_subcommand("merge", "put the shards of a sweep together");
    const OptionAdder add(*command);
    command->add_option("directories", options->directories, "the --out of each shard")->required();
    add("--out DIR", options->out, "results.sqlite and results.csv of all go here")->required();
    AddRowOptions(*command, options->format);
    command->callback([options, &exitCode] { exitCode = Merge(*options); });
}

} // namespace inca
