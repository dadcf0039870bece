/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/whole-file.h"
#include "cli/command-tree.h"
#include "cli/commands.h"
#include "cli/manual-page.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

void
AddPages(const CLI::App& command, const std::string& folder, std::vector<FileText>& pages)
{
    pages.push_back({folder + "/" + ManualPageName(command), ManualPage(command)});
    for (const auto* below : CommandsOf(command))
    {
        AddPages(*below, folder, pages);
    }
}

} // namespace

/** For the build alone: no group lists it. */
void
AddManualPagesCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto folder = std::make_shared<std::string>();
    auto* command = app.add_subcommand("manual-pages")->group("");
    command->add_option("folder", *folder)->required();
    command->callback([folder, &app] {
        std::vector<FileText> pages;
        AddPages(app, *folder, pages);
        WriteWholeFiles(pages);
    });
}

} // namespace inca
