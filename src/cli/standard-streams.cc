/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/standard-streams.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/printable.h"

#include <csignal>
#include <cstdio>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace inca
{

namespace
{

/** The other way round, so that reading from it, or writing to it, still fails. */
void
KeepClosed(int descriptor)
{
    if (::fcntl(descriptor, F_GETFD) < 0)
    {
        const int flags = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        [[maybe_unused]] const int lowestFree = ::open("/dev/null", flags);
    }
}

void
AllowManyFiles()
{
    struct rlimit limit = {};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0)
    {
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
}

} // namespace

const char* const LOST_OUTPUT = "stdout: cannot be written; is the disk full?";

void
PrepareStreams()
{
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    {
        KeepClosed(descriptor);
    }
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    AllowManyFiles();
}

bool
HasLostOutput()
{
    return std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
}

void
EndWithReader()
{
    ::pollfd output{STDOUT_FILENO, POLLOUT, 0};
    if (::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0)
    {
        std::signal(SIGPIPE, SIG_DFL);
        std::raise(SIGPIPE);
    }
}

void
FlushOutput()
{
    if (HasLostOutput())
    {
        ThrowIfInterrupted(); // which keeps a write from waiting for its reader
        EndWithReader();
        throw RunError(LOST_OUTPUT);
    }
}

std::size_t
OutputColumns()
{
    struct winsize size = {};
    return ::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0
               ? size.ws_col
               : 0;
}

void
Complain(const std::string& text)
{
    std::fflush(stdout);
    std::fprintf(stderr, "inca: %s\n", PrintableLines(text).c_str());
}

void
Warn(const std::string& warning)
{
    if (!warning.empty())
    {
        Complain("warning: " + warning);
    }
}

void
Warn(const std::vector<std::string>& warnings)
{
    for (const auto& warning : warnings)
    {
        Warn(warning);
    }
}

} // namespace inca
