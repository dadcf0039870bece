/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_OPTIONS_H
#define INCA_CLI_OPTIONS_H

#include "inca/base/errors.h"
#include "inca/base/units.h"

#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

namespace inca
{

/**
 * Adds options to a command: add("-o,--out FILE", text, "the picture"). What stands behind the names is what help calls the
 * value, and what completion goes by.
 */
class OptionAdder
{
  public:
    explicit OptionAdder(CLI::App& command)
        : m_command(command)
    {
    }

    CLI::Option* operator()(const std::string& names,
                            std::string& value,
                            const std::string& meaning) const;

    /** One that may be given several times. */
    CLI::Option* operator()(const std::string& names,
                            std::vector<std::string>& values,
                            const std::string& meaning) const;

    /** One without a value. */
    CLI::Option* operator()(const std::string& names, bool& flag, const std::string& meaning) const
    {
        return m_command.add_flag(names, flag, meaning);
    }

    /** @param parse makes the value of its text; the complaint about a UnitError names the option */
    template <class Value, class Parse>
    CLI::Option* operator()(const std::string& names,
                            Value& value,
                            Parse parse,
                            const std::string& meaning) const
    {
        const auto blank = names.find(' ');
        const auto name = names.substr(0, blank);
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
        return m_command.add_option_function<std::string>(name, set, meaning)
            ->type_name(names.substr(blank + 1));
    }

  private:
    CLI::App& m_command;
};

/** @return 0.8 and 0.82 of "80%,0.82". @throws UnitError */
std::vector<double> ParseTargets(const std::string& text);

/** Adds the scenario that a command reads: a file, or "-". */
void AddScenario(CLI::App& command, std::string& scenario);

/** Adds --set to a command that reads a scenario. */
void AddSetOption(CLI::App& command, std::vector<std::string>& settings);

/** Adds -q: a command then says nothing but errors. */
void AddQuiet(CLI::App& command, bool& quiet);

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
