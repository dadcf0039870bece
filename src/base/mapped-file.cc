/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/mapped-file.h"

#include "base/errors.h"
#include "base/file-error.h"
#include "base/printable.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <optional>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace inca
{

namespace
{

/** Without waiting for a pipe's other end. @throws InputError */
int
Open(const std::string& path)
{
    const int descriptor = ::open(PathOf(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
    {
        throw InputError(path + ": cannot be read: " + ErrorReason(errno));
    }
    return descriptor;
}

/** @return the size of a regular file */
std::optional<std::uint64_t>
SizeOf(int descriptor)
{
    struct stat status = {};
    const bool isFile = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    return isFile ? std::optional(static_cast<std::uint64_t>(status.st_size)) : std::nullopt;
}

/** @return null for no bytes @throws InputError */
const std::uint8_t*
Map(int descriptor, std::size_t bytes, const std::string& path)
{
    if (bytes == 0)
    {
        return nullptr;
    }
    void* mapped = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapped == MAP_FAILED)
    {
        throw InputError(path + ": cannot be mapped: " + ErrorReason(errno));
    }
    return static_cast<const std::uint8_t*>(mapped);
}

/** All that are open. Signal handlers cannot be given anything, so this is a variable of the file. */
struct OpenFiles
{
    std::mutex mutex;
    std::vector<const MappedFile*> files;
};

OpenFiles&
AllOpen()
{
    static OpenFiles all;
    return all;
}

void
Add(const MappedFile* file)
{
    const std::lock_guard<std::mutex> lock(AllOpen().mutex);
    AllOpen().files.push_back(file);
}

void
Remove(const MappedFile* file)
{
    const std::lock_guard<std::mutex> lock(AllOpen().mutex);
    auto& files = AllOpen().files;
    files.erase(std::remove(files.begin(), files.end(), file), files.end());
}

/** Whoever reads a file's bytes keeps it open, so the list does not change under this. */
extern "C" void
EndOnLostByte(int signal, siginfo_t* info, void* /*context*/)
{
    for (const auto* file : AllOpen().files)
    {
        if (const auto* loss = file->LossAt(info->si_addr); loss != nullptr)
        {
            const auto written = ::write(STDERR_FILENO, loss, std::strlen(loss));
            ::_exit(
                static_cast<int>(written < 0 ? ExitCode::NOT_FINISHED : ExitCode::INPUT_REFUSED));
        }
    }
    std::signal(signal, SIG_DFL); // not ours: it comes again, and ends the program
}

} // namespace

void
EndOnLostBytes()
{
    AllOpen();
    struct sigaction action = {};
    action.sa_sigaction = EndOnLostByte;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGBUS, &action, nullptr);
}

MappedFile::MappedFile(const std::string& path)
    : m_path(path),
      m_loss("inca: " + Printable(path) + ": has become shorter while it was read\n"),
      m_descriptor(Open(path))
{
    try
    {
        const auto size = SizeOf(m_descriptor);
        if (!size)
        {
            throw InputError(path + ": is no regular file");
        }
        m_bytes = static_cast<std::size_t>(*size);
        m_data = Map(m_descriptor, m_bytes, path);
        Add(this);
    }
    catch (...)
    {
        ::close(m_descriptor);
        throw;
    }
}

MappedFile::~MappedFile()
{
    Remove(this);
    if (m_data != nullptr)
    {
        ::munmap(const_cast<std::uint8_t*>(m_data), m_bytes);
    }
    ::close(m_descriptor);
}

const char*
MappedFile::LossAt(const void* address) const
{
    const auto* byte = static_cast<const std::uint8_t*>(address);
    const bool isHere = m_data != nullptr && byte >= m_data && byte < m_data + m_bytes;
    return isHere ? m_loss.c_str() : nullptr;
}

void
MappedFile::Read(std::uint64_t offset, std::uint64_t bytes, void* out) const
{
    auto* next = static_cast<std::uint8_t*>(out);
    while (bytes > 0)
    {
        const auto got = ::pread(m_descriptor, next, bytes, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR)
        {
            continue;
        }
        if (got <= 0)
        {
            throw InputError(m_path + ": cannot be read to its end");
        }
        next += got;
        offset += static_cast<std::uint64_t>(got);
        bytes -= static_cast<std::uint64_t>(got);
    }
}

} // namespace inca
