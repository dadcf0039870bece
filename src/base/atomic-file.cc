/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/atomic-file.h"

#include "base/errors.h"
#include "base/interrupt.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <random>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace inca
{

namespace
{

constexpr mode_t g_anyoneAsUmaskAllows = 0666;

/**
 * @throws InputError unless @p path is free or a regular file: others must not be replaced, nor links of the system, as
 *         /dev/stdout, whatever they lead to
 */
void
CheckReplaceable(const std::string& path)
{
    const auto isIn = [&path](std::string_view folder) { return path.rfind(folder, 0) == 0; };
    struct stat status = {};
    if (::stat(PathOf(path), &status) == 0 &&
        (!S_ISREG(status.st_mode) || isIn("/dev/") || isIn("/proc/")))
    {
        throw InputError(path + ": is there already and no regular file");
    }
}

/** "x.part-" and 16 digits that nobody can know beforehand, so that nothing waits there. */
std::string
RandomName(const std::string& path)
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

/** @return where a file without a name can be linked from */
std::string
DescriptorPath(int file)
{
    return "/proc/self/fd/" + std::to_string(file);
}

/** @return a file without a name in the folder of @p path; below 0: its file system has no such files */
int
OpenUnnamed(const std::string& path)
{
    const auto slash = path.rfind('/');
    const auto folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    const int file = ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, g_anyoneAsUmaskAllows);
    if (file >= 0 && ::access(DescriptorPath(file).c_str(), F_OK) != 0)
    {
        ::close(file);
        return -1;
    }
    return file;
}

} // namespace

AtomicFile::AtomicFile(std::string path)
    : m_path(std::move(path))
{
    CheckReplaceable(m_path);
    m_file = OpenUnnamed(m_path);
    if (m_file < 0)
    {
        auto name = RandomName(m_path);
        // A new file: what stands there, a link as well, is never opened.
        m_file = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, g_anyoneAsUmaskAllows);
        if (m_file < 0)
        {
            Fail(errno);
        }
        m_partPath = std::move(name);
    }
}

AtomicFile::~AtomicFile()
{
    if (m_mapped != nullptr)
    {
        ::munmap(m_mapped, m_mappedBytes);
    }
    if (m_file >= 0)
    {
        ::close(m_file);
    }
    if (!m_partPath.empty())
    {
        ::unlink(m_partPath.c_str());
    }
}

void
AtomicFile::Fail(int error) const
{
    ThrowFileError(m_path, "cannot be written", error);
}

void
AtomicFile::Write(std::string_view text)
{
    while (!text.empty())
    {
        ThrowIfInterrupted();
        const auto written = ::write(m_file, text.data(), text.size());
        if (written < 0 && errno != EINTR)
        {
            Fail(errno);
        }
        text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
}

void
AtomicFile::Write(const void* data, std::size_t bytes)
{
    Write(std::string_view(static_cast<const char*>(data), bytes));
}

void*
AtomicFile::Map(std::size_t bytes)
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
        Fail(error);
    }
    void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_file, 0);
    if (mapped == MAP_FAILED)
    {
        Fail(errno);
    }
    m_mapped = mapped;
    m_mappedBytes = bytes;
    return m_mapped;
}

void
AtomicFile::Close()
{
    ThrowIfInterrupted();
    const bool isMapped = m_mapped != nullptr;
    const bool isOnDisk =
        (!isMapped || ::msync(m_mapped, m_mappedBytes, MS_SYNC) == 0) && ::fsync(m_file) == 0;
    const int error = errno;
    ThrowIfInterrupted();
    if (!isOnDisk)
    {
        Fail(error);
    }
    if (m_partPath.empty())
    {
        auto name = RandomName(m_path);
        if (::linkat(AT_FDCWD,
                     DescriptorPath(m_file).c_str(),
                     AT_FDCWD,
                     name.c_str(),
                     AT_SYMLINK_FOLLOW) != 0)
        {
            Fail(errno);
        }
        m_partPath = std::move(name);
    }
    if (::close(std::exchange(m_file, -1)) != 0)
    {
        Fail(errno);
    }
}

void
AtomicFile::Publish()
{
    if (std::rename(m_partPath.c_str(), m_path.c_str()) != 0)
    {
        Fail(errno);
    }
    m_partPath.clear();
}

void
AtomicFile::Finish()
{
    Close();
    Publish();
}

void
WriteAtomically(const std::vector<FileText>& files)
{
    std::vector<std::unique_ptr<AtomicFile>> closed;
    for (const auto& file : files)
    {
        closed.push_back(std::make_unique<AtomicFile>(file.path));
        closed.back()->Write(file.text);
        closed.back()->Close();
    }
    for (const auto& file : closed)
    {
        file->Publish();
    }
}

} // namespace inca
