/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/run-slots.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/units.h"
#include "sweep/run-process.h"
#include "sweep/run-server.h"
#include "sweep/run-text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <new>
#include <string>
#include <utility>

namespace inca
{

namespace
{

constexpr double g_mostKeptBytes{64e6}; ///< that a run has taken whose process does another one

/** A number of bytes in a file of the system's; empty: there is none, or it says "max". */
std::optional<double>
BytesIn(const char* path)
{
    std::ifstream file(path);
    double bytes = 0;
    return file >> bytes ? std::optional(bytes) : std::nullopt;
}

double
LeftOf(const char* limitPath, const char* usedPath)
{
    const auto limit = BytesIn(limitPath);
    const auto used = BytesIn(usedPath);
    return limit && used ? *limit - *used : std::numeric_limits<double>::infinity();
}

double
AvailableBytes()
{
    constexpr double bytesPerKibibyte = 1024;
    std::ifstream file("/proc/meminfo");
    for (std::string line; std::getline(file, line);)
    {
        constexpr std::string_view name = "MemAvailable:";
        if (line.compare(0, name.size(), name) == 0)
        {
            return std::stod(line.substr(name.size())) * bytesPerKibibyte;
        }
    }
    return std::numeric_limits<double>::infinity();
}

class LocalSlots : public RunSlots
{
  public:
    explicit LocalSlots(const RunLimits& limits)
        : m_limits(limits)
    {
    }

    std::uint32_t Jobs() const override
    {
        return m_limits.jobs;
    }

    bool IsFull() const override
    {
        return m_running.size() >= m_limits.jobs;
    }

    bool IsIdle() const override
    {
        return m_running.empty();
    }

    bool HasRoomFor(double memoryBytes) const override
    {
        double taken = RUN_PROCESS_BYTES + memoryBytes;
        for (const auto& running : m_running)
        {
            taken += RUN_PROCESS_BYTES + running.memoryBytes;
        }
        return m_running.empty() || (!IsFull() && taken <= m_limits.memoryBytes);
    }

    void Start(std::size_t index, const Scenario& scenario, double memoryBytes) override
    {
        m_running.push_back({index, &scenario, memoryBytes, Clock::now(), ServerWith(scenario)});
    }

    std::map<std::size_t, double> Shares() const override
    {
        std::map<std::size_t, double> shares;
        for (const auto& running : m_running)
        {
            shares.emplace(running.index, running.server->Run().Share());
        }
        return shares;
    }

    std::vector<EndedRun> Wait() override
    {
        constexpr int lookAgainMs = 200;
        std::vector<RunProcess*> processes;
        for (const auto& running : m_running)
        {
            processes.push_back(&running.server->Run());
        }
        WaitForOutput(processes, lookAgainMs);
        ThrowIfInterrupted();
        std::vector<EndedRun> ended;
        for (auto running = m_running.begin(); running != m_running.end();)
        {
            auto result = EndOf(*running);
            if (result)
            {
                KeepServer(*running, result->status);
                ended.push_back({running->index, std::move(*result)});
            }
            running = result ? m_running.erase(running) : std::next(running);
        }
        return ended;
    }

  private:
    using Clock = std::chrono::steady_clock;

    struct Running
    {
        std::size_t index;
        const Scenario* scenario;
        double memoryBytes;
        Clock::time_point begin;
        std::unique_ptr<RunServer> server;
    };

    /** One that does nothing yet, or a new one. @return it, at work */
    std::unique_ptr<RunServer> ServerWith(const Scenario& scenario)
    {
        while (!m_idle.empty())
        {
            auto server = std::move(m_idle.back());
            m_idle.pop_back();
            if (server->Begin(scenario))
            {
                return server;
            }
        }
        auto server = std::make_unique<RunServer>();
        server->Begin(scenario); // if it is gone already, that is how its run ends
        return server;
    }

    /** If it can do another run: nothing went wrong, and it holds not much of this one's memory. */
    void KeepServer(Running& running, PointStatus status)
    {
        const bool isWell = status == PointStatus::DONE || status == PointStatus::REFUSED;
        if (isWell && !running.server->IsWornOut() && running.memoryBytes <= g_mostKeptBytes)
        {
            m_idle.push_back(std::move(running.server));
        }
    }

    std::optional<PointResult> EndOf(Running& running) const
    {
        if (auto& run = running.server->Run(); run.HasEnded())
        {
            return ResultTold(run.Text(), *running.scenario);
        }
        const std::chrono::duration<double> elapsed = Clock::now() - running.begin;
        if (m_limits.timeLimit && elapsed.count() > *m_limits.timeLimit)
        {
            return TimeoutResult(*m_limits.timeLimit, *running.scenario);
        }
        return std::nullopt;
    }

    RunLimits m_limits;
    std::vector<Running> m_running;
    std::vector<std::unique_ptr<RunServer>> m_idle;
};

} // namespace

std::unique_ptr<RunSlots>
MakeLocalSlots(const RunLimits& limits)
{
    return std::make_unique<LocalSlots>(limits);
}

PointResult
ResultTold(const std::string& text, const Scenario& scenario)
{
    try
    {
        return DoneResult(RecordTold(text));
    }
    catch (const InputError& error)
    {
        return ResultWithout(
            PointStatus::REFUSED, fmt::format("{}", fmt::join(error.Complaints(), "; ")), scenario);
    }
    catch (const UnitError& error)
    {
        return ResultWithout(PointStatus::REFUSED, error.what(), scenario);
    }
    catch (const InvariantError& error)
    {
        return ResultWithout(PointStatus::FAILED,
                             std::string("a bug of INCA, please report it: ") + error.what(),
                             scenario);
    }
    catch (const std::bad_alloc&)
    {
        return ResultWithout(PointStatus::FAILED, "out of memory", scenario);
    }
    catch (const RunError& error)
    {
        return ResultWithout(PointStatus::FAILED, error.what(), scenario);
    }
}

PointResult
TimeoutResult(double timeLimit, const Scenario& scenario)
{
    return ResultWithout(PointStatus::TIMEOUT,
                         fmt::format("took longer than --time-limit {:g} s", timeLimit),
                         scenario);
}

double
FreeMemoryBytes()
{
    return std::min({AvailableBytes(),
                     LeftOf("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
                     LeftOf("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                            "/sys/fs/cgroup/memory/memory.usage_in_bytes")});
}

} // namespace inca
