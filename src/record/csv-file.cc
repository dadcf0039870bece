/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/csv-file.h"

#include "base/errors.h"
#include "base/file-error.h"
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

namespace
{

constexpr mode_t g_anyoneAsUmaskAllows = 0666;

/** An open file; closed at the latest when this goes. */
class File
{
  public:
    File(const std::string& path, int flags)
        : m_path(path),
          m_descriptor(::open(PathOf(path), flags | O_CLOEXEC, g_anyoneAsUmaskAllows))
    {
        if (m_descriptor < 0)
        {
            ThrowFileError(m_path, "cannot be opened to write", errno);
        }
    }

    File(const File&) = delete;
    File& operator=(const File&) = delete;

    ~File()
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

    off_t Size() const
    {
        const auto status = Status();
        return S_ISREG(status.st_mode) ? status.st_size : 0;
    }

    /** @return whether its path stands for another file by now, or for none: others may remove and make files */
    bool IsReplaced() const
    {
        const auto opened = Status();
        struct stat named = {};
        return ::stat(m_path.c_str(), &named) != 0 || named.st_ino != opened.st_ino ||
               named.st_dev != opened.st_dev;
    }

    /** Fewer than @p count bytes only at the file's end. */
    std::string ReadAt(off_t begin, std::size_t count) const
    {
        std::string text(count, '\0');
        const auto got = ::pread(m_descriptor, text.data(), count, begin);
        if (got < 0)
        {
            ThrowFileError(m_path, "cannot be read", errno);
        }
        text.resize(static_cast<std::size_t>(got));
        return text;
    }

    /** All of @p text, or @throws RunError */
    void Write(std::string_view text)
    {
        while (!text.empty())
        {
            const auto written = ::write(m_descriptor, text.data(), text.size());
            if (written < 0 && errno != EINTR)
            {
                ThrowFileError(m_path, "cannot be written", errno);
            }
            text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
        }
    }

    /** A disk may be found full only now. */
    void Close()
    {
        const int descriptor = m_descriptor;
        m_descriptor = -1;
        if (::close(descriptor) != 0)
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
    struct stat Status() const
    {
        struct stat status = {};
        if (::fstat(m_descriptor, &status) != 0)
        {
            ThrowFileError(m_path, "cannot be read", errno);
        }
        return status;
    }

    std::string m_path;
    int m_descriptor;
};

/** What a file holds before a line is added. */
struct Content
{
    off_t whole;  ///< bytes of its whole lines
    off_t beyond; ///< bytes behind them, of a line that was cut off
};

/** @return how many of the first @p size bytes stand in whole lines */
off_t
WholeLines(const File& file, off_t size)
{
    constexpr off_t pieceBytes = 4096;
    while (size > 0)
    {
        const auto begin = std::max<off_t>(size - pieceBytes, 0);
        const auto piece = file.ReadAt(begin, static_cast<std::size_t>(size - begin));
        const auto feed = piece.rfind('\n');
        if (feed != std::string::npos)
        {
            return begin + static_cast<off_t>(feed) + 1;
        }
        size = begin;
    }
    return 0;
}

/** @throws InputError unless the file is one of ours: empty, or with @p header or a part of it */
Content
ContentOf(const File& file, const std::string& path, const std::string& header)
{
    const auto size = file.Size();
    const auto whole = WholeLines(file, size);
    const auto begin = size > 0 ? file.ReadAt(0, header.size()) : std::string();
    const bool isOurs = whole == 0 ? begin == header.substr(0, begin.size()) &&
                                         size <= static_cast<off_t>(header.size())
                                   : begin == header;
    if (!isOurs)
    {
        throw InputError(InputPlace{path, 1, 0, ""},
                         "has other columns than this run's row; name another file");
    }
    return {whole, size - whole};
}

/** @return what is to be told @throws InputError if it cannot be done @param locked by us */
std::string
CutOff(File& file, const std::string& path, const Content& content, bool locked)
{
    if (content.beyond == 0)
    {
        return "";
    }
    if (!locked || !file.CutBack(content.whole))
    {
        throw InputError(InputPlace{path, 0, 0, ""},
                         "ends within a line; complete or remove that line first");
    }
    return path + ": its last line was not whole (" + std::to_string(content.beyond) +
           " bytes without a line feed), as of a run that was killed; it is dropped";
}

bool
Exists(const std::string& path)
{
    return ::access(PathOf(path), F_OK) == 0;
}

/** @throws InputError unless a file can be made in the folder of @p path */
void
RequireFolder(const std::string& path)
{
    const auto slash = path.rfind('/');
    const auto folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
    {
        ThrowFileError(path, "cannot be made", errno);
    }
}

/** Takes what a failed write has left: the part of a line, or the whole file if it is new. */
std::string
UndoAppend(File& file, const std::string& path, off_t size, bool isNew)
{
    const bool undone = isNew ? std::remove(path.c_str()) == 0 : file.CutBack(size);
    return undone ? "" : "; its last line is broken";
}

} // namespace

std::string
AppendCsv(const std::string& path, const std::string& header, const std::string& row)
{
    const bool isNew = !Exists(path);
    File file(path, O_RDWR | O_CREAT | O_APPEND);
    const bool locked = file.Lock();
    if (file.IsReplaced())
    {
        return AppendCsv(path, header, row);
    }
    const auto content = ContentOf(file, path, header);
    auto told = CutOff(file, path, content, locked);
    try
    {
        file.Write(content.whole > 0 ? row : header + row);
    }
    catch (const RunError& error)
    {
        const bool isOurs = isNew && content.whole == 0;
        throw RunError(error.what() + UndoAppend(file, path, content.whole, isOurs));
    }
    file.Close();
    return told;
}

void
CheckCsv(const std::string& path, const std::string& header)
{
    if (!Exists(path))
    {
        RequireFolder(path);
        return;
    }
    ContentOf(File(path, O_RDWR | O_APPEND), path, header);
}

/** A pipe or a device, open to write. */
class CsvOutput::Stream
{
  public:
    explicit Stream(const std::string& path)
        : m_path(path),
          m_descriptor(OpenForReader(path))
    {
    }

    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    ~Stream()
    {
        ::close(m_descriptor);
    }

    void Write(std::string_view text)
    {
        while (!text.empty())
        {
            ThrowIfInterrupted();
            const auto written = ::write(m_descriptor, text.data(), text.size());
            if (written < 0)
            {
                WaitAfter(errno);
            }
            text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
        }
    }

  private:
    static constexpr int g_lookAgainMs = 50;

    /** A pipe's reader may be started along with us, so it has a second to come. */
    static int OpenForReader(const std::string& path)
    {
        const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(1);
        for (;;)
        {
            const int descriptor = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
            if (descriptor >= 0)
            {
                return descriptor;
            }
            const int error = errno;
            ThrowIfInterrupted();
            if (error != ENXIO)
            {
                ThrowFileError(path, "cannot be opened to write", error);
            }
            if (std::chrono::steady_clock::now() > last)
            {
                throw RunError(path + ": cannot be written: nobody reads this pipe");
            }
            ::poll(nullptr, 0, g_lookAgainMs);
        }
    }

    /** Until the reader has taken something. @throws RunError unless @p error will pass */
    void WaitAfter(int error) const
    {
        if (error != EAGAIN && error != EINTR)
        {
            ThrowFileError(m_path, "cannot be written", error);
        }
        ::pollfd room{m_descriptor, POLLOUT, 0};
        ::poll(&room, 1, g_lookAgainMs);
    }

    std::string m_path;
    int m_descriptor;
};

CsvOutput::CsvOutput(std::string path, std::string header)
    : m_path(std::move(path)),
      m_header(std::move(header))
{
    struct stat status = {};
    const bool isStream = ::stat(PathOf(m_path), &status) == 0 && !S_ISREG(status.st_mode) &&
                          !S_ISDIR(status.st_mode);
    if (isStream)
    {
        m_stream = std::make_unique<Stream>(m_path);
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
