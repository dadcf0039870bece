/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_COMMANDS_H
#define INCA_CLI_COMMANDS_H

#include "inca/base/errors.h"

#include <string>
#include <vector>

namespace CLI
{
class App;
} // namespace CLI

namespace inca
{

/**
 * One function and one file per subcommand. Each adds itself, its options and a callback that does
 * the work; the callback throws the errors of base/errors.h, or sets @p exitCode where the work was
 * done but a check failed. Only main turns either into the program's exit code.
 * @{
 */
void AddAccuracyCommand(CLI::App& app, ExitCode& exitCode);
void AddCalibrateCommand(CLI::App& app, ExitCode& exitCode);
void AddCodecCommand(CLI::App& app, ExitCode& exitCode);
void AddCompleteCommand(CLI::App& app, ExitCode& exitCode);
void AddCrossoverCommand(CLI::App& app, ExitCode& exitCode);
void AddDecideCommand(CLI::App& app, ExitCode& exitCode);
void AddExplainCommand(CLI::App& app, ExitCode& exitCode);
void AddExportCommand(CLI::App& app, ExitCode& exitCode);
void AddListCommand(CLI::App& app, ExitCode& exitCode);
void AddMergeCommand(CLI::App& app, ExitCode& exitCode);
void AddPlotCommand(CLI::App& app, ExitCode& exitCode);
void AddReportCommand(CLI::App& app, ExitCode& exitCode);
void AddRunCommand(CLI::App& app, ExitCode& exitCode);
void AddSweepCommand(CLI::App& app, ExitCode& exitCode);
void AddTraceCommand(CLI::App& app, ExitCode& exitCode);
void AddValidateCommand(CLI::App& app, ExitCode& exitCode);
/** @} */

/** The larger subcommands of `inca trace`. @{ */
void AddTraceImport(CLI::App& trace);
/** Statistics of gradients in files, and traces that have them. */
void AddTraceMeasure(CLI::App& trace);
/** @} */

} // namespace inca

#endif // INCA_CLI_COMMANDS_H
