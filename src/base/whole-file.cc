/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/whole-file.h"

#include "base/errors.h"
#include "base/file-error.h"
#include "base/interrupt.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace inca
{

namespace
{

constexpr mode_t g_anyoneAsUmaskAllows = 0666;
constexpr const char* g_notWritten = "cannot be written";

/** @throws InputError unless @p path is free or a regular file: others must not be replaced */
void
CheckReplaceable(const std::string& path)
{
    struct stat status = {};
    if (::stat(PathOf(path), &status) == 0 && !S_ISREG(status.st_mode))
    {
        throw InputError(path + ": is there already and no regular file");
    }
}

std::string
FolderOf(const std::string& path)
{
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

/** "x.part-" and 16 digits that nobody can know beforehand, so that nothing waits there. */
std::string
DrawnName(const std::string& path)
{
    constexpr std::size_t digits = 16;
    constexpr unsigned base = 16;
    std::random_device device;
    auto name = path + ".part-";
    for (std::size_t i = 0; i < digits; ++i)
    {
        name += "0123456789abcdef"[device() % base];
    }
    return name;
}

/** @return how a file without a name is called, to give it one */
std::string
DescriptorPath(int descriptor)
{
    return "/proc/self/fd/" + std::to_string(descriptor);
}

/** @return the descriptor of a file without a name; below 0: the file system has no such */
int
OpenUnnamed(const std::string& path)
{
    const int file =
        ::open(FolderOf(path).c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, g_anyoneAsUmaskAllows);
    if (file >= 0 && ::access(DescriptorPath(file).c_str(), F_OK) != 0)
    {
        ::close(file);
        return -1;
    }
    return file;
}

/** A new file: what stands there, a link as well, is never opened. */
int
OpenNamed(const std::string& partPath)
{
    return ::open(partPath.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, g_anyoneAsUmaskAllows);
}

/** Of many that appear together all are open: as many as this process may, and not only the usual 1,024. */
bool
MayOpenMore()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max)
    {
        return false;
    }
    limit.rlim_cur = limit.rlim_max;
    return ::setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

} // namespace

WholeFile::WholeFile(std::string path)
    : m_path(std::move(path))
{
    CheckReplaceable(m_path);
    Open();
    if (m_file < 0 && errno == EMFILE && MayOpenMore())
    {
        Open();
    }
    if (m_file < 0)
    {
        ThrowFileError(m_path, g_notWritten, errno);
    }
}

void
WholeFile::Open()
{
    m_partPath.clear();
    m_file = OpenUnnamed(m_path);
    if (m_file < 0)
    {
        m_partPath = DrawnName(m_path);
        m_file = OpenNamed(m_partPath);
    }
}

WholeFile::~WholeFile()
{
    if (m_mapped != nullptr)
    {
        ::munmap(m_mapped, m_mappedBytes);
    }
    if (m_file >= 0)
    {
        ::close(m_file);
        if (!m_partPath.empty())
        {
            ::unlink(m_partPath.c_str());
        }
    }
}

void
WholeFile::Write(std::string_view text)
{
    while (!text.empty())
    {
        ThrowIfInterrupted();
        const auto written = ::write(m_file, text.data(), text.size());
        if (written < 0 && errno != EINTR)
        {
            ThrowFileError(m_path, g_notWritten, errno);
        }
        text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
}

void
WholeFile::Write(const void* data, std::size_t bytes)
{
    Write(std::string_view(static_cast<const char*>(data), bytes));
}

void*
WholeFile::Map(std::size_t bytes)
{
    if (bytes == 0)
    {
        return nullptr;
    }
    // A page without room on the disk would end the program when it is written to.
    const int error = ::posix_fallocate(m_file, 0, static_cast<off_t>(bytes));
    ThrowIfInterrupted();
    if (error != 0)
    {
        ThrowFileError(m_path, g_notWritten, error);
    }
    void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_file, 0);
    if (mapped == MAP_FAILED)
    {
        ThrowFileError(m_path, g_notWritten, errno);
    }
    m_mapped = mapped;
    m_mappedBytes = bytes;
    return m_mapped;
}

void
WholeFile::Flush()
{
    ThrowIfInterrupted();
    const bool isMapped = m_mapped != nullptr;
    if ((isMapped && ::msync(m_mapped, m_mappedBytes, MS_SYNC) != 0) || ::fsync(m_file) != 0)
    {
        const int error = errno;
        ThrowIfInterrupted();
        ThrowFileError(m_path, g_notWritten, error);
    }
}

void
WholeFile::Finish()
{
    Flush();
    TakeName();
}

bool
WholeFile::LinkTo(const std::string& name) const
{
    const auto file = DescriptorPath(m_file);
    return ::linkat(AT_FDCWD, file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

/** A file without a name can be given one that is free, but not take another file's. */
bool
WholeFile::TakesName()
{
    if (m_partPath.empty())
    {
        if (LinkTo(m_path))
        {
            return true;
        }
        auto name = DrawnName(m_path);
        if (errno != EEXIST || !LinkTo(name))
        {
            return false;
        }
        m_partPath = std::move(name);
    }
    return std::rename(m_partPath.c_str(), m_path.c_str()) == 0;
}

void
WholeFile::TakeName()
{
    if (!TakesName())
    {
        ThrowFileError(m_path, g_notWritten, errno);
    }
    ::close(std::exchange(m_file, -1));
}

void
WriteWholeFiles(const std::vector<FileText>& files)
{
    std::vector<std::unique_ptr<WholeFile>> whole;
    for (const auto& file : files)
    {
        whole.push_back(std::make_unique<WholeFile>(file.path));
        whole.back()->Write(file.text);
        whole.back()->Flush();
    }
    for (const auto& file : whole)
    {
        file->TakeName();
    }
}

void
WriteWholeFile(const std::string& path, const std::string& text)
{
    WriteWholeFiles({{path, text}});
}

} // namespace inca
