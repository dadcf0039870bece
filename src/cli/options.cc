/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/options.h"

#include "base/value-form.h"
#include "sweep/mpi-ranks.h"

#include <cstdlib>
#include <string_view>

#include <unistd.h>

namespace inca
{

namespace
{

std::string_view
Variable(const char* name)
{
    const auto* const text = std::getenv(name);
    return text == nullptr ? "" : text;
}

/** mpirun shows its ranks a terminal even where its own output goes to a file. */
bool
IsColourTerminal()
{
    return ::isatty(STDOUT_FILENO) == 1 && !IsMpiRank() && Variable("NO_COLOR").empty() &&
           Variable("TERM") != "dumb" && !Variable("TERM").empty();
}

} // namespace

CLI::Option*
OptionAdder::operator()(const std::string& names,
                        std::string& value,
                        const std::string& meaning) const
{
    const auto blank = names.find(' ');
    return m_command.add_option(names.substr(0, blank), value, meaning)
        ->type_name(names.substr(blank + 1));
}

CLI::Option*
OptionAdder::operator()(const std::string& names,
                        std::vector<std::string>& values,
                        const std::string& meaning) const
{
    const auto blank = names.find(' ');
    return m_command.add_option(names.substr(0, blank), values, meaning)
        ->expected(1)
        ->take_all()
        ->type_name(names.substr(blank + 1));
}

void
AddGone(CLI::App& command, const std::string& name, const std::string& instead)
{
    command
        .add_option_function<std::string>(
            name, [=](const std::string&) { throw InputError(name + ": is gone; " + instead); })
        ->expected(0, 1)
        ->group("");
}

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
    OptionAdder{command}("--set KEY=VALUE", settings, "sets a key over the file: table.key=value");
}

void
AddColourOption(CLI::App& command, bool& hasColour)
{
    hasColour = IsColourTerminal();
    const auto parse = [](const std::string& text) {
        const auto when = NameForm({"auto", "always", "never"}).parse(text);
        return when == "always" || (when == "auto" && IsColourTerminal());
    };
    OptionAdder{command}(
        "--color WHEN",
        hasColour,
        parse,
        "colors in tables: auto (on a terminal, unless NO_COLOR is set), always or never");
}

std::vector<std::string>
OptionsOf(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const auto* option : command.get_options())
    {
        for (const auto& name : option->get_lnames())
        {
            names.push_back("--" + name);
        }
    }
    return names;
}

std::vector<const CLI::App*>
CommandsOf(const CLI::App& app)
{
    return app.get_subcommands(
        [](const CLI::App* command) { return !command->get_group().empty(); });
}

} // namespace inca
