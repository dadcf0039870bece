/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/command-tree.h"

#include <CLI/CLI.hpp>

#include <regex>

namespace inca
{

std::vector<const CLI::App*>
CommandsOf(const CLI::App& app)
{
    return app.get_subcommands(
        [](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<const CLI::Option*>
OptionsOf(const CLI::App& app)
{
    return app.get_options([](const CLI::Option* option) {
        return !option->get_positional() && !option->get_group().empty();
    });
}

std::vector<const CLI::Option*>
ArgumentsOf(const CLI::App& app)
{
    return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<std::string>
NamesOf(const CLI::Option& option)
{
    std::vector<std::string> names;
    for (const auto& name : option.get_snames())
    {
        names.push_back("-" + name);
    }
    for (const auto& name : option.get_lnames())
    {
        names.push_back("--" + name);
    }
    return names;
}

std::string
ValueNameOf(const CLI::Option& option)
{
    if (option.get_items_expected_max() == 0)
    {
        return "";
    }
    static const std::regex check(":[A-Z]+ .*"); // "N:UINT in [1 - 100]"
    return std::regex_replace(option.get_type_name(), check, "");
}

std::string
WordsOf(const CLI::App& app)
{
    const auto* parent = app.get_parent();
    if (parent == nullptr)
    {
        return "";
    }
    const auto before = WordsOf(*parent);
    return before + (before.empty() ? "" : " ") + app.get_name();
}

} // namespace inca
