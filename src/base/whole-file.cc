/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/whole-file.h"

#include "base/errors.h"
#include "base/file-error.h"
#include "base/interrupt.h"

#include <cerrno>
#include <cstdio>
#include <memory>
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
constexpr const char* g_notWritten = "cannot be written";

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

} // namespace

WholeFile::WholeFile(std::string path)
    : m_path(std::move(path)),
      m_partPath(m_path + ".part-" + std::to_string(::getpid()))
{
    CheckReplaceable(m_path);
    m_file =
        ::open(m_partPath.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, g_anyoneAsUmaskAllows);
    if (m_file < 0)
    {
        ThrowFileError(m_path, g_notWritten, errno);
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
        ::unlink(m_partPath.c_str());
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
        ThrowFileError(m_path, g_notWritten, errno);
    }
}

void
WholeFile::Finish()
{
    Flush();
    if (std::rename(m_partPath.c_str(), m_path.c_str()) != 0)
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
        file->Finish();
    }
}

void
WriteWholeFile(const std::string& path, const std::string& text)
{
    WriteWholeFiles({{path, text}});
}

} // namespace inca
