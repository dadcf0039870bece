/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What auto makes of drawn scenarios, beside packet level: how often it simulates less, how far it is off, and
// how much faster it is. usage: inca-bench-auto [COUNT [FIRST [LARGER]]]; 300 from number 0 by default, with
// tensors LARGER times as large, 1 by default
#include "experiment/drawn-scenario.h"
#include "experiment/run-experiment.h"
#include "record/precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** What a run found, and the CPU time that it took. */
struct TimedRecord
{
    RunRecord record;
    double seconds{0};
};

TimedRecord
RunTimed(Scenario scenario, const std::string& mode)
{
    scenario.simulation.mode = mode;
    const auto begin = std::clock();
    TimedRecord run{RunExperiment(scenario, {})};
    run.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    return run;
}

/** Of the iteration time, the communication time and the exchange time; a share. */
double
LargestError(const Precision& precision)
{
    return std::max(
        {precision.iterationError, precision.communicationError, precision.exchangeError});
}

/** Runs of one kind: exact, nearly so, or at packet level. */
class Kind
{
  public:
    void Add(const TimedRecord& run, const TimedRecord& packetLevel)
    {
        const auto precision = PrecisionOf(run.record, packetLevel.record);
        m_errors.push_back(LargestError(precision));
        m_seconds += run.seconds;
        m_packetLevelSeconds += packetLevel.seconds;
        m_unsound += precision.IsSound(run.record.results.exact) ? 0 : 1;
    }

    void Print(const char* name)
    {
        std::sort(m_errors.begin(), m_errors.end());
        const auto median = m_errors.empty() ? 0 : m_errors[m_errors.size() / 2];
        const auto largest = m_errors.empty() ? 0 : m_errors.back();
        fmt::print("| {} | {} | {:.4f} % | {:.4f} % | {} | {:.1f} |\n",
                   name,
                   m_errors.size(),
                   median * 100,
                   largest * 100,
                   m_unsound,
                   m_seconds > 0 ? m_packetLevelSeconds / m_seconds : 1);
    }

  private:
    std::vector<double> m_errors;
    double m_seconds{0};
    double m_packetLevelSeconds{0};
    std::uint32_t m_unsound{0};
};

void
Compare(std::uint32_t count, std::uint32_t first, std::uint32_t larger)
{
    const auto folder = std::filesystem::temp_directory_path().string() + "/inca-bench-";
    const DrawnTraces traces(folder, larger);
    Kind exact;
    Kind near;
    Kind repeating;
    Kind packetLevel;
    for (std::uint32_t number = first; number < first + count; ++number)
    {
        const auto scenario = DrawnNetwork(number, traces);
        const bool isFirst = number % 2 == 0; // whoever is first finds cold caches
        auto run = RunTimed(scenario, isFirst ? "auto" : "packet");
        auto atPacketLevel = RunTimed(scenario, isFirst ? "packet" : "auto");
        if (!isFirst)
        {
            std::swap(run, atPacketLevel);
        }
        const auto& results = run.record.results;
        const bool isFolded = results.simulatedRanks < results.ranks;
        auto& kind = isFolded                       ? (results.exact ? exact : near)
                     : results.packetLevelShare < 1 ? repeating
                                                    : packetLevel;
        const auto precision = PrecisionOf(run.record, atPacketLevel.record);
        if (!precision.IsSound(results.exact))
        {
            fmt::print("{} is beyond its bounds ({:.4f} %{}): {}\n",
                       number,
                       LargestError(precision) * 100,
                       precision.sameCounts ? "" : ", other counts",
                       SettingsOf(scenario));
        }
        kind.Add(run, atPacketLevel);
    }
    fmt::print("| workers | scenarios | median error | largest error | beyond its bounds | times "
               "faster |\n|---|---|---|---|---|---|\n");
    exact.Print("stand for each other, exactly");
    near.Print("stand for each other, but for a value");
    repeating.Print("are all simulated, but for what repeats itself");
    packetLevel.Print("are all simulated, all the time");
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
    inca::Compare(number(1, 300), number(2, 0), number(3, 1));
    return 0;
}
