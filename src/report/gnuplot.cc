/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/gnuplot.h"

#include "base/errors.h"
#include "base/file-error.h"
#include "base/input-file.h"
#include "base/interrupt.h"
#include "base/whole-file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <thread>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace inca
{

namespace
{

constexpr int g_notThere = 127; // what a shell says of a program that it does not find

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

/** @return @p text as one word of the shell */
std::string
InQuotes(const std::string& text)
{
    std::string word = "'";
    for (const char c : text)
    {
        word += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return word + "'";
}

/**
 * Starts gnuplot as a group of processes of its own: whoever ends it ends what it has started, too. -d: the user's own
 * settings of gnuplot are not read.
 */
::pid_t
StartGnuplot(const WorkFolder& folder)
{
    auto command = "cd " + InQuotes(folder.Path()) +
                   " && exec gnuplot -d plot.gp 2>errors >/dev/null </dev/null";
    std::string shell = "sh";
    std::string option = "-c";
    std::array<char*, 4> words{shell.data(), option.data(), command.data(), nullptr};
    ::posix_spawnattr_t group;
    ::posix_spawnattr_init(&group);
    ::posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&group, 0);
    ::pid_t process = 0;
    const int error = ::posix_spawn(&process, "/bin/sh", nullptr, &group, words.data(), ::environ);
    ::posix_spawnattr_destroy(&group);
    if (error != 0)
    {
        throw RunError("no process for gnuplot: " + ErrorReason(error));
    }
    return process;
}

/** @return its exit status; a signal to us ends it, too, and is looked for now and then, so that none comes unseen */
int
WaitFor(::pid_t process)
{
    int status = 0;
    while (::waitpid(process, &status, WNOHANG) != process)
    {
        if (InterruptSignal() != 0)
        {
            ::kill(-process, SIGKILL);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
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
    return text.empty() ? "it has not said why; is the disk full?"
                        : text.substr(text.rfind('\n') + 1);
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
    const int status = WaitFor(StartGnuplot(folder));
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
