/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/completion.h"

#include "cli/command-tree.h"
#include "codec/codec-catalog.h"
#include "record/result-row.h"
#include "report/plot-choice.h"
#include "scenario/keys.h"
#include "sweep/point-result.h"
#include "trace/trace-catalog.h"
#include "validation/validation.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>

namespace inca
{

namespace
{

using Words = std::vector<std::string>;

bool
BeginsWith(const std::string& word, const std::string& begin)
{
    return word.compare(0, begin.size(), begin) == 0;
}

Words
KeyNames()
{
    Words names;
    for (const auto& key : ScenarioKeys())
    {
        names.push_back(key.name);
    }
    return names;
}

/** The columns of a result row. */
Words
Columns()
{
    Words names;
    for (const auto& cell : HeadCells({}))
    {
        names.push_back(cell.column);
    }
    for (const auto& column : SettingColumnMeanings())
    {
        names.push_back(column.name);
    }
    for (const auto& column : ResultColumns())
    {
        names.push_back(column.name);
    }
    return names;
}

Words
KeysAndColumns()
{
    auto names = KeyNames();
    const auto columns = Columns();
    names.insert(names.end(), columns.begin(), columns.end());
    return names;
}

/** The shipped traces; none where they are not there. */
Words
TraceNames()
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
ValidationNames()
{
    Words names;
    for (const auto& entry : ValidationCatalog())
    {
        names.emplace_back(entry.name);
    }
    return names;
}

Words
ModelNames()
{
    Words names;
    for (const auto& entry : ValidationCatalog())
    {
        const auto models = entry.models;
        names.insert(names.end(), models.begin(), models.end());
    }
    return names;
}

Words
Tables()
{
    auto names = TableNames();
    names.insert(names.end(), {"attributes", "sweep"});
    return names;
}

/** The names that "layer, bucket or end" is a list of; none of any other text. */
Words
NamesIn(std::string values)
{
    const std::string last = " or ";
    if (const auto at = values.find(last); at != std::string::npos)
    {
        values.replace(at, last.size(), ", ");
    }
    Words names;
    for (std::size_t begin = 0; begin <= values.size();)
    {
        const auto end = std::min(values.find(", ", begin), values.size());
        names.push_back(values.substr(begin, end - begin));
        begin = end + 2;
    }
    const bool areNames =
        names.size() > 1 && std::all_of(names.begin(), names.end(), [](auto& name) {
            return !name.empty() && name.find_first_of(" \".") == std::string::npos;
        });
    return areNames ? names : Words{};
}

Words
ValuesOf(const std::string& key)
{
    const auto* found = FindKey(key);
    return found == nullptr          ? Words{}
           : key == "training.trace" ? TraceNames()
                                     : NamesIn(found->values);
}

Words
WithPrefix(const std::string& prefix, const Words& words, const std::string& after = "")
{
    Words all;
    for (const auto& word : words)
    {
        all.push_back(prefix + word + after);
    }
    return all;
}

/** "cluster.topology=star,leaf-spine": a key, then values of it between commas. */
Words
Setting(const std::string& word)
{
    const auto equals = word.find('=');
    if (equals == std::string::npos)
    {
        return WithPrefix("", KeyNames(), "=");
    }
    const auto comma = word.rfind(',');
    const auto begin = comma == std::string::npos ? equals : std::max(equals, comma);
    return WithPrefix(word.substr(0, begin + 1), ValuesOf(word.substr(0, equals)));
}

/** "label:key=value,key=value": settings after a label. */
Words
System(const std::string& word)
{
    const auto begin = word.find_last_of(":,");
    return begin == std::string::npos
               ? Words{}
               : WithPrefix(word.substr(0, begin + 1), Setting(word.substr(begin + 1)));
}

/** Names between commas. */
Words
Listed(const std::string& word, const Words& names)
{
    const auto comma = word.rfind(',');
    return WithPrefix(comma == std::string::npos ? "" : word.substr(0, comma + 1), names);
}

using Source = std::function<Words(const std::string& word)>;

Source
Of(Words (*names)())
{
    return [names](const std::string&) { return names(); };
}

Source
ListOf(Words (*names)())
{
    return [names](const std::string& word) { return Listed(word, names()); };
}

/** What may stand for a value, by what help calls it. Others are files. */
const Source*
SourceOfType(const std::string& type)
{
    static const std::map<std::string, Source> sources{{"KEY=VALUE", Setting},
                                                       {"KEY=VALUES", Setting},
                                                       {"KEY=LOW..HIGH", Setting},
                                                       {"LABEL:KEY=VALUE,...", System},
                                                       {"KEY", Of(KeysAndColumns)},
                                                       {"KEY,...", ListOf(KeysAndColumns)},
                                                       {"COLUMN", Of(Columns)},
                                                       {"NAME,NAME", ListOf(Columns)},
                                                       {"WHEN", [](const std::string&) {
                                                            return Words{"auto", "always", "never"};
                                                        }}};
    const auto found = sources.find(type);
    return found == sources.end() ? nullptr : &found->second;
}

/** The same by command and option or argument. */
const Source*
SourceOfName(const std::string& name)
{
    static const std::map<std::string, Source> sources{
        {"plot --kind", [](const std::string&) { return PlotKindNames(); }},
        {"validate name", Of(ValidationNames)},
        {"validate --model", Of(ModelNames)},
        {"list table", Of(Tables)},
        {"trace show NAME", Of(TraceNames)},
        {"codec encode --codec", Of(CodecNames)},
        {"codec decode --codec", Of(CodecNames)},
        {"codec measure --codec", Of(CodecNames)}};
    const auto found = sources.find(name);
    return found == sources.end() ? nullptr : &found->second;
}

/** Goes through the words that are there already. */
class Place
{
  public:
    explicit Place(const CLI::App& program)
        : m_command(&program)
    {
    }

    void Pass(const std::string& word)
    {
        if (m_option != nullptr)
        {
            m_option = nullptr;
            return;
        }
        if (word.size() > 1 && word.front() == '-')
        {
            m_option = word.find('=') == std::string::npos ? OptionNamed(word) : nullptr;
            return;
        }
        const auto commands = CommandsOf(*m_command);
        const auto found = std::find_if(commands.begin(), commands.end(), [&word](const auto* c) {
            return c->get_name() == word;
        });
        if (found != commands.end())
        {
            m_command = *found;
            m_arguments = 0;
            return;
        }
        ++m_arguments;
    }

    Completion Last(const std::string& word) const
    {
        const auto equals = word.find('=');
        if (m_option != nullptr)
        {
            return ValuesOf(*m_option, NamesOf(*m_option).back(), word);
        }
        if (BeginsWith(word, "--") && equals != std::string::npos)
        {
            const auto* option = OptionNamed(word.substr(0, equals));
            auto values = option == nullptr
                              ? Completion{}
                              : ValuesOf(*option, NamesOf(*option).back(), word.substr(equals + 1));
            return {WithPrefix(word.substr(0, equals + 1), values.words), values.files};
        }
        return BeginsWith(word, "-") ? Completion{OptionNames(), false} : Argument(word);
    }

  private:
    /** @return the option if it takes a value */
    const CLI::Option* OptionNamed(const std::string& name) const
    {
        for (const auto* option : OptionsOf(*m_command))
        {
            const auto names = NamesOf(*option);
            if (std::find(names.begin(), names.end(), name) != names.end())
            {
                return option->get_items_expected_max() > 0 ? option : nullptr;
            }
        }
        return nullptr;
    }

    Words OptionNames() const
    {
        Words all;
        for (const auto* option : OptionsOf(*m_command))
        {
            all.push_back(NamesOf(*option).back());
        }
        return all;
    }

    Completion Argument(const std::string& word) const
    {
        const auto commands = CommandsOf(*m_command);
        const auto arguments = ArgumentsOf(*m_command);
        if (!commands.empty())
        {
            Words names;
            std::transform(commands.begin(),
                           commands.end(),
                           std::back_inserter(names),
                           [](const auto* command) { return command->get_name(); });
            return {names, false};
        }
        if (arguments.empty())
        {
            return {};
        }
        const auto& argument = *arguments[std::min(m_arguments, arguments.size() - 1)];
        return ValuesOf(argument, argument.get_name(true), word);
    }

    Completion ValuesOf(const CLI::Option& option,
                        const std::string& name,
                        const std::string& word) const
    {
        const auto* source = SourceOfName(WordsOf(*m_command) + " " + name);
        source = source == nullptr ? SourceOfType(ValueNameOf(option)) : source;
        return source == nullptr ? Completion{{}, true} : Completion{(*source)(word), false};
    }

    const CLI::App* m_command;
    const CLI::Option* m_option{nullptr}; ///< whose value comes next
    std::size_t m_arguments{0};           ///< by position, of m_command
};

} // namespace

Completion
Complete(const CLI::App& program, const Words& words)
{
    Place place(program);
    const auto last = words.empty() ? std::string() : words.back();
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
    {
        place.Pass(words[i]);
    }
    auto completion = place.Last(last);
    auto& all = completion.words;
    all.erase(std::remove_if(all.begin(),
                             all.end(),
                             [&last](const auto& word) { return !BeginsWith(word, last); }),
              all.end());
    return completion;
}

} // namespace inca
