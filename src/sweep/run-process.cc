/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/run-process.h"

#include "base/errors.h"
#include "base/file-error.h"
#include "sweep/run-text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace inca
{

namespace
{

constexpr unsigned FIRST_SHARE{128}; ///< no text of TellOf begins with such a byte
constexpr double SHARES{100};

/** Tells the other end of @p descriptor, at most so often: each time wakes who reads it. */
RunProgress
ToldTo(int descriptor, std::chrono::milliseconds tellEvery)
{
    using Clock = std::chrono::steady_clock;
    return [descriptor, tellEvery, told = Clock::now()](double share) mutable {
        const auto now = Clock::now();
        if (now - told < tellEvery)
        {
            return;
        }
        told = now;
        const auto hundredths = static_cast<unsigned>(std::clamp(share, 0.0, 1.0) * SHARES);
        const auto byte = static_cast<unsigned char>(FIRST_SHARE + hundredths);
        [[maybe_unused]] const auto count = ::write(descriptor, &byte, 1); // the text fails, too
    };
}

/** Neither destructors nor buffers of the process that it was split from are this one's business. */
[[noreturn]] void
LiveAndDie(int descriptor,
           const std::function<RunRecord(const RunProgress&)>& run,
           std::chrono::milliseconds tellEvery)
{
    const auto text = TellOf([&] { return run(ToldTo(descriptor, tellEvery)); });
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
            Take({buffer.data(), static_cast<std::size_t>(count)});
        }
    }

    double Share() const override
    {
        return m_share;
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
    /** Shares, until the text begins. */
    void Take(std::string_view bytes)
    {
        const auto isShare = [](char byte) {
            return static_cast<unsigned char>(byte) >= FIRST_SHARE;
        };
        for (; m_text.empty() && !bytes.empty() && isShare(bytes.front()); bytes.remove_prefix(1))
        {
            m_share = (static_cast<unsigned char>(bytes.front()) - FIRST_SHARE) / SHARES;
        }
        m_text.append(bytes);
    }

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
    double m_share{0};
};

} // namespace

std::unique_ptr<RunProcess>
WatchRun(int process, int descriptor)
{
    return std::make_unique<PipedRun>(process, descriptor);
}

std::unique_ptr<RunProcess>
StartRun(const std::function<RunRecord(const RunProgress&)>& run,
         std::chrono::milliseconds tellEvery)
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
        LiveAndDie(pipe[1], run, tellEvery);
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
