/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/csv-file.h"

#include "base/errors.h"
#include "base/interrupt.h"

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace inca
{

/** A file, a pipe or a device that is open to write. */
class OpenFile
{
  public:
    /** @throws InputError; RunError; Interrupted */
    OpenFile(std::string path, int flags)
        : m_path(std::move(path))
    {
        constexpr mode_t anyoneAsUmaskAllows = 0666;
        m_descriptor = ::open(PathOf(m_path), flags | O_CLOEXEC, anyoneAsUmaskAllows);
        Require(m_descriptor >= 0, "cannot be opened to write");
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

    /** Waits until no other process holds the file, if it can be locked. @throws Interrupted */
    void Lock()
    {
        while (::flock(m_descriptor, LOCK_EX) != 0 && errno == EINTR)
        {
            ThrowIfInterrupted();
        }
    }

    /** @return its bytes; 0 if it is no regular file */
    off_t Size() const
    {
        struct stat status = {};
        Require(::fstat(m_descriptor, &status) == 0, "cannot be read");
        return S_ISREG(status.st_mode) ? status.st_size : 0;
    }

    /** Fewer than @p count bytes only at the file's end. */
    std::string ReadAt(off_t begin, std::size_t count) const
    {
        std::string text(count, '\0');
        const auto got = ::pread(m_descriptor, text.data(), text.size(), begin);
        Require(got >= 0, "cannot be read");
        return text.substr(0, static_cast<std::size_t>(got));
    }

    /** Writes all of @p text. @throws RunError; Interrupted while a pipe's reader keeps it waiting */
    void Write(std::string_view text)
    {
        while (!text.empty())
        {
            const auto written = ::write(m_descriptor, text.data(), text.size());
            Require(written >= 0 || errno == EINTR, "cannot be written");
            text.remove_prefix(written >= 0 ? static_cast<std::size_t>(written) : 0);
            if (written < 0)
            {
                ThrowIfInterrupted();
            }
        }
    }

    /** Closes the file; a disk may be found full only now. */
    void Close()
    {
        Require(::close(std::exchange(m_descriptor, -1)) == 0, "cannot be written");
    }

    /** @return whether the file is cut back to its first @p size bytes */
    bool CutBack(off_t size)
    {
        return ::ftruncate(m_descriptor, size) == 0;
    }

  private:
    /** @throws the errno's error unless a system call @p succeeded; Interrupted */
    void Require(bool succeeded, const char* what) const
    {
        if (!succeeded)
        {
            const int error = errno;
            ThrowIfInterrupted();
            ThrowFileError(m_path, what, error);
        }
    }

    std::string m_path;
    int m_descriptor{-1};
};

namespace
{

/** @return the file's size @throws InputError unless it is empty, or has @p header and whole lines */
off_t
SizeOfOurs(const OpenFile& file, const std::string& path, const std::string& header)
{
    const auto size = file.Size();
    if (size > 0 && file.ReadAt(0, header.size()) != header)
    {
        throw InputError(InputPlace{path, 1, 0, ""},
                         "has other columns than this run's row; name another file");
    }
    if (size > 0 && file.ReadAt(size - 1, 1) != "\n")
    {
        throw InputError(InputPlace{path, 0, 0, ""},
                         "ends within a line; complete or remove that line first");
    }
    return size;
}

bool
Exists(const std::string& path)
{
    return ::access(PathOf(path), F_OK) == 0;
}

} // namespace

void
AppendCsv(const std::string& path, const std::string& header, const std::string& row)
{
    const bool isNew = !Exists(path);
    OpenFile file(path, O_RDWR | O_CREAT | O_APPEND);
    file.Lock();
    const auto size = SizeOfOurs(file, path, header);
    try
    {
        file.Write(size > 0 ? row : header + row);
    }
    catch (const RunError& error)
    {
        const bool isUndone =
            isNew && size == 0 ? std::remove(path.c_str()) == 0 : file.CutBack(size);
        throw RunError(error.what() + std::string(isUndone ? "" : "; its last line is broken"));
    }
    file.Close();
}

void
CheckCsv(const std::string& path, const std::string& header)
{
    if (Exists(path))
    {
        SizeOfOurs(OpenFile(path, O_RDWR | O_APPEND), path, header);
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
        m_stream = std::make_unique<OpenFile>(m_path, O_WRONLY);
    }
    else
    {
        CheckCsv(m_path, m_header);
    }
}

CsvOutput::~CsvOutput() = default;

void
CsvOutput::Append(const std::string& row)
{
    if (!m_stream)
    {
        AppendCsv(m_path, m_header, row);
        return;
    }
    m_stream->Write(m_header + row);
    m_header.clear(); // stands above the first row only
}

} // namespace inca
