/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/csv-file.h"

#include "base/errors.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace inca
{

namespace
{

constexpr mode_t g_mode = 0644; ///< less what the user's umask takes away

[[noreturn]] void
Fail(const std::string& path, const char* what)
{
    throw RunError(path + ": " + what + ": " + std::strerror(errno));
}

/** An open file; closed at the latest when this goes. */
class File
{
  public:
    File(const std::string& path, int flags)
        : m_path(path)
        , m_descriptor(::open(path.c_str(), flags | O_CLOEXEC, g_mode))
    {
        if (m_descriptor < 0)
        {
            Fail(m_path, "cannot be opened to write");
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
        struct stat status
        {
        };

        if (::fstat(m_descriptor, &status) != 0)
        {
            Fail(m_path, "cannot be read");
        }
        return S_ISREG(status.st_mode) ? status.st_size : 0;
    }

    /** Fewer than @p count bytes only at the file's end. */
    std::string ReadAt(off_t begin, std::size_t count) const
    {
        std::string text(count, '\0');
        const auto got = ::pread(m_descriptor, text.data(), count, begin);
        if (got < 0)
        {
            Fail(m_path, "cannot be read");
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
                Fail(m_path, "cannot be written");
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
            Fail(m_path, "cannot be written");
        }
    }

    /** @return whether the file is cut back to its first @p size bytes */
    bool CutBack(off_t size)
    {
        return ::ftruncate(m_descriptor, size) == 0;
    }

  private:
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

} // namespace

void
AppendCsv(const std::string& path, const std::string& header, const std::string& row)
{
    File file(path, O_RDWR | O_CREAT | O_APPEND);
    file.Lock();
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
        throw RunError(error.what() +
                       std::string(file.CutBack(size) ? "" : "; its last line is broken"));
    }
    file.Close();
}

void
WriteWholeFile(const std::string& path, const std::string& text)
{
    const auto temporary = path + ".new" + std::to_string(::getpid());
    try
    {
        File file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
        file.Write(text);
        file.Close();
        if (std::rename(temporary.c_str(), path.c_str()) != 0)
        {
            Fail(path, "cannot be replaced");
        }
    }
    catch (const RunError&)
    {
        std::remove(temporary.c_str());
        throw;
    }
}

} // namespace inca
