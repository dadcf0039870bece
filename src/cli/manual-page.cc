/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/manual-page.h"

#include "cli/command-tree.h"

#include "inca-version.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace inca
{

namespace
{

constexpr const char* g_afterAll = R"(.SH EXIT STATUS
.TP
0
done
.TP
1
a check or a validation failed, or a point of a sweep
.TP
2
the input was refused
.TP
3
INCA broke one of its own invariants: a bug
.TP
4
the run could not finish: no progress, a full disk, no memory, no gnuplot
.TP
130, 143
interrupted, terminated
)";

constexpr const char* g_environment = R"(.SH ENVIRONMENT
.TP
.B INCA_TRACES
the folder of the traces that are known by name
.TP
.B NO_COLOR
if it is set and not empty, tables have no colors
)";

/** Text as roff takes it: nothing in it is a request or an escape. */
std::string
Roff(std::string_view text)
{
    std::string roff = !text.empty() && (text.front() == '.' || text.front() == '\'') ? "\\&" : "";
    for (const char c : text)
    {
        roff += c == '\\' ? "\\e" : c == '-' ? "\\-" : c == '\n' ? " " : std::string(1, c);
    }
    return roff;
}

/** "inca run" */
std::string
CommandLine(const CLI::App& command)
{
    const auto words = WordsOf(command);
    return "inca" + (words.empty() ? "" : " " + words);
}

/** "inca-run": what man calls it. */
std::string
PageTitle(const CLI::App& command)
{
    auto title = CommandLine(command);
    std::replace(title.begin(), title.end(), ' ', '-');
    return title;
}

std::string
Header(const CLI::App& command)
{
    auto title = PageTitle(command);
    std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) {
        return static_cast<char>(std::toupper(c));
    });
    return fmt::format(".TH {} 1 {} \"INCA {}\" \"INCA\"\n.SH NAME\n{} \\- {}\n",
                       title,
                       INCA_DATE,
                       INCA_VERSION,
                       Roff(PageTitle(command)),
                       Roff(command.get_description()));
}

std::string
ArgumentName(const CLI::Option& argument)
{
    auto name = Roff(argument.get_name(true));
    return argument.get_required() ? name : "[" + name + "]";
}

std::string
Synopsis(const CLI::App& command)
{
    auto text = fmt::format(".SH SYNOPSIS\n.B {}\n[\\fIoptions\\fR]", Roff(CommandLine(command)));
    for (const auto* argument : ArgumentsOf(command))
    {
        text += fmt::format(" \\fI{}\\fR", ArgumentName(*argument));
    }
    return text + (CommandsOf(command).empty() ? "" : " \\fIcommand\\fR ...") + "\n";
}

std::string
Item(const std::string& term, const std::string& meaning)
{
    return ".TP\n" + term + "\n" + Roff(meaning) + "\n";
}

/** "-o, --out FILE", with bold names. */
std::string
OptionTerm(const CLI::Option& option)
{
    std::string term;
    for (const auto& name : NamesOf(option))
    {
        term += (term.empty() ? "" : ", ") + fmt::format("\\fB{}\\fR", Roff(name));
    }
    const auto value = ValueNameOf(option);
    return term + (value.empty() ? "" : fmt::format(" \\fI{}\\fR", Roff(value)));
}

std::string
OptionMeaning(const CLI::Option& option)
{
    const auto standard = option.get_default_str();
    return option.get_description() + (option.get_required() ? " (required)" : "") +
           (standard.empty() ? "" : "; default: " + standard);
}

std::string
Options(const CLI::App& command)
{
    std::string text;
    for (const auto* argument : ArgumentsOf(command))
    {
        text += Item(fmt::format("\\fI{}\\fR", Roff(argument->get_name(true))),
                     argument->get_description());
    }
    for (const auto* option : OptionsOf(command))
    {
        text += Item(OptionTerm(*option), OptionMeaning(*option));
    }
    return ".SH OPTIONS\n" + text;
}

std::string
Commands(const CLI::App& command)
{
    std::string text;
    for (const auto* below : CommandsOf(command))
    {
        text += Item(fmt::format(".BR {} (1)", Roff(PageTitle(*below))), below->get_description());
    }
    return text.empty() ? "" : ".SH COMMANDS\n" + text;
}

std::string
SeeAlso(const CLI::App& command)
{
    const auto* above = command.get_parent();
    return above == nullptr
               ? ".SH SEE ALSO\nThe user guide and the formats are beside the sources, in docs/.\n"
               : fmt::format(".SH SEE ALSO\n.BR {} (1)\n", Roff(PageTitle(*above)));
}

} // namespace

std::string
ManualPageName(const CLI::App& command)
{
    return PageTitle(command) + ".1";
}

std::string
ManualPage(const CLI::App& command)
{
    const bool isProgram = command.get_parent() == nullptr;
    return Header(command) + Synopsis(command) + Options(command) + Commands(command) +
           (isProgram ? g_environment : "") + g_afterAll + SeeAlso(command);
}

} // namespace inca
