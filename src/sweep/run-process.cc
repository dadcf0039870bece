/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/run-process.h"

#include "base/errors.h"
#include "base/file-error.h"
#include "sweep/run-text.h"

#include <array>
#include <cerrno>
#include <csignal>
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

/** Neither destructors nor buffers of the process that it was split from are this one's business. */
[[noreturn]] void
LiveAndDie(int descriptor, const std::function<RunRecord()>& run)
{
    const auto text = TellOf(run);
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

class PipedRun : public RunProcess
{
  public:
    PipedRun(::pid_t process, int descriptor)
        : m_process(process),
          m_descriptor(descriptor)
    {
        ::fcntl(m_descriptor, F_SETFL, O_NONBLOCK);
    }

    ~PipedRun() override
    {
        ::close(m_descriptor);
        if (m_process > 0)
        {
            ::kill(m_process, SIGKILL); // nothing to lose: it writes no files
            Wait();
        }
    }

    PipedRun(const PipedRun&) = delete;
    PipedRun& operator=(const PipedRun&) = delete;

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

    std::string Text() override
    {
        const int status = Wait();
        const bool died = !WIFEXITED(status) || WEXITSTATUS(status) != 0 || m_text.empty();
        return died ? TellOf(Die) : m_text;
    }

    RunRecord Result() override
    {
        return RecordTold(Text());
    }

  private:
    static RunRecord Die()
    {
        throw RunError("the process of a run died; is there enough memory for --jobs?");
    }

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

    ::pid_t m_process;
    int m_descriptor;
    std::string m_text; ///< read so far
};

} // namespace

std::unique_ptr<RunProcess>
WatchRun(int process, int descriptor)
{
    return std::make_unique<PipedRun>(process, descriptor);
}

std::unique_ptr<RunProcess>
StartRun(const std::function<RunRecord()>& run)
{
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
    {
        throw RunError("no pipe for another run: " + ErrorReason(errno));
    }
    const auto parent = ::getpid();
    const auto process = ::fork();
    if (process == 0)
    {
        DieWith(parent);
        ::close(pipe[0]);
        LiveAndDie(pipe[1], run);
    }
    const int error = errno;
    ::close(pipe[1]);
    if (process < 0)
    {
        ::close(pipe[0]);
        throw RunError("no process for another run: " + ErrorReason(error));
    }
    return WatchRun(process, pipe[0]);
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
