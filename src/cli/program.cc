/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "inca-main.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/nearest.h"
#include "base/units.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/standard-streams.h"

#include "inca-version.h"

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>

namespace inca
{

namespace
{

/** Variables that ns-3's libraries read, before main for the most part. */
constexpr std::array g_names{"NS_ATTRIBUTE_DEFAULT=",
                             "NS_GLOBAL_VALUE=",
#ifndef NS3_LOG_ENABLE // a build that can log does so, as every program of ns-3's; no result changes
                             "NS_LOG=",
#endif
                             "NS_COMMANDLINE_INTROSPECTION="};

/** Which of them were set. Written once, before any other code runs. */
std::array<bool, g_names.size()> g_hidden{};

bool
Hide(const char* entry)
{
    for (std::size_t i = 0; i < g_names.size(); ++i)
    {
        if (std::strncmp(entry, g_names[i], std::strlen(g_names[i])) == 0)
        {
            g_hidden[i] = true;
            return true;
        }
    }
    return false;
}

/** @return what to say of the variables that HideNs3Variables has hidden, or empty if none was set */
std::string
HiddenNs3Variables()
{
    std::string names;
    for (std::size_t i = 0; i < g_names.size(); ++i)
    {
        const std::string name(g_names[i], std::strlen(g_names[i]) - 1);
        names += g_hidden[i] ? (names.empty() ? "" : ", ") + name : "";
    }
    return names.empty()
               ? ""
               : names + ": ignored; a scenario's table [attributes] sets attributes of ns-3";
}

void
AddCommands(CLI::App& app, ExitCode& exitCode)
{
    app.set_version_flag("--version", "inca " INCA_VERSION " (ns-" INCA_NS3_VERSION ")");
    app.require_subcommand(1);
    AddRunCommand(app, exitCode);
    AddExplainCommand(app, exitCode);
    AddSweepCommand(app, exitCode);
    AddMergeCommand(app, exitCode);
    AddCrossoverCommand(app, exitCode);
    AddDecideCommand(app, exitCode);
    AddAccuracyCommand(app, exitCode);
    AddCalibrateCommand(app, exitCode);
    AddPlotCommand(app, exitCode);
    AddReportCommand(app, exitCode);
    AddExportCommand(app, exitCode);
    AddValidateCommand(app, exitCode);
    AddTraceCommand(app, exitCode);
    AddCodecCommand(app, exitCode);
    AddListCommand(app, exitCode);
    AddCompleteCommand(app, exitCode);
}

struct RemovedOption
{
    const char* words;
    const char* instead;
};

/** Options that there were, and what does the same. */
constexpr RemovedOption g_removed[] = {
    {"inca run --check", "inca sweep SCENARIO --vary simulation.mode=auto,packet runs both"},
    {"inca sweep --varying", "the table shows what varies, and --columns picks columns"},
    {"inca merge --varying", "--columns picks columns"},
    {"inca sweep --where",
     "--zip moves keys together, and sweeps of several grids may share an --out"},
    {"inca sweep --reuse", "name the other sweep's --out: what is there is used again"},
    {"inca crossover --metric",
     "iteration times are compared; inca plot --y --crossover marks others"},
    {"inca crossover --tolerance", "crossings are found to 1 %"},
    {"inca decide --crossover", "inca crossover finds from where on one system is better"},
    {"inca run --timeline-window",
     "the timeline shows all iterations; training.iterations sets how many"},
    {"inca plot --where", "name a CSV file that has only the rows to be drawn"},
    {"inca run --color", "tables have no colours"},
    {"inca sweep --color", "tables have no colours"},
    {"inca validate --color", "tables have no colours"},
    {"inca validate --out", "inca validate --csv FILE writes the comparisons"},
    {"inca validate --jobs", "runs follow each other; --seeds says how many there are"},
    {"inca codec measure --table", "inca validate homomorphic --model peeling prints what it did"},
    {"inca codec measure --csv", "the same is printed"},
    {"inca trace import --iterations", "record one iteration, or mark each with profile.step()"},
    {"inca trace import --times", "times are those that passed"},
    {"inca trace measure --csv", "-o writes the statistics, as a trace, which is a CSV file"},
    {"inca trace measure --layers", "every layer is printed"},
    {"inca trace measure --top-k", "a run sparsifies: sparsify.method"},
};

/** What a parser complains about, with the meaning of what is missing. */
std::string
ParserComplaint(const CLI::App& command, const CLI::ParseError& error)
{
    const std::string text =
        error.what(); // "scenario is required", "--out: 1 required DIR missing"
    const auto* option = command.get_option_no_throw(text.substr(0, text.find_first_of(": ")));
    const bool isMissing = option != nullptr && (error.get_name() == "RequiredError" ||
                                                 error.get_name() == "ArgumentMismatch");
    return isMissing ? option->get_name() + " needs a value: " + option->get_description() : text;
}

/** What is wrong with a command line: "unknown 'rnu'; did you mean 'run'?" */
std::string
UsageComplaint(const CLI::App& app, const CLI::ParseError& error)
{
    const CLI::App* command = &app; // the last that was named
    auto words = app.get_name();
    for (auto below = app.get_subcommands(); !below.empty(); below = command->get_subcommands())
    {
        command = below.front();
        words += " " + command->get_name();
    }
    const auto left = app.remaining(true);
    const auto first = left.empty() ? std::string() : left.front();
    const auto more = "; `" + words + " --help` says more";
    if (IsOption(first))
    {
        const auto option = first.substr(0, first.find('='));
        for (const auto& removed : g_removed)
        {
            if (words + " " + option == removed.words)
            {
                return option + " is gone: " + removed.instead;
            }
        }
        return UnknownName(option, OptionsOf(*command));
    }
    std::vector<std::string> commands;
    for (const auto* below : CommandsOf(*command))
    {
        commands.push_back(below->get_name());
    }
    if (!commands.empty())
    {
        return first.empty() ? "a command must follow `" + words + "`" + more
                             : UnknownName(first, commands);
    }
    const std::string option = first.find(',') != std::string::npos ? "--vary" : "--set";
    const bool isKey =
        first.find('=') != std::string::npos && command->get_option_no_throw(option) != nullptr;
    return first.empty()
               ? ParserComplaint(*command, error) + more
               : "'" + first + "' is one argument too many" +
                     (isKey ? ": keys follow " + option + ", as in `" + option + " " + first + "`"
                            : "") +
                     more;
}

ExitCode
Parse(CLI::App& app, int argc, char** argv, const ExitCode& exitCode)
{
    try
    {
        app.parse(argc, argv);
    }
    catch (const CLI::ParseError& error)
    {
        if (error.get_exit_code() != 0) // --help and --version come this way, too
        {
            Complain(UsageComplaint(app, error));
            return ExitCode::INPUT_REFUSED;
        }
        app.exit(error);
    }
    FlushOutput();
    return exitCode;
}

ExitCode
CodeOf(const Interrupted& interrupted)
{
    return interrupted.Signal() == SIGTERM ? ExitCode::TERMINATED : ExitCode::INTERRUPTED;
}

/** Printing to a stdout that does not take it ends in any exception. */
ExitCode
EndOf(const std::exception& error)
{
    if (InterruptSignal() != 0)
    {
        Complain("interrupted");
        return CodeOf(Interrupted(InterruptSignal()));
    }
    if (HasLostOutput())
    {
        EndWithReader();
        Complain(LOST_OUTPUT);
        return ExitCode::NOT_FINISHED;
    }
    Complain(BugText(error.what()));
    return ExitCode::BROKEN_INVARIANT;
}

/** What ns-3 calls when it gives up, having said why. */
[[noreturn]] void
EndByNs3()
{
    Complain("a bug of INCA, please report it: ns-3 has ended the run, for the reason above; an "
             "entry of "
             "[attributes] may have caused it");
    std::_Exit(static_cast<int>(ExitCode::BROKEN_INVARIANT));
}

ExitCode
RunProgram(int argc, char** argv)
{
    std::set_terminate(EndByNs3);
    PrepareStreams();
    CatchInterrupts();
    Warn(HiddenNs3Variables());
    CLI::App app("INCA predicts how long distributed training takes when the network compresses "
                 "and adds gradients.",
                 "inca");
    auto exitCode = ExitCode::DONE;
    try
    {
        AddCommands(app, exitCode);
        return Parse(app, argc, argv, exitCode);
    }
    catch (const InputError& error)
    {
        for (const auto& complaint : error.Complaints())
        {
            Complain(complaint);
        }
        return ExitCode::INPUT_REFUSED;
    }
    catch (const UnitError& error)
    {
        Complain(error.what());
        return ExitCode::INPUT_REFUSED;
    }
    catch (const Interrupted& interrupted)
    {
        Complain("interrupted");
        return CodeOf(interrupted);
    }
    catch (const RunError& error)
    {
        Complain(error.what());
        return ExitCode::NOT_FINISHED;
    }
    catch (const std::bad_alloc&)
    {
        Complain(
            "out of memory; fewer workers, smaller tensors or training.values = false need less");
        return ExitCode::NOT_FINISHED;
    }
    catch (const std::exception& error)
    {
        return EndOf(error);
    }
}

} // namespace

void
HideNs3Variables(int /*argc*/, char** /*argv*/, char** environment)
{
    auto** kept = environment;
    for (auto** entry = environment; *entry != nullptr; ++entry)
    {
        if (!Hide(*entry))
        {
            *kept++ = *entry;
        }
    }
    *kept = nullptr;
}

int
Main(int argc, char** argv)
{
    return static_cast<int>(RunProgram(argc, argv));
}

} // namespace inca
