/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_STANDARD_STREAMS_H
#define INCA_CLI_STANDARD_STREAMS_H

#include <cstddef>
#include <string>
#include <vector>

namespace inca
{

/** What is said of a stdout that does not take what is printed. */
extern const char* const LOST_OUTPUT;

/**
 * Makes what goes wrong with files and pipes an error to be told, not a signal to die of or a row in the
 * wrong file: SIGPIPE and SIGXFSZ are ignored, a standard stream that is closed is kept from becoming
 * another file, and as many files may be open as the system allows.
 */
void PrepareStreams();

/** @return whether something that was printed is lost */
bool HasLostOutput();

/** Where stdout is a pipe whose reader has left, as of `inca list | head -1`, ends the process by SIGPIPE; else returns. */
void EndWithReader();

/** Brings what was printed to where it goes; EndWithReader. @throws RunError if it is lost; Interrupted */
void FlushOutput();

/** @return the columns of the terminal that stdout is; 0: it is none */
std::size_t OutputColumns();

/** Says on stderr, below what was printed so far, "inca: " and @p text, without control characters. */
void Complain(const std::string& text);

/** Says there what is to be known, while the work goes on; nothing of an empty text. @{ */
void Warn(const std::string& warning);
void Warn(const std::vector<std::string>& warnings);
/** @} */

} // namespace inca

#endif // INCA_CLI_STANDARD_STREAMS_H
