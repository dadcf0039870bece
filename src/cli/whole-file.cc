/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/whole-file.h"

#include "base/errors.h"
#include "base/interrupt.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace inca
{

namespace
{

constexpr mode_t g_anyoneAsUmaskAllows = 0666;

std::string
Reason(int error)
{
    return std::generic_category().message(error);
}

/** @throws InputError unless @p path is free or a regular file */
void
CheckReplaceable(const std::string& path)
{
    struct stat status = {};
    if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    {
        throw InputError(path + ": is there already and no regular file");
    }
}

} // namespace

WholeFile::WholeFile(std::string path)
    : m_path(std::move(path)),
      m_partPath(m_path + ".part-" + std::to_string(getpid()))
{
    CheckReplaceable(m_path);
    m_file =
        open(m_partPath.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, g_anyoneAsUmaskAllows);
    if (m_file < 0 && (errno == ENOSPC || errno == EDQUOT))
    {
        Fail(errno);
    }
    if (m_file < 0)
    {
        throw InputError(m_path + ": cannot be written: " + Reason(errno));
    }
}

WholeFile::~WholeFile()
{
    if (m_mapped != nullptr)
    {
        munmap(m_mapped, m_mappedBytes);
    }
    if (m_file >= 0)
    {
        close(m_file);
        unlink(m_partPath.c_str());
    }
}

void
WholeFile::Fail(int error) const
{
    throw RunError(m_path + ": cannot be written: " + Reason(error));
}

void
WholeFile::Write(const std::uint8_t* data, std::size_t bytes)
{
    while (bytes > 0)
    {
        ThrowIfInterrupted();
        const auto written = write(m_file, data, bytes);
        if (written < 0 && errno != EINTR)
        {
            Fail(errno);
        }
        const auto done = static_cast<std::size_t>(std::max<ssize_t>(written, 0));
        data += done;
        bytes -= done;
    }
}

void*
WholeFile::Map(std::size_t bytes)
{
    if (bytes == 0)
    {
        return nullptr;
    }
    // A page without room on the disk would end the program when it is written to.
    const int error = posix_fallocate(m_file, 0, static_cast<off_t>(bytes));
    ThrowIfInterrupted();
    if (error != 0)
    {
        Fail(error);
    }
    void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_file, 0);
    if (mapped == MAP_FAILED)
    {
        Fail(errno);
    }
    m_mapped = mapped;
    m_mappedBytes = bytes;
    return m_mapped;
}

void
WholeFile::Finish()
{
    ThrowIfInterrupted();
    const bool isMapped = m_mapped != nullptr;
    if (isMapped && msync(m_mapped, m_mappedBytes, MS_SYNC) != 0)
    {
        Fail(errno);
    }
    if (fsync(m_file) != 0 || std::rename(m_partPath.c_str(), m_path.c_str()) != 0)
    {
        Fail(errno);
    }
    close(std::exchange(m_file, -1));
}

} // namespace inca
