/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_OPTIONS_H
#define INCA_CLI_OPTIONS_H

#include "base/errors.h"
#include "base/units.h"

#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** Options of commands. Their type is what help calls the value, and what completion goes by. @{ */
CLI::Option* AddText(CLI::App& command,
                     const std::string& names,
                     std::string& value,
                     const std::string& type,
                     const std::string& meaning);

/** One that may be given several times. */
CLI::Option* AddTexts(CLI::App& command,
                      const std::string& names,
                      std::vector<std::string>& values,
                      const std::string& type,
                      const std::string& meaning);

/** @param parse makes the value of its text; the complaint about what it throws names the option */
template <class Value, class Parse>
CLI::Option*
AddParsed(CLI::App& command,
          const std::string& name,
          Value& value,
          Parse parse,
          const std::string& type,
          const std::string& meaning)
{
    const auto set = [&value, name, parse = std::move(parse)](const std::string& text) {
        try
        {
            value = parse(text);
        }
        catch (const UnitError& error)
        {
            throw InputError(name + ": " + error.what());
        }
    };
    return command.add_option_function<std::string>(name, set, meaning)->type_name(type);
}

/** @} */

/** Adds the scenario that a command reads: a file, or "-". */
void AddScenario(CLI::App& command, std::string& scenario);

/** Adds --set to a command that reads a scenario. */
void AddSetOption(CLI::App& command, std::vector<std::string>& settings);

/** Adds -q: a command then says nothing but errors. */
void AddQuiet(CLI::App& command, bool& quiet);

/**
 * Adds --color: auto, always or never. Auto is where stdout is a terminal that has colours (TERM is not "dumb") and
 * the environment's NO_COLOR is empty.
 */
void AddColourOption(CLI::App& command, bool& hasColour);

/** @return whether a word of a command line names an option */
inline bool
IsOption(const std::string& word)
{
    return word.size() > 1 && word.front() == '-';
}

/** "--csv" of every option of @p command. */
std::vector<std::string> OptionsOf(const CLI::App& command);

/** The commands below @p app that help lists, in its order. */
std::vector<const CLI::App*> CommandsOf(const CLI::App& app);

} // namespace inca

#endif // INCA_CLI_OPTIONS_H
