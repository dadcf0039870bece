/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_SUPPORT_FULL_DISK_H
#define INCA_TEST_SUPPORT_FULL_DISK_H

#include <csignal>
#include <sys/resource.h>

namespace inca
{

/** No file of this process may grow beyond @p bytes while this lives: a disk that is full. */
class FullDisk
{
  public:
    explicit FullDisk(rlim_t bytes)
        : m_handler(std::signal(SIGXFSZ, SIG_IGN))
    {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit small{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
    }

    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

    ~FullDisk()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }

  private:
    rlimit m_before{};
    void (*m_handler)(int);
};

} // namespace inca

#endif // INCA_TEST_SUPPORT_FULL_DISK_H
