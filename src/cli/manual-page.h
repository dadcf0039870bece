/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_MANUAL_PAGE_H
#define INCA_CLI_MANUAL_PAGE_H

#include <string>

namespace CLI
{
class App;
} // namespace CLI

namespace inca
{

/** "inca-codec-encode.1", of the program itself "inca.1". */
std::string ManualPageName(const CLI::App& command);

/** What --help says of @p command, as a page of section 1 for man(1). */
std::string ManualPage(const CLI::App& command);

} // namespace inca

#endif // INCA_CLI_MANUAL_PAGE_H
