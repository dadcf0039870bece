/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// How much faster than packet level auto is on random scenarios, by how it simulates less. Whether it is exact is tested
// (drawn-runs-test.cc). usage: inca-bench-auto [COUNT [FIRST [LARGER]]]; 300 from number 0 by default, with tensors LARGER
// times as large, 1 by default
#include "experiment/drawn-scenario.h"
#include "experiment/run-experiment.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <string>

namespace inca
{

namespace
{

/** CPU times of scenarios that auto simulates in one way. (s) */
struct Kind
{
    std::uint32_t scenarios{0};
    double seconds{0};
    double packetLevelSeconds{0};
};

double
Seconds(Scenario scenario, const std::string& mode, RunResults& results)
{
    scenario.simulation.mode = mode;
    const auto begin = std::clock();
    results = RunExperiment(scenario, {}).results;
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

void
Compare(std::uint32_t count, std::uint32_t first, std::uint32_t larger)
{
    const auto folder = std::filesystem::temp_directory_path().string() + "/inca-bench-";
    const DrawnTraces traces(folder, larger);
    std::map<std::string, Kind> kinds;
    for (std::uint32_t number = first; number < first + count; ++number)
    {
        const auto scenario = DrawnNetwork(number, traces);
        RunResults results;
        RunResults packetLevel;
        Seconds(scenario, "auto", results); // whoever is first finds cold caches
        const auto seconds = Seconds(scenario, "auto", results);
        const bool isFolded = results.simulatedRanks < results.ranks;
        auto& kind = kinds[isFolded                       ? "stand for each other"
                           : results.packetLevelShare < 1 ? "repeat themselves"
                                                          : "are all simulated, all the time"];
        ++kind.scenarios;
        kind.seconds += seconds;
        kind.packetLevelSeconds += Seconds(scenario, "packet", packetLevel);
    }
    fmt::print("| workers | scenarios | times faster |\n|---|---|---|\n");
    for (const auto& [name, kind] : kinds)
    {
        fmt::print(
            "| {} | {} | {:.1f} |\n", name, kind.scenarios, kind.packetLevelSeconds / kind.seconds);
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
    inca::Compare(number(1, 300), number(2, 0), number(3, 1));
    return 0;
}
