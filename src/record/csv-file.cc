/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/csv-file.h"

#include "base/errors.h"
#include "base/interrupt.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace inca
{

/** A file, a pipe or a device that is open to write; closed at the latest when this goes. */
class OpenFile
{
  public:
    OpenFile(std::string path, int flags)
        : m_path(std::move(path)),
          m_descriptor(Open(flags | O_CLOEXEC))
    {
    }

    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    ~OpenFile()
    {
        if (m_descriptor >= 0)
        {
            ::close(m_descriptor);
        }
    }

    /** Waits until no other process holds the file. @return false if it cannot be locked */
    bool Lock()
    {
        while (::flock(m_descriptor, LOCK_EX) != 0)
        {
            ThrowIfInterrupted();
            if (errno != EINTR)
            {
                return false;
            }
        }
        return true;
    }

    struct stat Status() const
    {
        struct stat status = {};
        if (::fstat(m_descriptor, &status) != 0)
        {
            ThrowFileError(m_path, "cannot be read", errno);
        }
        return status;
    }

    /** Fewer than @p count bytes only at the file's end. */
    std::string ReadAt(off_t begin, off_t count) const
    {
        std::string text(static_cast<std::size_t>(count), '\0');
        const auto got = ::pread(m_descriptor, text.data(), text.size(), begin);
        if (got < 0)
        {
            ThrowFileError(m_path, "cannot be read", errno);
        }
        text.resize(static_cast<std::size_t>(got));
        return text;
    }

    /** Writes all of @p text. @throws RunError; Interrupted while a pipe's reader keeps it waiting */
    void Write(std::string_view text)
    {
        while (!text.empty())
        {
            const auto written = ::write(m_descriptor, text.data(), text.size());
            if (written >= 0)
            {
                text.remove_prefix(static_cast<std::size_t>(written));
            }
            else if (errno == EAGAIN)
            {
                ThrowIfInterrupted();
                ::pollfd room{m_descriptor, POLLOUT, 0};
                ::poll(&room, 1, g_lookAgainMs);
            }
            else if (errno != EINTR)
            {
                ThrowFileError(m_path, "cannot be written", errno);
            }
        }
    }

    /** Closes the file; a disk may be found full only now. */
    void Close()
    {
        if (::close(std::exchange(m_descriptor, -1)) != 0)
        {
            ThrowFileError(m_path, "cannot be written", errno);
        }
    }

    /** @return whether the file is cut back to its first @p size bytes */
    bool CutBack(off_t size)
    {
        return ::ftruncate(m_descriptor, size) == 0;
    }

  private:
    static constexpr int g_lookAgainMs = 50;

    /** Opens the path. A pipe's reader may be started along with us, so it has a second to come. */
    int Open(int flags) const
    {
        constexpr mode_t anyoneAsUmaskAllows = 0666;
        const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(1);
        for (;;)
        {
            const int descriptor = ::open(PathOf(m_path), flags, anyoneAsUmaskAllows);
            if (descriptor >= 0)
            {
                return descriptor;
            }
            const int error = errno;
            ThrowIfInterrupted();
            if (error != ENXIO)
            {
                ThrowFileError(m_path, "cannot be opened to write", error);
            }
            if (std::chrono::steady_clock::now() > last)
            {
                throw RunError(m_path + ": cannot be written: nobody reads this pipe");
            }
            ::poll(nullptr, 0, g_lookAgainMs);
        }
    }

    std::string m_path;
    int m_descriptor;
};

namespace
{

constexpr off_t g_longestLine = 1 << 20;

/** What a file holds before a line is added. */
struct Content
{
    off_t whole;  ///< bytes of its whole lines
    off_t beyond; ///< bytes behind them, of a line that was cut off
};

/** @throws InputError unless the file is one of ours: empty, or with @p header or a part of it */
Content
ContentOf(const OpenFile& file, const std::string& path, const std::string& header)
{
    const auto status = file.Status();
    const auto size = S_ISREG(status.st_mode) ? status.st_size : 0;
    const auto tail = std::min(size, g_longestLine);
    const auto feed = tail > 0 ? file.ReadAt(size - tail, tail).rfind('\n') : std::string::npos;
    const bool hasLine = feed != std::string::npos;
    const auto whole = hasLine ? size - tail + static_cast<off_t>(feed) + 1 : 0;
    const auto begin = tail > 0 ? file.ReadAt(0, static_cast<off_t>(header.size())) : std::string();
    const bool isOurs = hasLine ? begin == header
                                : begin == header.substr(0, begin.size()) &&
                                      size <= static_cast<off_t>(header.size());
    if (!isOurs)
    {
        throw InputError(InputPlace{path, 1, 0, ""},
                         "has other columns than this run's row; name another file");
    }
    return {whole, size - whole};
}

bool
Exists(const std::string& path)
{
    return ::access(PathOf(path), F_OK) == 0;
}

/** @return whether the path stands for another file by now, or for none: others may remove and make files */
bool
IsReplaced(const OpenFile& file, const std::string& path)
{
    const auto opened = file.Status();
    struct stat named = {};
    return ::stat(path.c_str(), &named) != 0 || named.st_ino != opened.st_ino ||
           named.st_dev != opened.st_dev;
}

} // namespace

std::string
AppendCsv(const std::string& path, const std::string& header, const std::string& row)
{
    const bool isNew = !Exists(path);
    OpenFile file(path, O_RDWR | O_CREAT | O_APPEND);
    const bool locked = file.Lock();
    if (IsReplaced(file, path))
    {
        return AppendCsv(path, header, row);
    }
    const auto [whole, beyond] = ContentOf(file, path, header);
    std::string told;
    if (beyond > 0)
    {
        if (!locked || !file.CutBack(whole))
        {
            throw InputError(InputPlace{path, 0, 0, ""},
                             "ends within a line; complete or remove that line first");
        }
        told = path + ": its last line was not whole (" + std::to_string(beyond) +
               " bytes without a line feed), as of a run that was killed; it is dropped";
    }
    try
    {
        file.Write(whole > 0 ? row : header + row);
    }
    catch (const RunError& error)
    {
        const bool isOurs = isNew && whole == 0;
        const bool undone = isOurs ? std::remove(path.c_str()) == 0 : file.CutBack(whole);
        throw RunError(error.what() + std::string(undone ? "" : "; its last line is broken"));
    }
    file.Close();
    return told;
}

void
CheckCsv(const std::string& path, const std::string& header)
{
    if (Exists(path))
    {
        ContentOf(OpenFile(path, O_RDWR | O_APPEND), path, header);
        return;
    }
    const auto slash = path.rfind('/');
    const auto folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
    {
        ThrowFileError(path, "cannot be made", errno);
    }
}

CsvOutput::CsvOutput(std::string path, std::string header)
    : m_path(std::move(path)),
      m_header(std::move(header))
{
    struct stat status = {};
    const bool isStream = ::stat(PathOf(m_path), &status) == 0 && !S_ISREG(status.st_mode) &&
                          !S_ISDIR(status.st_mode);
    if (isStream)
    {
        m_stream = std::make_unique<OpenFile>(m_path, O_WRONLY | O_NONBLOCK);
    }
    else
    {
        CheckCsv(m_path, m_header);
    }
}

CsvOutput::~CsvOutput() = default;

std::string
CsvOutput::Append(const std::string& row)
{
    if (!m_stream)
    {
        return AppendCsv(m_path, m_header, row);
    }
    m_stream->Write(m_header + row);
    m_header.clear(); // stands above the first row only
    return "";
}

} // namespace inca
