/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/usage-error.h"

#include "base/nearest.h"
#include "cli/command-tree.h"

#include <CLI/CLI.hpp>

#include <vector>

namespace inca
{

namespace
{

using Texts = std::vector<std::string>;

/** "inca", "codec", "decode": what was named, and whether there is more below the last of them. */
struct NamedCommand
{
    const CLI::App* app;
    std::string words;
};

NamedCommand
LastNamed(const CLI::App& app)
{
    NamedCommand named{&app, app.get_name()};
    for (auto below = app.get_subcommands(); !below.empty(); below = named.app->get_subcommands())
    {
        named.app = below.front();
        named.words += " " + named.app->get_name();
    }
    return named;
}

Texts
CommandNames(const CLI::App& app)
{
    Texts names;
    for (const auto* command : CommandsOf(app))
    {
        names.push_back(command->get_name());
    }
    return names;
}

Texts
OptionNames(const CLI::App& app)
{
    Texts names;
    for (const auto* option : app.get_options())
    {
        for (const auto& name : option->get_lnames())
        {
            names.push_back("--" + name);
        }
    }
    return names;
}

/** What an argument that nothing takes was meant for, if it can be told. */
std::string
MeantFor(const CLI::App& app, const std::string& argument)
{
    const bool isKey = argument.find('=') != std::string::npos;
    const std::string option = argument.find(',') != std::string::npos ? "--vary" : "--set";
    if (!isKey || app.get_option_no_throw(option) == nullptr)
    {
        return "";
    }
    return ": keys follow " + option + ", as in `" + option + " " + argument + "`";
}

} // namespace

std::string
UsageComplaint(const CLI::App& app, const CLI::ParseError& error)
{
    const auto named = LastNamed(app);
    const auto left = app.remaining(true);
    const auto first = left.empty() ? std::string() : left.front();
    const auto more = "; `" + named.words + " --help` says more";
    if (first.size() > 1 && first.front() == '-')
    {
        return UnknownName(first.substr(0, first.find('=')), OptionNames(*named.app));
    }
    const auto commands = CommandNames(*named.app);
    if (commands.empty())
    {
        return first.empty() ? error.what() + more
                             : "'" + first + "' is one argument too many" +
                                   MeantFor(*named.app, first) + more;
    }
    return first.empty() ? "a command must follow `" + named.words + "`" + more
                         : UnknownName(first, commands);
}

} // namespace inca
