/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/run-process.h"

#include "base/errors.h"
#include "base/file-error.h"
#include "sweep/descriptor-pair.h"
#include "sweep/run-text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

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

/** What TellRun writes, as far as it has come. */
class RunOutput
{
  public:
    void Take(std::string_view bytes)
    {
        const auto isShare = [](char byte) {
            return static_cast<unsigned char>(byte) >= FIRST_SHARE;
        };
        for (; m_bytes.empty() && !bytes.empty() && isShare(bytes.front()); bytes.remove_prefix(1))
        {
            m_share = (static_cast<unsigned char>(bytes.front()) - FIRST_SHARE) / SHARES;
        }
        m_bytes.append(bytes);
    }

    double Share() const
    {
        return m_share;
    }

    /** Whether all of the text is there. */
    bool IsWhole() const
    {
        std::size_t size = 0;
        const auto* const end = m_bytes.data() + m_bytes.size();
        const auto line = std::from_chars(m_bytes.data(), end, size);
        const bool isSized = line.ec == std::errc() && line.ptr != end && *line.ptr == '\n';
        return isSized && static_cast<std::size_t>(end - line.ptr - 1) >= size;
    }

    /** The text, which is whole. */
    std::string Text() const
    {
        return m_bytes.substr(m_bytes.find('\n') + 1);
    }

  private:
    double m_share{0};
    std::string m_bytes; ///< from the text's size on
};

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
        ::kill(m_process, SIGKILL); // nothing to lose: it writes no files
        while (::waitpid(m_process, nullptr, 0) < 0 && errno == EINTR)
        {
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
                const bool isGone = count == 0 || (errno != EAGAIN && errno != EINTR);
                return isGone || m_output.IsWhole();
            }
            m_output.Take({buffer.data(), static_cast<std::size_t>(count)});
        }
    }

    double Share() const override
    {
        return m_output.Share();
    }

    void BeginAnother() override
    {
        m_output = {};
    }

    std::string Text() override
    {
        return m_output.IsWhole() ? m_output.Text() : TellOf(Die);
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

    ::pid_t m_process;
    int m_descriptor;
    RunOutput m_output;
};

} // namespace

std::unique_ptr<RunProcess>
WatchRun(int process, int descriptor)
{
    return std::make_unique<PipedRun>(process, descriptor);
}

void
TellRun(int descriptor,
        const std::function<RunRecord(const RunProgress&)>& run,
        std::chrono::milliseconds tellEvery)
{
    const auto text = TellOf([&] { return run(ToldTo(descriptor, tellEvery)); });
    if (!WriteAll(descriptor, std::to_string(text.size()) + "\n" + text))
    {
        ::_exit(1); // nobody reads it
    }
}

int
SplitOff(const std::function<void()>& work)
{
    const auto parent = ::getpid();
    const auto process = ::fork();
    if (process == 0)
    {
        DieWith(parent);
        work();
        ::_exit(0);
    }
    if (process < 0)
    {
        throw RunError("no process for another run: " + ErrorReason(errno));
    }
    return process;
}

std::unique_ptr<RunProcess>
StartRun(const std::function<RunRecord(const RunProgress&)>& run,
         std::chrono::milliseconds tellEvery)
{
    auto pipe = DescriptorPair::Pipe();
    const auto process = SplitOff([&] {
        pipe.Close(0);
        TellRun(pipe.End(1), run, tellEvery);
    });
    return WatchRun(process, pipe.Take(0));
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
