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

/** Adds `inca trace measure`: statistics of gradients in files, and traces that have them. */
void AddTraceMeasure(CLI::App& trace);

} // namespace inca

#endif // INCA_CLI_TRACE_COMMANDS_H
