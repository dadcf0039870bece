/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_FUZZ_FILE_IN_MEMORY_H
#define INCA_TEST_FUZZ_FILE_IN_MEMORY_H

#include "fuzz/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace inca
{

/** A file that is on no disk, for readers that take a path. */
class FileInMemory
{
  public:
    FileInMemory()
        : m_path("/dev/shm/inca-fuzz-" + std::to_string(getpid())),
          m_descriptor(
              open(m_path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR))
    {
        Require(m_descriptor >= 0);
    }

    ~FileInMemory()
    {
        close(m_descriptor);
        unlink(m_path.c_str());
    }

    FileInMemory(const FileInMemory&) = delete;
    FileInMemory& operator=(const FileInMemory&) = delete;

    void Write(const std::string& text) const
    {
        Require(ftruncate(m_descriptor, 0) == 0);
        const auto size = static_cast<ssize_t>(text.size());
        Require(pwrite(m_descriptor, text.data(), text.size(), 0) == size);
    }

    std::string Read() const
    {
        std::string text(static_cast<std::size_t>(lseek(m_descriptor, 0, SEEK_END)), '\0');
        const auto size = static_cast<ssize_t>(text.size());
        Require(pread(m_descriptor, text.data(), text.size(), 0) == size);
        return text;
    }

    const std::string& Path() const
    {
        return m_path;
    }

  private:
    std::string m_path;
    int m_descriptor;
};

} // namespace inca

#endif // INCA_TEST_FUZZ_FILE_IN_MEMORY_H
