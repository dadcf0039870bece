/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/input-file.h"

#include "base/errors.h"
#include "base/file-error.h"
#include "base/interrupt.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace inca
{

namespace
{

[[noreturn]] void
Refuse(const std::string& path, int error)
{
    throw InputError(path + ": cannot be read: " + ErrorReason(error));
}

/** A pipe opens at once, and it is the reading that waits. */
int
Open(const std::string& path)
{
    const int descriptor = ::open(PathOf(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
    {
        Refuse(path, errno);
    }
    return descriptor;
}

void
WaitForBytes(int descriptor)
{
    constexpr int lookAgainMs = 200; // a signal may come just before the wait
    ::pollfd wanted{descriptor, POLLIN, 0};
    while (::poll(&wanted, 1, lookAgainMs) <= 0)
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
      m_descriptor(Open(m_path))
{
}

InputFile::InputFile(std::string name, int descriptor)
    : m_path(std::move(name)),
      m_descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
{
    if (m_descriptor < 0)
    {
        Refuse(m_path, errno);
    }
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
        WaitForBytes(m_descriptor);
        const auto got = ::read(m_descriptor, out, most);
        if (got >= 0)
        {
            return static_cast<std::size_t>(got);
        }
        if (errno != EINTR && errno != EAGAIN)
        {
            Refuse(m_path, errno);
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

} // namespace inca
