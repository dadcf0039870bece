/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/csv-file.h"

#include "base/errors.h"
#include "base/file-error.h"

#include <cerrno>
#include <cstdio>
#include <string_view>

#include <fcntl.h>
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
          m_descriptor(::open(path.c_str(), flags | O_CLOEXEC, g_anyoneAsUmaskAllows))
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

    /** Waits until no other process holds the file; what cannot be locked is used unlocked. */
    void Lock()
    {
        ::flock(m_descriptor, LOCK_EX);
    }

    off_t Size() const
    {
        const auto status = Status();
        return S_ISREG(status.st_mode) ? status.st_size : 0;
    }

    /** @return whether another process has removed it since it was opened */
    bool IsRemoved() const
    {
        return Status().st_nlink == 0;
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

void
RequireHeader(const File& file, const std::string& path, const std::string& header, off_t size)
{
    if (file.ReadAt(0, header.size()) != header)
    {
        throw InputError(InputPlace{path, 1, 0, ""},
                         "has other columns than this run's row; name another file");
    }
    if (file.ReadAt(size - 1, 1) != "\n")
    {
        throw InputError(InputPlace{path, 0, 0, ""},
                         "ends within a line; complete or remove that line first");
    }
}

bool
Exists(const std::string& path)
{
    return ::access(path.c_str(), F_OK) == 0;
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

void
AppendCsv(const std::string& path, const std::string& header, const std::string& row)
{
    const bool isNew = !Exists(path);
    File file(path, O_RDWR | O_CREAT | O_APPEND);
    file.Lock();
    if (file.IsRemoved())
    {
        AppendCsv(path, header, row);
        return;
    }
    const auto size = file.Size();
    if (size > 0)
    {
        RequireHeader(file, path, header, size);
    }
    try
    {
        file.Write(size > 0 ? row : header + row);
    }
    catch (const RunError& error)
    {
        throw RunError(error.what() + UndoAppend(file, path, size, isNew && size == 0));
    }
    file.Close();
}

void
CheckCsv(const std::string& path, const std::string& header)
{
    if (!Exists(path))
    {
        RequireFolder(path);
        return;
    }
    const File file(path, O_RDWR | O_APPEND);
    if (const auto size = file.Size(); size > 0)
    {
        RequireHeader(file, path, header, size);
    }
}

} // namespace inca
