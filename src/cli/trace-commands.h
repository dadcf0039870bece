/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_TRACE_COMMANDS_H
#define INCA_CLI_TRACE_COMMANDS_H

namespace CLI
{
class App;
} // namespace CLI

namespace inca
{

/** Subcommands of `inca trace`; each adds itself. @{ */
void AddTraceImport(CLI::App& trace);
/** Statistics of gradients in files, and traces that have them. */
void AddTraceMeasure(CLI::App& trace);
void AddTraceScale(CLI::App& trace);
/** @} */

} // namespace inca

#endif // INCA_CLI_TRACE_COMMANDS_H
