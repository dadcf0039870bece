/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/descriptor-pair.h"

#include "base/errors.h"
#include "base/file-error.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace inca
{

DescriptorPair
DescriptorPair::Pipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    {
        throw RunError("no pipe for another run: " + ErrorReason(errno));
    }
    return DescriptorPair(ends);
}

DescriptorPair
DescriptorPair::Sockets()
{
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    {
        throw RunError("no sockets for another run: " + ErrorReason(errno));
    }
    return DescriptorPair(ends);
}

DescriptorPair::~DescriptorPair()
{
    Close(0);
    Close(1);
}

int
DescriptorPair::Take(std::size_t end)
{
    return std::exchange(m_ends[end], -1);
}

void
DescriptorPair::Close(std::size_t end)
{
    if (m_ends[end] >= 0)
    {
        ::close(Take(end));
    }
}

bool
WriteAll(int descriptor, std::string_view text)
{
    while (!text.empty())
    {
        const auto count = ::write(descriptor, text.data(), text.size());
        if (count < 0 && errno != EINTR)
        {
            return false;
        }
        text.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
    }
    return true;
}

} // namespace inca
