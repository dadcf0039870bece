/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_SCENARIO_OPTIONS_H
#define INCA_CLI_SCENARIO_OPTIONS_H

#include <string>
#include <vector>

namespace CLI
{
class App;
} // namespace CLI

namespace inca
{

/** Adds the scenario that a command reads: a file, or "-". */
void AddScenario(CLI::App& command, std::string& scenario);

/** Adds --set to a command that reads a scenario. */
void AddSetOption(CLI::App& command, std::vector<std::string>& settings);

/** Adds -q: a command then says nothing but errors. */
void AddQuiet(CLI::App& command, bool& quiet);

/** Tells the user on stderr, a line each: the work goes on. */
void Warn(const std::vector<std::string>& warnings);

} // namespace inca

#endif // INCA_CLI_SCENARIO_OPTIONS_H
