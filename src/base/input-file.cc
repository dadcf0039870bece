/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/input-file.h"

#include "base/errors.h"
#include "base/interrupt.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace inca
{

namespace
{

/** @return @p result of a system call, unless it failed @throws InputError; Interrupted */
int
Checked(int result, const std::string& path)
{
    if (result < 0)
    {
        const int error = errno;
        ThrowIfInterrupted();
        throw InputError(path + ": cannot be read: " + ErrorReason(error));
    }
    return result;
}

/** Waits until something can be read, or a signal has come, which may be just before a read that it would not end. */
void
WaitForInput(int descriptor)
{
    constexpr int betweenLooksMs = 100;
    pollfd input{descriptor, POLLIN, 0};
    while (::poll(&input, 1, betweenLooksMs) == 0)
    {
        ThrowIfInterrupted();
    }
}

std::string
ReadAll(InputFile& file, const std::string& name, std::size_t most, std::string_view why)
{
    constexpr std::size_t pieceBytes = 1U << 16U;
    std::string text;
    std::string piece(pieceBytes, '\0');
    for (auto got = piece.size(); got > 0 && text.size() <= most;)
    {
        got = file.Read(piece.data(), piece.size());
        text.append(piece, 0, got);
    }
    if (text.size() > most)
    {
        throw InputError(name + ": " + std::string(why));
    }
    return text;
}

} // namespace

InputFile::InputFile(std::string path)
    : m_path(std::move(path)),
      m_descriptor(Checked(::open(PathOf(m_path), O_RDONLY | O_CLOEXEC), m_path))
{
}

InputFile::InputFile(std::string name, int descriptor)
    : m_path(std::move(name)),
      m_descriptor(Checked(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0), m_path))
{
}

InputFile::~InputFile()
{
    ::close(m_descriptor);
}

std::size_t
InputFile::Read(char* out, std::size_t most)
{
    for (;;)
    {
        ThrowIfInterrupted();
        WaitForInput(m_descriptor);
        const auto got = ::read(m_descriptor, out, most);
        if (got >= 0)
        {
            return static_cast<std::size_t>(got);
        }
        if (errno != EINTR)
        {
            Checked(-1, m_path);
        }
    }
}

std::string
ReadInputFile(const std::string& path, std::size_t most, std::string_view why)
{
    InputFile file(path);
    return ReadAll(file, path, most, why);
}

std::string
ReadStandardInput(std::size_t most, std::string_view why)
{
    InputFile file(STDIN_NAME, STDIN_FILENO);
    return ReadAll(file, STDIN_NAME, most, why);
}

MappedFile::MappedFile(const std::string& path)
    : m_path(path),
      // without waiting for a pipe's other end
      m_descriptor(Checked(::open(PathOf(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK), path))
{
    struct stat status = {};
    const bool isFile = ::fstat(m_descriptor, &status) == 0 && S_ISREG(status.st_mode);
    m_bytes = isFile ? static_cast<std::size_t>(status.st_size) : 0;
    void* mapped =
        m_bytes == 0 ? nullptr : ::mmap(nullptr, m_bytes, PROT_READ, MAP_PRIVATE, m_descriptor, 0);
    if (!isFile || mapped == MAP_FAILED)
    {
        const auto why = isFile ? "cannot be mapped: " + ErrorReason(errno) : "is no regular file";
        ::close(m_descriptor);
        throw InputError(path + ": " + why);
    }
    m_data = static_cast<const std::uint8_t*>(mapped);
}

MappedFile::~MappedFile()
{
    if (m_data != nullptr)
    {
        ::munmap(const_cast<std::uint8_t*>(m_data), m_bytes);
    }
    ::close(m_descriptor);
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
