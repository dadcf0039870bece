/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/mapped-file.h"

#include "base/errors.h"
#include "base/file-error.h"

#include <cerrno>
#include <optional>

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
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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

} // namespace

MappedFile::MappedFile(const std::string& path)
    : m_path(path),
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
    }
    catch (...)
    {
        ::close(m_descriptor);
        throw;
    }
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
