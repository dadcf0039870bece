/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_COMMAND_LINE_H
#define INCA_CLI_COMMAND_LINE_H

#include <string>
#include <vector>

namespace inca
{

/** @return @p word as a shell reads it back: in quotes where it must be */
std::string ShellWord(const std::string& word);

/** @return the words with blanks between, each as a ShellWord */
std::string ShellLine(const std::vector<std::string>& words);

/** The words that this process was started with. */
std::vector<std::string> OwnCommand();

} // namespace inca

#endif // INCA_CLI_COMMAND_LINE_H
