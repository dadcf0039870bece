/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/gnuplot.h"

#include "base/atomic-file.h"
#include "base/errors.h"
#include "base/interrupt.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace inca
{

namespace
{

/** A folder that nobody else reads, gone when this is. */
struct WorkFolder
{
    WorkFolder()
    {
        std::error_code error;
        const auto base = std::filesystem::temp_directory_path(error);
        path = (error ? std::filesystem::path("/tmp") : base) / "inca-plot-XXXXXX";
        if (::mkdtemp(path.data()) == nullptr)
        {
            throw RunError(path + ": cannot be made: " + ErrorReason(errno));
        }
    }

    ~WorkFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }

    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;

    std::string path;
};

/**
 * Starts gnuplot as a group of processes of its own: whoever ends it ends what it has started, too. -d: the user's own
 * settings of gnuplot are not read.
 */
::pid_t
StartGnuplot(std::string folder)
{
    std::array<std::string, 4> texts{
        "sh",
        "-c",
        "cd \"$0\" && exec gnuplot -d plot.gp 2>errors >/dev/null </dev/null",
        std::move(folder)};
    std::array<char*, 5> words{
        texts[0].data(), texts[1].data(), texts[2].data(), texts[3].data(), nullptr};
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

/** @return what a file holds; nothing if it is not there */
std::string
TextOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/** What went wrong stands below the line that it is about. */
std::string
LastLine(std::string text)
{
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

} // namespace

std::string
DrawWithGnuplot(const PlotFiles& files)
{
    constexpr int notThere = 127; // what a shell says of a program that it does not find
    const WorkFolder folder;
    WriteAtomically(
        {{folder.path + "/plot.gp", files.script}, {folder.path + "/plot.dat", files.data}});
    const int status = WaitFor(StartGnuplot(folder.path));
    if (WIFEXITED(status) && WEXITSTATUS(status) == notThere)
    {
        throw RunError("gnuplot, which draws, is not installed; on Debian and Ubuntu `apt install "
                       "gnuplot-nox` installs it");
    }
    auto picture = TextOf(folder.path + "/" + files.picture);
    if (status != 0 || !IsWhole(picture))
    {
        throw RunError("gnuplot has failed: " + LastLine(TextOf(folder.path + "/errors")));
    }
    return picture;
}

} // namespace inca
