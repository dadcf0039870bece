/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_FILE_ERROR_H
#define INCA_BASE_FILE_ERROR_H

#include <string>
#include <string_view>

namespace inca
{

/** What the system says of an errno: "No space left on device". */
std::string ErrorReason(int error);

/**
 * The system's calls end a path at its first NUL byte, and would take another file than the one named.
 * @return @p path as they take it @throws InputError if it has such a byte
 */
const char* PathOf(const std::string& path);

/**
 * Says which file and why: "x.csv: cannot be written: No space left on device".
 * @param what "cannot be written"
 * @param error an errno
 * @throws InputError for a path that is no place for a file, which its user can mend before a run;
 *         RunError for all else, such as a full disk
 */
[[noreturn]] void ThrowFileError(const std::string& path, std::string_view what, int error);

} // namespace inca

#endif // INCA_BASE_FILE_ERROR_H
