/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/live-sweeps.h"

#include "base/errors.h"
#include "base/file-error.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace inca
{

namespace
{

constexpr mode_t g_anyoneAsUmaskAllows = 0666;

struct flock
LockOf(std::int64_t number)
{
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = number;
    lock.l_len = 1;
    return lock;
}

} // namespace

LiveSweeps::LiveSweeps(std::string path)
    : m_path(std::move(path)),
      m_file(::open(m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, g_anyoneAsUmaskAllows))
{
    if (m_file < 0)
    {
        ThrowFileError(m_path, "cannot be opened to write", errno);
    }
}

LiveSweeps::~LiveSweeps()
{
    ::close(m_file);
}

void
LiveSweeps::Enter(std::int64_t number)
{
    auto lock = LockOf(number);
    if (::fcntl(m_file, F_SETLK, &lock) != 0)
    {
        throw RunError(m_path + ": cannot be locked: " + ErrorReason(errno));
    }
    m_own = number;
}

bool
LiveSweeps::IsAtWork(std::int64_t number) const
{
    auto lock = LockOf(number);
    return number == m_own || (::fcntl(m_file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK);
}

} // namespace inca
