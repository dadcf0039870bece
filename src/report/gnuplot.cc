/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/gnuplot.h"

#include "base/errors.h"
#include "base/file-error.h"
#include "base/input-file.h"
#include "base/interrupt.h"
#include "base/whole-file.h"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace inca
{

namespace
{

constexpr int g_notThere = 127;

/** A folder that nobody else reads, gone when this is. */
class WorkFolder
{
  public:
    WorkFolder()
    {
        std::error_code error;
        const auto base = std::filesystem::temp_directory_path(error);
        m_path = (error ? std::filesystem::path("/tmp") : base) / "inca-plot-XXXXXX";
        if (::mkdtemp(m_path.data()) == nullptr)
        {
            throw RunError(m_path + ": cannot be made: " + ErrorReason(errno));
        }
    }

    ~WorkFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }

    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;

    std::string Path(const std::string& name) const
    {
        return m_path + "/" + name;
    }

    const std::string& Path() const
    {
        return m_path;
    }

  private:
    std::string m_path;
};

void
Redirect(const char* path, int flags, int descriptor)
{
    constexpr mode_t own = 0600;
    const int file = ::open(path, flags, own);
    if (file < 0 || ::dup2(file, descriptor) < 0)
    {
        ::_exit(g_notThere - 1);
    }
}

/**
 * In the new process, which is a group of its own: whoever ends it ends what it has started, too. -d: the
 * user's own settings of gnuplot are not read.
 */
[[noreturn]] void
BecomeGnuplot(const WorkFolder& folder)
{
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::chdir(folder.Path().c_str()) != 0)
    {
        ::_exit(g_notThere - 1);
    }
    Redirect("/dev/null", O_RDONLY, STDIN_FILENO);
    Redirect("errors", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    Redirect("/dev/null", O_WRONLY, STDOUT_FILENO);
    ::signal(SIGPIPE, SIG_DFL);
    ::signal(SIGXFSZ, SIG_DFL);
    ::execlp("gnuplot", "gnuplot", "-d", "plot.gp", nullptr);
    ::_exit(errno == ENOENT ? g_notThere : g_notThere - 1);
}

/** @return whether it has ended; it is asked now and then, so that no signal comes unseen */
bool
HasEnded(::pid_t process, int& status)
{
    const auto ended = ::waitpid(process, &status, WNOHANG);
    if (ended < 0 && errno != EINTR)
    {
        throw RunError("gnuplot is lost: " + ErrorReason(errno));
    }
    return ended == process;
}

/** @return its exit status; a signal to us ends it, too */
int
WaitFor(::pid_t process)
{
    constexpr int milliseconds = 5;
    int status = 0;
    ::setpgid(process, process); // whoever of the two comes first
    while (!HasEnded(process, status))
    {
        if (InterruptSignal() != 0)
        {
            ::kill(-process, SIGKILL);
        }
        ::poll(nullptr, 0, milliseconds);
    }
    ThrowIfInterrupted();
    return status;
}

/** What went wrong stands below the line that it is about. */
std::string
LastLine(const std::string& path)
{
    constexpr std::size_t most = 1U << 20U;
    auto text = ReadInputFile(path, most, "is too long");
    text.resize(text.find_last_not_of(" \t\n") + 1);
    return text.empty() ? "it has not said why; is the disk full?" : text.substr(text.rfind('\n') + 1);
}

/** @return whether a picture ends as its form does: gnuplot does not tell of a full disk */
bool
IsWhole(std::string_view bytes)
{
    constexpr std::size_t tail = 64;
    const auto end = bytes.substr(bytes.size() - std::min(bytes.size(), tail));
    return end.find("</svg>") != end.npos || end.find("IEND") != end.npos ||
           end.find("%%EOF") != end.npos;
}

std::string
ReadPicture(const std::string& path)
{
    constexpr std::size_t most = 1U << 28U;
    std::error_code error;
    if (!std::filesystem::exists(path, error))
    {
        return "";
    }
    return ReadInputFile(path, most, "is larger than 256 MiB");
}

} // namespace

std::string
DrawWithGnuplot(const PlotFiles& files)
{
    const WorkFolder folder;
    WriteWholeFiles(
        {{folder.Path("plot.gp"), files.script}, {folder.Path("plot.dat"), files.data}});
    const auto process = ::fork();
    if (process == 0)
    {
        BecomeGnuplot(folder);
    }
    if (process < 0)
    {
        throw RunError("no process for gnuplot: " + ErrorReason(errno));
    }
    const int status = WaitFor(process);
    if (WIFEXITED(status) && WEXITSTATUS(status) == g_notThere)
    {
        throw RunError("gnuplot, which draws, is not installed; on Debian and Ubuntu `apt install "
                       "gnuplot-nox` installs it");
    }
    auto picture = ReadPicture(folder.Path(files.picture));
    if (status != 0 || !IsWhole(picture))
    {
        throw RunError("gnuplot has failed: " + LastLine(folder.Path("errors")));
    }
    return picture;
}

} // namespace inca
