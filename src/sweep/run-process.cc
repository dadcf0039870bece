/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/run-process.h"

#include "base/errors.h"
#include "base/file-error.h"
#include "base/interrupt.h"
#include "base/units.h"
#include "record/record-bytes.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <new>
#include <sstream>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace inca
{

namespace
{

/** How a run ended: the first character of what its process writes; a record or a text follows. */
enum Ending : char
{
    DONE = 'd',
    REFUSED = 'r',
    MISREAD = 'u',
    BROKEN = 'b',
    INTERRUPTED = 'i',
    NO_MEMORY = 'm',
    FAILED = 'f',
};

std::vector<std::string>
Lines(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

std::string
RunAndTell(const std::function<RunRecord()>& run)
{
    try
    {
        return std::string(1, DONE) + BytesOf(run());
    }
    catch (const InputError& error)
    {
        return std::string(1, REFUSED) + error.what();
    }
    catch (const UnitError& error)
    {
        return std::string(1, MISREAD) + error.what();
    }
    catch (const Interrupted& interrupted)
    {
        return std::string(1, INTERRUPTED) + std::to_string(interrupted.Signal());
    }
    catch (const RunError& error)
    {
        return std::string(1, FAILED) + error.what();
    }
    catch (const std::bad_alloc&)
    {
        return std::string(1, NO_MEMORY);
    }
    catch (const std::exception& error)
    {
        return std::string(1, BROKEN) + error.what();
    }
}

/** @throws what the process has told of as an error */
RunRecord
ResultOf(char ending, const std::string& rest)
{
    switch (ending)
    {
    case DONE:
        return RecordOf(rest);
    case REFUSED:
        throw InputError(Lines(rest));
    case MISREAD:
        throw UnitError(rest);
    case INTERRUPTED:
        throw Interrupted(std::stoi(rest));
    case FAILED:
        throw RunError(rest);
    case NO_MEMORY:
        throw std::bad_alloc();
    default:
        throw InvariantError(rest);
    }
}

/** Neither destructors nor buffers of the process that it was split from are this one's business. */
[[noreturn]] void
LiveAndDie(int descriptor, const std::function<RunRecord()>& run)
{
    const auto text = RunAndTell(run);
    for (std::size_t written = 0; written < text.size();)
    {
        const auto count = ::write(descriptor, text.data() + written, text.size() - written);
        if (count < 0 && errno != EINTR)
        {
            ::_exit(1);
        }
        written += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    ::_exit(0);
}

/** A parent that is killed cannot end its children; the system does. */
void
DieWith(::pid_t parent)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) // gone before that
    {
        ::_exit(1);
    }
}

class ForkedRun : public RunProcess
{
  public:
    explicit ForkedRun(const std::function<RunRecord()>& run)
    {
        std::array<int, 2> pipe{};
        if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
        {
            throw RunError("no pipe for another run: " + ErrorReason(errno));
        }
        const auto parent = ::getpid();
        m_process = ::fork();
        if (m_process == 0)
        {
            DieWith(parent);
            ::close(pipe[0]);
            LiveAndDie(pipe[1], run);
        }
        const int error = errno;
        ::close(pipe[1]);
        m_descriptor = pipe[0];
        if (m_process < 0)
        {
            ::close(m_descriptor);
            throw RunError("no process for another run: " + ErrorReason(error));
        }
        ::fcntl(m_descriptor, F_SETFL, O_NONBLOCK);
    }

    ~ForkedRun() override
    {
        ::close(m_descriptor);
        if (m_process > 0)
        {
            ::kill(m_process, SIGKILL); // nothing to lose: it writes no files
            Wait();
        }
    }

    ForkedRun(const ForkedRun&) = delete;
    ForkedRun& operator=(const ForkedRun&) = delete;

    int Descriptor() const override
    {
        return m_descriptor;
    }

    bool HasEnded() override
    {
        std::array<char, 65'536> buffer{};
        for (;;)
        {
            const auto count = ::read(m_descriptor, buffer.data(), buffer.size());
            if (count <= 0)
            {
                return count == 0;
            }
            m_text.append(buffer.data(), static_cast<std::size_t>(count));
        }
    }

    RunRecord Result() override
    {
        const int status = Wait();
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || m_text.empty())
        {
            throw RunError("the process of a run died; is there enough memory for --jobs?");
        }
        return ResultOf(m_text.front(), m_text.substr(1));
    }

  private:
    /** @return the status of the process, which is gone then */
    int Wait()
    {
        int status = 0;
        while (::waitpid(m_process, &status, 0) < 0 && errno == EINTR)
        {
        }
        m_process = -1;
        return status;
    }

    ::pid_t m_process{-1};
    int m_descriptor{-1};
    std::string m_text; ///< read so far
};

} // namespace

std::unique_ptr<RunProcess>
StartRun(const std::function<RunRecord()>& run)
{
    return std::make_unique<ForkedRun>(run);
}

void
WaitForOutput(const std::vector<RunProcess*>& processes, int mostMs)
{
    std::vector<::pollfd> descriptors;
    for (const auto* process : processes)
    {
        descriptors.push_back({process->Descriptor(), POLLIN, 0});
    }
    ::poll(descriptors.data(), descriptors.size(), mostMs);
}

} // namespace inca
