/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_ERRORS_H
#define INCA_BASE_ERRORS_H

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** What the program returns to the shell. */
enum class ExitCode
{
    DONE = 0,
    CHECK_FAILED = 1,     ///< a check or validation failed
    INPUT_REFUSED = 2,    ///< the user's input was refused
    BROKEN_INVARIANT = 3, ///< INCA broke one of its own invariants
    NOT_FINISHED = 4,     ///< no progress, disk, missing program
    INTERRUPTED = 130,    ///< by SIGINT: 128 and its number
    TERMINATED = 143,     ///< by SIGTERM
};

/** Where in a user's input something stands; an empty part is left out of the text. */
struct InputPlace
{
    std::string file;
    unsigned line{0};   ///< from 1; 0 = unknown
    unsigned column{0}; ///< from 1; 0 = unknown
    std::string key;    ///< a column of a table, or a dotted key of a scenario

    /** @return "file:line:column: key: ", each part only where known */
    std::string Prefix() const;
};

/**
 * The user's input was refused: what() holds every complaint, one a line, each with its place and
 * what would be right. The program exits with INPUT_REFUSED.
 */
class InputError : public std::runtime_error
{
  public:
    explicit InputError(const std::string& text);
    InputError(const InputPlace& place, const std::string& text);
    explicit InputError(std::vector<std::string> complaints);

    const std::vector<std::string>& Complaints() const
    {
        return m_complaints;
    }

  private:
    std::vector<std::string> m_complaints;
};

/** The run could not finish: no progress, a full disk, a missing program (NOT_FINISHED). */
class RunError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/** An identity that INCA promises does not hold: a bug of INCA, never of its user (BROKEN_INVARIANT). */
class InvariantError : public std::logic_error
{
  public:
    using std::logic_error::logic_error;
};

/** What people are told of an InvariantError, which may name an extension of INCA. */
std::string BugText(const std::string& what);

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

#endif // INCA_BASE_ERRORS_H
