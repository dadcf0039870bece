/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "inca-main.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/units.h"
#include "cli/commands.h"
#include "cli/ns3-variables.h"
#include "cli/usage-error.h"

#include "inca-version.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

namespace inca
{

namespace
{

void
Complain(const std::string& text)
{
    std::fflush(stdout);
    std::fprintf(stderr, "inca: %s\n", text.c_str());
}

void
AddCommands(CLI::App& app, ExitCode& exitCode)
{
    app.set_version_flag("--version", "inca " INCA_VERSION " (ns-" INCA_NS3_VERSION ")");
    app.require_subcommand(1);
    AddRunCommand(app, exitCode);
    AddSweepCommand(app, exitCode);
    AddValidateCommand(app, exitCode);
    AddTraceCommand(app, exitCode);
    AddCodecCommand(app, exitCode);
    AddListCommand(app, exitCode);
}

/** What stands on a full stdout is lost silently unless it is asked for. */
ExitCode
FlushResults(ExitCode exitCode)
{
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    {
        Complain("stdout: cannot be written; is the disk full, or the reader gone?");
        return ExitCode::NOT_FINISHED;
    }
    return exitCode;
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
        if (error.get_exit_code() == 0) // --help and --version come this way, too
        {
            app.exit(error);
            return FlushResults(ExitCode::DONE);
        }
        Complain(UsageComplaint(app, error));
        return ExitCode::INPUT_REFUSED;
    }
    return FlushResults(exitCode);
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
Run(int argc, char** argv)
{
    std::set_terminate(EndByNs3);
    CatchInterrupts();
    const auto hidden = HiddenNs3Variables();
    if (!hidden.empty())
    {
        Complain("warning: " + hidden);
    }
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
    catch (const Interrupted&)
    {
        Complain("interrupted");
        return ExitCode::INTERRUPTED;
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
        Complain(std::string("a bug of INCA, please report it: ") + error.what());
        return ExitCode::BROKEN_INVARIANT;
    }
}

} // namespace

int
Main(int argc, char** argv)
{
    return static_cast<int>(Run(argc, argv));
}

} // namespace inca
