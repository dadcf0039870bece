/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_COLOUR_OPTION_H
#define INCA_CLI_COLOUR_OPTION_H

#include <string>

namespace CLI
{
class App;
} // namespace CLI

namespace inca
{

/** Adds --color: auto, always or never. */
void AddColourOption(CLI::App& command, std::string& when);

/**
 * @param when of --color: auto is only where stdout is a terminal that has colours (TERM is not "dumb") and
 *        the environment's NO_COLOR is empty
 * @return whether tables have colours
 */
bool WantsColour(const std::string& when);

} // namespace inca

#endif // INCA_CLI_COLOUR_OPTION_H
