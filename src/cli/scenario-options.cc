/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/scenario-options.h"

#include "base/printable.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace inca
{

void
AddScenario(CLI::App& command, std::string& scenario)
{
    command.add_option("scenario", scenario, "a scenario's TOML file; - is stdin")->required();
}

void
AddQuiet(CLI::App& command, bool& quiet)
{
    command.add_flag("-q,--quiet", quiet, "prints nothing but errors; results go to files only");
}

void
AddSetOption(CLI::App& command, std::vector<std::string>& settings)
{
    command.add_option("--set", settings, "sets a key over the file: table.key=value")
        ->expected(1)
        ->take_all()
        ->type_name("KEY=VALUE");
}

void
Warn(const std::vector<std::string>& warnings)
{
    for (const auto& warning : warnings)
    {
        std::fprintf(stderr, "inca: warning: %s\n", PrintableLines(warning).c_str());
    }
}

} // namespace inca
