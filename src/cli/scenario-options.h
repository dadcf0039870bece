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

/** Adds --set to a command that reads a scenario. */
void AddSetOption(CLI::App& command, std::vector<std::string>& settings);

/** Tells the user on stderr, a line each: the work goes on. */
void Warn(const std::vector<std::string>& warnings);

} // namespace inca

#endif // INCA_CLI_SCENARIO_OPTIONS_H
