/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/csv-file.h"

#include "base/errors.h"
#include "base/interrupt.h"

#include <cerrno>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace inca
{

namespace
{

/** Locks a file until this goes, if it can be locked. */
class FileLock
{
  public:
    /** Waits until no other process holds it. @throws Interrupted */
    explicit FileLock(int file)
        : m_file(file)
    {
        while (::flock(m_file, LOCK_EX) != 0 && errno == EINTR)
        {
            ThrowIfInterrupted();
        }
    }

    ~FileLock()
    {
        ::flock(m_file, LOCK_UN);
    }

    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

  private:
    int m_file;
};

} // namespace

CsvOutput::CsvOutput(std::string path, std::string header)
    : m_path(std::move(path)),
      m_header(std::move(header))
{
    constexpr mode_t anyoneAsUmaskAllows = 0666;
    struct stat status = {};
    const bool exists = ::stat(PathOf(m_path), &status) == 0;
    m_isFile = !exists || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
    const int flags = m_isFile ? O_RDWR | O_CREAT | O_APPEND : O_WRONLY;
    m_file = ::open(PathOf(m_path), flags | O_CLOEXEC, anyoneAsUmaskAllows);
    Require(m_file >= 0, "cannot be opened to write");
    m_isNew = !exists;
    try
    {
        CheckedSize();
    }
    catch (...)
    {
        ::close(m_file);
        throw;
    }
}

CsvOutput::~CsvOutput()
{
    struct stat status = {};
    if (m_isNew && ::fstat(m_file, &status) == 0 && status.st_size == 0)
    {
        ::unlink(m_path.c_str());
    }
    ::close(m_file);
}

void
CsvOutput::Append(const std::string& row)
{
    if (!m_isFile)
    {
        Write(std::exchange(m_header, "") + row); // the header stands above the first row only
        return;
    }
    const FileLock lock(m_file);
    const auto size = CheckedSize();
    try
    {
        Write(size > 0 ? row : m_header + row);
    }
    catch (const RunError& error)
    {
        const bool isUndone = ::ftruncate(m_file, size) == 0;
        throw RunError(error.what() + std::string(isUndone ? "" : "; its last line is broken"));
    }
}

/** @return the file's size; 0 if it is none @throws InputError unless it is empty, or has the header and whole lines */
off_t
CsvOutput::CheckedSize() const
{
    struct stat status = {};
    Require(::fstat(m_file, &status) == 0, "cannot be read");
    const auto size = m_isFile ? status.st_size : 0;
    const auto textAt = [this](off_t begin, std::size_t count) {
        std::string text(count, '\0');
        Require(::pread(m_file, text.data(), count, begin) >= 0, "cannot be read");
        return text;
    };
    if (size > 0 && textAt(0, m_header.size()) != m_header)
    {
        throw InputError(InputPlace{m_path, 1, 0, ""},
                         "has other columns than this run's row; name another file");
    }
    if (size > 0 && textAt(size - 1, 1) != "\n")
    {
        throw InputError(InputPlace{m_path, 0, 0, ""},
                         "ends within a line; complete or remove that line first");
    }
    return size;
}

/** @throws RunError; Interrupted */
void
CsvOutput::Write(const std::string& text) const
{
    for (std::string_view left = text; !left.empty();)
    {
        const auto written = ::write(m_file, left.data(), left.size());
        Require(written >= 0 || errno == EINTR, "cannot be written");
        left.remove_prefix(written >= 0 ? static_cast<std::size_t>(written) : 0);
        if (written < 0)
        {
            ThrowIfInterrupted();
        }
    }
}

/** @throws the errno's error unless a system call @p succeeded; Interrupted */
void
CsvOutput::Require(bool succeeded, const char* what) const
{
    if (!succeeded)
    {
        const int error = errno;
        ThrowIfInterrupted();
        ThrowFileError(m_path, what, error);
    }
}

} // namespace inca
