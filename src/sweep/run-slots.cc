/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/run-slots.h"

#include "experiment/run-experiment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <new>

namespace inca
{

namespace
{

constexpr double g_processBytes{16e6}; ///< of a process, before it simulates anything

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

/** Workers that are forked from this process, and so have all points. */
class LocalSlots : public RunSlots
{
  public:
    LocalSlots(const std::vector<SweepPoint>& points, const RunLimits& limits)
        : RunSlots(points, std::vector<RunSlot>(limits.jobs, {"", limits.memoryBytes})),
          m_pool(
              [&points](const std::string& point) {
                  const auto& scenario = points[std::stoul(point)].scenario;
                  return FormatResult(DoneResult(RunExperiment(scenario, {})));
              },
              limits.timeLimit)
    {
    }

  private:
    void DoStart(std::size_t /*any*/, std::size_t point) override
    {
        m_pool.Start(point, std::to_string(point));
    }

    std::vector<EndedWork> DoWait() override
    {
        return m_pool.Wait();
    }

    WorkerPool m_pool;
};

} // namespace

/** @return a slot that runs nothing, on a machine with room */
std::optional<std::size_t>
RunSlots::SlotFor(double memoryBytes) const
{
    std::map<std::string, double> taken;
    std::vector<bool> isFree(m_slots.size(), true);
    for (const auto& [point, running] : m_running)
    {
        taken[m_slots[running.slot].machine] += g_processBytes + running.memoryBytes;
        isFree[running.slot] = false;
    }
    for (std::size_t i = 0; i < m_slots.size(); ++i)
    {
        const auto& [machine, freeBytes] = m_slots[i];
        const auto others = taken.find(machine);
        const bool fits =
            others == taken.end() || others->second + g_processBytes + memoryBytes <= freeBytes;
        if (isFree[i] && fits)
        {
            return i;
        }
    }
    return std::nullopt;
}

void
RunSlots::Start(std::size_t point, double memoryBytes)
{
    const auto slot = SlotFor(memoryBytes).value();
    DoStart(slot, point);
    m_running[point] = {slot, memoryBytes};
}

std::vector<EndedRun>
RunSlots::Wait()
{
    std::vector<EndedRun> ended;
    for (const auto& [point, message] : DoWait())
    {
        m_running.erase(point);
        ended.push_back({point, DecodeResult(message, m_points[point].scenario)});
    }
    return ended;
}

std::unique_ptr<RunSlots>
MakeLocalSlots(const std::vector<SweepPoint>& points, const RunLimits& limits)
{
    return std::make_unique<LocalSlots>(points, limits);
}

PointResult
DecodeResult(const std::string& message, const Scenario& scenario)
{
    const auto without = [&scenario](PointStatus status, const std::string& reason) {
        return ResultWithout(status, reason, scenario);
    };
    try
    {
        return ParseResult(DecodeMessage(message));
    }
    catch (const InputError& error)
    {
        return without(PointStatus::REFUSED,
                       fmt::format("{}", fmt::join(error.Complaints(), "; ")));
    }
    catch (const InvariantError& error)
    {
        return without(PointStatus::FAILED, BugText(error.what()));
    }
    catch (const std::bad_alloc&)
    {
        return without(PointStatus::FAILED, "out of memory");
    }
    catch (const TimeoutError& error)
    {
        return without(PointStatus::TIMEOUT, error.what());
    }
    catch (const RunError& error)
    {
        return without(PointStatus::FAILED, error.what());
    }
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
