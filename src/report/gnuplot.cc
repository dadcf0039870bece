/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/atomic-file.h"
#include "base/errors.h"
#include "base/interrupt.h"
#include "report/plot.h"

#include <boost/algorithm/string/replace.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include <sys/wait.h>

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

/** What a program has written, and how it ended. */
struct Ended
{
    std::string text;
    int status;
};

/**
 * Runs gnuplot on a folder's plot.gp. -d: the user's own settings of gnuplot are not read. It leads a group of
 * processes: a signal to us ends it, and what it has started.
 */
Ended
RunGnuplot(const std::string& folder)
{
    const auto quoted = "'" + boost::algorithm::replace_all_copy(folder, "'", "'\\''") + "'";
    const auto command =
        "cd " + quoted + " && echo $$ && exec setsid gnuplot -d plot.gp 2>&1 </dev/null";
    auto* const pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr)
    {
        throw RunError("no process for gnuplot: " + ErrorReason(errno));
    }
    ::pid_t leader = 0;
    std::string text;
    std::array<char, 4096> line{};
    while (std::fgets(line.data(), line.size(), pipe) != nullptr)
    {
        text += leader == 0 ? "" : line.data();
        leader = leader == 0 ? std::atoi(line.data()) : leader;
    }
    if (InterruptSignal() != 0 && leader > 0)
    {
        ::kill(-leader, SIGKILL);
    }
    return {text, ::pclose(pipe)};
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
    const auto gnuplot = RunGnuplot(folder.path);
    ThrowIfInterrupted();
    if (WIFEXITED(gnuplot.status) && WEXITSTATUS(gnuplot.status) == notThere)
    {
        throw RunError("gnuplot, which draws, is not installed; on Debian and Ubuntu `apt install "
                       "gnuplot-nox` installs it");
    }
    std::ifstream file(folder.path + "/" + files.picture, std::ios::binary);
    std::string picture{std::istreambuf_iterator<char>(file), {}};
    if (gnuplot.status != 0 || !IsWhole(picture))
    {
        throw RunError("gnuplot has failed: " + LastLine(gnuplot.text));
    }
    return picture;
}

} // namespace inca
