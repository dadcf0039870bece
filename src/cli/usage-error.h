/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_USAGE_ERROR_H
#define INCA_CLI_USAGE_ERROR_H

#include <string>

namespace CLI
{
class App;
class ParseError;
} // namespace CLI

namespace inca
{

/**
 * What is wrong with a command line, for people.
 * @param app what has parsed it and thrown @p error
 * @return "unknown 'rnu'; did you mean 'run'?"
 */
std::string UsageComplaint(const CLI::App& app, const CLI::ParseError& error);

} // namespace inca

#endif // INCA_CLI_USAGE_ERROR_H
