/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_COMMAND_TREE_H
#define INCA_CLI_COMMAND_TREE_H

#include <string>
#include <vector>

namespace CLI
{
class App;
class Option;
} // namespace CLI

namespace inca
{

/** The commands below @p app that help lists, in its order. */
std::vector<const CLI::App*> CommandsOf(const CLI::App& app);

/** The options of @p app by their names "--csv" or "-o", without the arguments by position. */
std::vector<const CLI::Option*> OptionsOf(const CLI::App& app);

/** The arguments by position. */
std::vector<const CLI::Option*> ArgumentsOf(const CLI::App& app);

/** "-o", "--out": all names of an option, short ones first. */
std::vector<std::string> NamesOf(const CLI::Option& option);

/** What stands for an option's value in its help: "KEY=VALUE"; empty: it takes none. */
std::string ValueNameOf(const CLI::Option& option);

/** "run", "codec encode": the words that name @p app after the program's; empty of the program. */
std::string WordsOf(const CLI::App& app);

} // namespace inca

#endif // INCA_CLI_COMMAND_TREE_H
