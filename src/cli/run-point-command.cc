/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/commands.h"
#include "sweep/spawned-run.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace inca
{

/** For INCA's own processes alone: no group lists it. */
void
AddRunPointCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto parent = std::make_shared<int>();
    auto* command = app.add_subcommand(SPAWNED_RUN_COMMAND)->group("");
    command->add_option("parent", *parent)->required();
    command->callback([parent] { ServeSpawnedRun(*parent); });
}

} // namespace inca
