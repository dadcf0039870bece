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
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <stdlib.h>
#include <sys/wait.h>

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

/** What a program has written, and how it has ended. */
struct Ended
{
    std::string text;
    int status{0};
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

/** Runs gnuplot. -d: the user's own settings of gnuplot are not read. Ctrl-C ends it as it ends us. */
Ended
RunGnuplot(const WorkFolder& folder)
{
    const auto command =
        "cd " + InQuotes(folder.Path()) + " && exec gnuplot -d plot.gp 2>&1 >/dev/null </dev/null";
    auto* const pipe = ::popen(command.c_str(), "re");
    if (pipe == nullptr)
    {
        throw RunError("no process for gnuplot: " + ErrorReason(errno));
    }
    Ended ended;
    std::array<char, 4096> buffer{};
    while (const auto count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    {
        ended.text.append(buffer.data(), count);
    }
    ended.status = ::pclose(pipe);
    ThrowIfInterrupted();
    return ended;
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
    const auto ended = RunGnuplot(folder);
    if (WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == g_notThere)
    {
        throw RunError("gnuplot, which draws, is not installed; on Debian and Ubuntu `apt install "
                       "gnuplot-nox` installs it");
    }
    auto picture = ReadPicture(folder.Path(files.picture));
    if (ended.status != 0 || !IsWhole(picture))
    {
        throw RunError("gnuplot has failed: " + LastLine(ended.text));
    }
    return picture;
}

} // namespace inca
