/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/options.h"

#include "base/value-form.h"

#include <sstream>

namespace inca
{

namespace
{

/** @return 0.8 for "80%" or "0.8". @throws UnitError */
double
ParseAccuracy(const std::string& text)
{
    constexpr double percent = 100;
    const bool isPercent = !text.empty() && text.back() == '%';
    const auto form = DecimalForm({0, isPercent ? percent : 1});
    return isPercent ? form.parse(text.substr(0, text.size() - 1)) / percent : form.parse(text);
}

} // namespace

std::vector<double>
ParseTargets(const std::string& text)
{
    std::vector<double> targets;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');)
    {
        targets.push_back(ParseAccuracy(word));
    }
    if (targets.empty())
    {
        throw UnitError("needs accuracies, such as 80%,82%");
    }
    return targets;
}

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
