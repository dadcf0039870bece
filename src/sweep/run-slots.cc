/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/run-slots.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/units.h"
#include "experiment/run-experiment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <new>
#include <string>
#include <utility>

namespace inca
{

namespace
{

/** Of a process that shares its parent's pages, before it simulates anything. */
constexpr double g_processBytes = 16e6;

/** @return the result of an ended run @throws Interrupted if that is how it ended */
PointResult
ResultOf(RunProcess& process, const Scenario& scenario)
{
    try
    {
        return DoneResult(process.Result());
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

} // namespace

RunSlots::RunSlots(const RunLimits& limits)
    : m_limits(limits)
{
}

bool
RunSlots::HasRoomFor(double memoryBytes) const
{
    double taken = g_processBytes + memoryBytes;
    for (const auto& running : m_running)
    {
        taken += g_processBytes + running.memoryBytes;
    }
    return m_running.empty() || (!IsFull() && taken <= m_limits.memoryBytes);
}

std::uint32_t
RunSlots::Jobs() const
{
    return m_limits.jobs;
}

bool
RunSlots::IsFull() const
{
    return m_running.size() >= m_limits.jobs;
}

bool
RunSlots::IsIdle() const
{
    return m_running.empty();
}

void
RunSlots::Start(std::size_t index, const Scenario& scenario, double memoryBytes)
{
    auto process = StartRun([&scenario] { return RunExperiment(scenario, {}); });
    m_running.push_back({index, &scenario, memoryBytes, Clock::now(), std::move(process)});
}

std::optional<PointResult>
RunSlots::EndOf(Running& running) const
{
    if (running.process->HasEnded())
    {
        return ResultOf(*running.process, *running.scenario);
    }
    const std::chrono::duration<double> elapsed = Clock::now() - running.begin;
    if (m_limits.timeLimit && elapsed.count() > *m_limits.timeLimit)
    {
        return ResultWithout(
            PointStatus::TIMEOUT,
            fmt::format("took longer than --time-limit {:g} s", *m_limits.timeLimit),
            *running.scenario);
    }
    return std::nullopt;
}

std::vector<EndedRun>
RunSlots::Wait()
{
    std::vector<RunProcess*> processes;
    for (const auto& running : m_running)
    {
        processes.push_back(running.process.get());
    }
    constexpr int lookAgainMs = 200;
    WaitForOutput(processes, lookAgainMs);
    ThrowIfInterrupted();
    std::vector<EndedRun> ended;
    for (auto running = m_running.begin(); running != m_running.end();)
    {
        auto result = EndOf(*running);
        if (result)
        {
            ended.push_back({running->index, std::move(*result)});
        }
        running = result ? m_running.erase(running) : std::next(running);
    }
    return ended;
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
