/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/run-process.h"

#include "base/errors.h"
#include "base/interrupt.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <sstream>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace inca
{

namespace
{

/** How a run ended: the first character of what its process writes; the rest is figures or text. */
enum Ending : char
{
    DONE = 'd',
    REFUSED = 'r',
    BROKEN = 'b',
    INTERRUPTED = 'i',
    FAILED = 'f',
};

/** Every part of the shares, in one order for writing and reading. */
template <class Shares>
auto
PartsOf(Shares& shares)
{
    return std::array{&shares.forwardPs,
                      &shares.backwardPs,
                      &shares.copyPs,
                      &shares.codecPs,
                      &shares.sumPs,
                      &shares.updatePs,
                      &shares.communicationPs};
}

std::string
Text(const MeasuredRun& run)
{
    auto text = std::string(1, DONE) + std::to_string(run.exchangePs);
    for (const auto* part : PartsOf(run.shares))
    {
        text += ' ' + std::to_string(*part);
    }
    for (const auto ps : run.iterationEndsPs)
    {
        text += ' ' + std::to_string(ps);
    }
    return text;
}

MeasuredRun
Parse(const std::string& text, const Scenario& scenario)
{
    MeasuredRun run{scenario, 0, {}};
    std::istringstream numbers(text);
    numbers >> run.exchangePs;
    for (auto* part : PartsOf(run.shares))
    {
        numbers >> *part;
    }
    for (std::int64_t ps = 0; numbers >> ps;)
    {
        run.iterationEndsPs.push_back(ps);
    }
    return run;
}

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
RunAndTell(const Scenario& scenario, const ScenarioRunner& run)
{
    try
    {
        return Text(Measure(scenario, run, [](double) {}));
    }
    catch (const InputError& error)
    {
        return std::string(1, REFUSED) + error.what();
    }
    catch (const InvariantError& error)
    {
        return std::string(1, BROKEN) + error.what();
    }
    catch (const Interrupted&)
    {
        return std::string(1, INTERRUPTED);
    }
    catch (const std::exception& error)
    {
        return std::string(1, FAILED) + error.what();
    }
}

/** Neither destructors nor buffers of the process that it was split from are this one's business. */
[[noreturn]] void
LiveAndDie(int descriptor, const Scenario& scenario, const ScenarioRunner& run)
{
    const auto text = RunAndTell(scenario, run);
    for (std::size_t written = 0; written < text.size();)
    {
        const auto count = ::write(descriptor, text.data() + written, text.size() - written);
        if (count < 0 && errno != EINTR)
        {
            break;
        }
        written += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    ::_exit(0);
}

class ForkedRun : public RunProcess
{
  public:
    ForkedRun(const Scenario& scenario, const ScenarioRunner& run)
    {
        std::array<int, 2> pipe{};
        if (::pipe(pipe.data()) != 0)
        {
            throw RunError(std::string("no pipe for another run: ") + std::strerror(errno));
        }
        m_process = ::fork();
        if (m_process == 0)
        {
            ::close(pipe[0]);
            LiveAndDie(pipe[1], scenario, run);
        }
        ::close(pipe[1]);
        m_descriptor = pipe[0];
        if (m_process < 0)
        {
            ::close(m_descriptor);
            throw RunError(std::string("no process for another run: ") + std::strerror(errno));
        }
        ::fcntl(m_descriptor, F_SETFL, O_NONBLOCK);
    }

    ~ForkedRun() override
    {
        ::close(m_descriptor);
        ::kill(m_process, SIGKILL); // nothing to lose: it writes no files
        ::waitpid(m_process, nullptr, 0);
    }

    ForkedRun(const ForkedRun&) = delete;
    ForkedRun& operator=(const ForkedRun&) = delete;

    int Descriptor() const override
    {
        return m_descriptor;
    }

    bool HasEnded() override
    {
        std::array<char, 4096> buffer{};
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

    MeasuredRun Result(const Scenario& scenario) override
    {
        const auto rest = m_text.empty() ? "" : m_text.substr(1);
        switch (m_text.empty() ? '\0' : m_text.front())
        {
        case DONE:
            return Parse(rest, scenario);
        case REFUSED:
            throw InputError(Lines(rest));
        case BROKEN:
            throw InvariantError(rest);
        case INTERRUPTED:
            throw Interrupted();
        case FAILED:
            throw RunError(rest);
        default:
            throw RunError("the process of a run died; is there enough memory for --jobs?");
        }
    }

  private:
    ::pid_t m_process{-1};
    int m_descriptor{-1};
    std::string m_text; ///< read so far
};

} // namespace

std::unique_ptr<RunProcess>
StartRun(const Scenario& scenario, const ScenarioRunner& run)
{
    return std::make_unique<ForkedRun>(scenario, run);
}

void
WaitForOutput(const std::vector<RunProcess*>& processes)
{
    constexpr int lookAgainMs = 1000; // a signal may come just before the wait
    std::vector<::pollfd> descriptors;
    for (const auto* process : processes)
    {
        descriptors.push_back({process->Descriptor(), POLLIN, 0});
    }
    ::poll(descriptors.data(), descriptors.size(), lookAgainMs);
}

} // namespace inca
