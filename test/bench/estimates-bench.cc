/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Estimated beside measured CPU time and memory, of drawn scenarios of all kinds, or of those that stdin names, one a
// line: a trace, then keys with their values. Each runs in a process of its own.
// usage: inca-bench-estimates [COUNT [FIRST [LARGER]]], 64 from number 0 by default, with tensors LARGER times as
// large, 1 by default; inca-bench-estimates - < LINES
#include "experiment/drawn-scenario.h"
#include "experiment/run-experiment.h"
#include "plan/plan-maker.h"
#include "scenario/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace inca
{

namespace
{

/** What a process took. */
struct Measured
{
    double cpuSeconds{0};
    double memoryBytes{0}; ///< resident, at most
};

double
Seconds(const timeval& time)
{
    constexpr double perMicrosecond = 1e-6;
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * perMicrosecond;
}

/** @return empty if it failed */
std::optional<Measured>
Measure(const std::function<void()>& action)
{
    const auto child = ::fork();
    if (child == 0)
    {
        try
        {
            action();
        }
        catch (const std::exception& error)
        {
            fmt::print(stderr, "{}\n", error.what());
            ::_exit(1);
        }
        ::_exit(0);
    }
    int status = 0;
    rusage usage{};
    if (::wait4(child, &status, 0, &usage) != child || status != 0)
    {
        return std::nullopt;
    }
    constexpr double kibibyte = 1024;
    return Measured{Seconds(usage.ru_utime) + Seconds(usage.ru_stime),
                    static_cast<double>(usage.ru_maxrss) * kibibyte};
}

/** By how much what was estimated exceeds what was measured, of many runs: its quantiles. */
class Ratios
{
  public:
    void Add(double estimated, double measured)
    {
        m_ratios.push_back(estimated / measured);
    }

    void Print(const char* of)
    {
        std::sort(m_ratios.begin(), m_ratios.end());
        const auto quantile = [this](double share) {
            return m_ratios[static_cast<std::size_t>(share *
                                                     static_cast<double>(m_ratios.size() - 1))];
        };
        if (!m_ratios.empty())
        {
            fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n",
                       of,
                       m_ratios.size(),
                       m_ratios.front(),
                       quantile(0.1),
                       quantile(0.5),
                       quantile(0.9),
                       m_ratios.back());
        }
    }

  private:
    std::vector<double> m_ratios;
};

class Comparison
{
  public:
    void Add(const std::string& name, const Scenario& scenario)
    {
        RunEstimate estimate;
        try
        {
            estimate = EstimateOf(scenario);
        }
        catch (const std::exception& error)
        {
            fmt::print("{}: {}\n", name, error.what());
            return;
        }
        const auto nothing = Measure([] {});
        const auto run = Measure([&scenario] { RunExperiment(scenario, {}); });
        if (!run || !nothing)
        {
            fmt::print("{}: failed\n", name);
            return;
        }
        constexpr double leastSeconds = 0.05; // less is the start of a process, and chance
        constexpr double leastBytes = 16e6;
        const auto memory = run->memoryBytes - nothing->memoryBytes;
        if (run->cpuSeconds >= leastSeconds)
        {
            m_seconds.Add(estimate.cpuSeconds, run->cpuSeconds);
        }
        if (memory >= leastBytes)
        {
            m_bytes.Add(estimate.memoryBytes, memory);
        }
        constexpr double mebi = 1024 * 1024;
        fmt::print(
            "cpu {:8.3f} s est {:8.3f} ratio {:6.2f} | {:7.1f} MiB est {:7.1f} ratio {:6.2f} | "
            "frames {:.3g} messages {:.3g} payload {:.3g} | {}\n",
            run->cpuSeconds,
            estimate.cpuSeconds,
            estimate.cpuSeconds / run->cpuSeconds,
            memory / mebi,
            estimate.memoryBytes / mebi,
            estimate.memoryBytes / memory,
            estimate.frames,
            estimate.messages,
            estimate.payloadBytes,
            name);
        std::fflush(stdout);
    }

    void Print()
    {
        fmt::print(
            "| estimated / measured | runs | least | 10 % below | median | 90 % below | most |\n"
            "|---|---|---|---|---|---|---|\n");
        m_seconds.Print("CPU time");
        m_bytes.Print("memory");
    }

  private:
    Ratios m_seconds;
    Ratios m_bytes;
};

Scenario
ScenarioOf(const std::string& line)
{
    std::istringstream words(line);
    Scenario scenario;
    words >> scenario.training.trace;
    for (std::string word; words >> word;)
    {
        const auto equals = word.find('=');
        SetKey(scenario, word.substr(0, equals), word.substr(equals + 1));
    }
    return scenario;
}

void
CompareLines(Comparison& comparison)
{
    for (std::string line; std::getline(std::cin, line);)
    {
        if (!line.empty())
        {
            comparison.Add(line, ScenarioOf(line));
        }
    }
}

void
CompareDrawn(std::uint32_t count, std::uint32_t first, std::uint32_t larger, Comparison& comparison)
{
    const auto folder = std::filesystem::temp_directory_path().string() + "/inca-bench-";
    const DrawnTraces traces(folder, larger);
    using Kind = Scenario (*)(std::uint32_t, const DrawnTraces&);
    const std::vector<Kind> kinds{
        DrawnNetwork, DrawnGradients, DrawnCollective, DrawnShardsOfHosts, DrawnSharding};
    for (std::uint32_t number = first; number < first + count; ++number)
    {
        auto scenario = kinds[number % kinds.size()](number, traces);
        if (number % 2 == 1)
        {
            scenario.simulation.mode = "packet";
        }
        comparison.Add(std::to_string(number) + ": " + SettingsOf(scenario), scenario);
    }
}

} // namespace

} // namespace inca

int
main(int argc, char** argv)
{
    const auto number = [&](int place, std::uint32_t otherwise) {
        return argc > place ? static_cast<std::uint32_t>(std::strtoul(argv[place], nullptr, 10))
                            : otherwise;
    };
    constexpr std::uint32_t drawn = 64;
    inca::Comparison comparison;
    if (argc > 1 && std::string(argv[1]) == "-")
    {
        inca::CompareLines(comparison);
    }
    else
    {
        inca::CompareDrawn(number(1, drawn), number(2, 0), number(3, 1), comparison);
    }
    comparison.Print();
    return 0;
}
