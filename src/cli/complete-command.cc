/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/commands.h"
#include "cli/completion.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** "files" or "words", then a word on each line. */
void
PrintCompletion(const Completion& completion)
{
    fmt::print("{}\n", completion.files ? "files" : "words");
    for (const auto& word : completion.words)
    {
        fmt::print("{}\n", word);
    }
}

} // namespace

/** For tools/inca-completion.bash alone: no group lists it. */
void
AddCompleteCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto* command = app.add_subcommand("complete")->group("");
    command->set_help_flag();
    command->prefix_command(); // what comes after it is not read
    command->callback([command, &app] { PrintCompletion(Complete(app, command->remaining())); });
}

} // namespace inca
