/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/commands.h"
#include "cli/options.h"
#include "codec/codec-catalog.h"
#include "record/result-row.h"
#include "report/plot.h"
#include "scenario/keys.h"
#include "trace/trace-catalog.h"
#include "validation/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace inca
{

namespace
{

using Words = std::vector<std::string>;

/** The names of @p rows behind those of @p names. @param name a member of a row, or a function of one */
template <class Rows, class Name>
Words
NamesOf(const Rows& rows, Name name, Words names = {})
{
    std::transform(rows.begin(), rows.end(), std::back_inserter(names), std::mem_fn(name));
    return names;
}

Words
Keys()
{
    return NamesOf(ScenarioKeys(), &Key::name);
}

/** The columns of a result row. */
Words
Columns(Words before = {})
{
    const auto head = NamesOf(HeadCells({}), &RowCell::column, std::move(before));
    const auto settings = NamesOf(SettingColumnMeanings(), &ColumnMeaning::name, head);
    return NamesOf(ResultColumns(), &ResultColumn::name, settings);
}

/** The shipped traces; none where they are not there. */
Words
Traces()
{
    try
    {
        return ShippedTraceNames(TracesDirectory());
    }
    catch (const std::exception&)
    {
        return {};
    }
}

Words
Models()
{
    Words names;
    for (const auto& entry : ValidationCatalog())
    {
        const auto models = entry.models;
        names.insert(names.end(), models.begin(), models.end());
    }
    return names;
}

/** The values of a key that takes only some names, which it lists as "layer, bucket or end". */
Words
ValuesOf(const std::string& name)
{
    static const std::regex list(R"([^ ".,]+(, [^ ".,]+)*(,| or) [^ ".,]+)");
    static const std::regex between(", | or ");
    const auto* key = FindKey(name);
    if (key == nullptr || name == "training.trace")
    {
        return key == nullptr ? Words{} : Traces();
    }
    const auto& values = key->values;
    return std::regex_match(values, list)
               ? Words(std::sregex_token_iterator(values.begin(), values.end(), between, -1), {})
               : Words{};
}

Words
Around(const std::string& before, const Words& words, const std::string& after = "")
{
    Words all;
    for (const auto& word : words)
    {
        all.push_back(before + word + after);
    }
    return all;
}

/** Keys, and behind a key its values: "cluster.topology=star,leaf-spine", or "label:key=value,key=value". */
Words
Settings(const std::string& word, bool isOfSystem)
{
    const auto begin = isOfSystem ? word.find_last_of(":,") + 1 : 0;
    if (isOfSystem && begin == 0)
    {
        return {};
    }
    const auto equals = word.find('=', begin);
    if (equals == std::string::npos)
    {
        return Around(word.substr(0, begin), Keys(), "=");
    }
    const auto behind = word.find_last_of("=,") + 1;
    return Around(word.substr(0, behind), ValuesOf(word.substr(begin, equals - begin)));
}

/** What may stand for a value, by what help calls it. @return nothing of what are files */
std::optional<Words>
ValuesOfType(const std::string& type, const std::string& word)
{
    if (type.find("KEY=") != std::string::npos)
    {
        return Settings(word, type.find(':') != std::string::npos);
    }
    static const std::map<std::string, std::function<Words()>> names{
        {"CODEC", CodecNames},
        {"COLUMN", [] { return Columns(); }},
        {"COLUMN,...", [] { return Columns(); }},
        {"KEY", [] { return Columns(Keys()); }},
        {"KEY,...", [] { return Columns(Keys()); }},
        {"KIND", PlotKindNames},
        {"MODEL", Models},
        {"TABLE", FileTables},
        {"TRACE", Traces},
        {"VALIDATION", [] { return NamesOf(ValidationCatalog(), &Validation::name); }}};
    const auto found = names.find(type);
    return found == names.end()
               ? std::nullopt
               : std::optional(Around(word.substr(0, word.rfind(',') + 1), found->second()));
}

/** @return the type of the value that follows @p word of @p command; empty: none does */
std::string
TypeAfter(const CLI::App& command, const std::string& word)
{
    const auto* option = command.get_option_no_throw(word);
    return option != nullptr && option->get_items_expected_max() > 0 ? option->get_type_name() : "";
}

/** @return what may stand behind @p before, of which @p last is the beginning; nothing: a file */
std::optional<Words>
Next(const CLI::App& program, const Words& before, const std::string& last)
{
    const auto* command = &program;
    std::string type; // of the option's value that comes next
    for (const auto& word : before)
    {
        const auto below = CommandsOf(*command);
        const auto found = std::find_if(below.begin(), below.end(), [&word](const auto* each) {
            return each->get_name() == word;
        });
        command = type.empty() && found != below.end() ? *found : command;
        type = type.empty() ? TypeAfter(*command, word) : "";
    }
    if (!type.empty())
    {
        return ValuesOfType(type, last);
    }
    if (last.rfind('-', 0) == 0)
    {
        return OptionsOf(*command);
    }
    if (!before.empty() && IsOption(before.back()) &&
        command->get_option_no_throw(before.back()) == nullptr)
    {
        return Words{}; // nothing is known to follow it
    }
    const auto commands = NamesOf(CommandsOf(*command), &CLI::App::get_name);
    const auto places =
        command->get_options([](const auto* each) { return each->get_positional(); });
    return !commands.empty() || places.empty()
               ? commands
               : ValuesOfType(places.front()->get_type_name(), last);
}

/** Says what the last of @p words may be: a line each, behind "words"; or "files". */
void
Complete(const CLI::App& program, Words words)
{
    auto last = words.empty() ? std::string() : words.back();
    words.resize(std::max<std::size_t>(words.size(), 1) - 1);
    std::string option; // before its value: "--csv="
    if (const auto equals = last.find('='); IsOption(last) && equals != std::string::npos)
    {
        words.push_back(last.substr(0, equals));
        option = last.substr(0, equals + 1);
        last.erase(0, equals + 1);
    }
    const auto next = Next(program, words, last);
    fmt::print("{}\n", next ? "words" : "files");
    for (const auto& word : next.value_or(Words{}))
    {
        fmt::print("{}", word.rfind(last, 0) == 0 ? option + word + "\n" : "");
    }
}

} // namespace

void
AddCompleteCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto* command = app.add_subcommand("complete")->group("");
    command->set_help_flag();
    command->prefix_command(); // what comes after it is not read
    command->callback([command, &app] { Complete(app, command->remaining()); });
}

} // namespace inca
