/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/csv-file.h"

#include "base/errors.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
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

constexpr mode_t g_mode = 0644; ///< less what the user's umask takes away

/** A wrong path is the user's to mend before a run; a full disk is not. */
bool
IsWrongPath(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EISDIR || error == EACCES ||
           error == EPERM || error == EROFS || error == ENAMETOOLONG || error == ELOOP;
}

[[noreturn]] void
Fail(const std::string& path, const char* what)
{
    const auto text = path + ": " + what + ": " + std::strerror(errno);
    if (IsWrongPath(errno))
    {
        throw InputError(text);
    }
    throw RunError(text);
}

/** An open file; closed at the latest when this goes. */
class File
{
  public:
    File(const std::string& path, int flags)
        : m_path(path),
          m_descriptor(::open(path.c_str(), flags | O_CLOEXEC, g_mode))
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
    struct stat Status() const
    {
        struct stat status = {};
        if (::fstat(m_descriptor, &status) != 0)
        {
            Fail(m_path, "cannot be read");
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
        Fail(path, "cannot be made");
    }
}

/** Takes what a failed write has left: the part of a line, or the whole file if it is new. */
std::string
UndoAppend(File& file, const std::string& path, off_t size, bool isNew)
{
    const bool undone = isNew ? std::remove(path.c_str()) == 0 : file.CutBack(size);
    return undone ? "" : "; its last line is broken";
}

/** @throws InputError unless @p path is free or a regular file: others must not be replaced */
void
CheckReplaceable(const std::string& path)
{
    struct stat status = {};
    if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    {
        throw InputError(path + ": is there already and no regular file");
    }
}

/** A file beside another whose name it takes in the end; removed if it comes to nothing. */
class Replacement
{
  public:
    Replacement(std::string path, const std::string& text)
        : m_path(std::move(path)),
          m_temporary(m_path + ".new" + std::to_string(::getpid()))
    {
        try
        {
            File file(m_temporary, O_WRONLY | O_CREAT | O_TRUNC);
            file.Write(text);
            file.Close();
        }
        catch (const std::exception&)
        {
            std::remove(m_temporary.c_str());
            throw;
        }
    }

    Replacement(const Replacement&) = delete;
    Replacement& operator=(const Replacement&) = delete;

    ~Replacement()
    {
        if (!m_done)
        {
            std::remove(m_temporary.c_str());
        }
    }

    void TakePlace()
    {
        if (std::rename(m_temporary.c_str(), m_path.c_str()) != 0)
        {
            Fail(m_path, "cannot be replaced");
        }
        m_done = true;
    }

  private:
    std::string m_path;
    std::string m_temporary;
    bool m_done{false};
};

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

void
WriteWholeFiles(const std::vector<FileText>& files)
{
    std::vector<std::unique_ptr<Replacement>> replacements;
    for (const auto& file : files)
    {
        CheckReplaceable(file.path);
        replacements.push_back(std::make_unique<Replacement>(file.path, file.text));
    }
    for (const auto& replacement : replacements)
    {
        replacement->TakePlace();
    }
}

void
WriteWholeFile(const std::string& path, const std::string& text)
{
    WriteWholeFiles({{path, text}});
}

} // namespace inca
