/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/standard-streams.h"
#include "cli/sweep-printer.h"
#include "sweep/result-store.h"

#include <fmt/format.h>

#include <cstdint>
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
    SweepFiles files(options.format, store.IsRepeated());
    std::int64_t done = 0;
    std::int64_t failed = 0;
    store.ForEachPoint([&](const StoredPoint& point) {
        if (point.result)
        {
            files.Add(point.label, point.arguments, point.settings, RowOf(point));
            ++done;
            const auto status = point.result->status;
            failed += status == PointStatus::DONE || status == PointStatus::REFUSED ? 0 : 1;
        }
    });
    files.Write(options.out);
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
