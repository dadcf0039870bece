/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Trains of several lengths, and auto, beside packet level, in drawn scenarios in which trains may be made: how far
// they are off, and how much faster they are, by what exchanges. usage: inca-bench-trains [COUNT [FIRST [SECONDS
// [FRAMES...]]]]; 300 from number 0 by default that take up to 0.3 s at packet level, in trains of 2, 4, 8, 16 and 64
#include "bench/timed-record.h"
#include "experiment/drawn-scenario.h"
#include "experiment/drawn-trains.h"
#include "experiment/run-experiment.h"
#include "record/precision.h"
#include "scenario/specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

double
Median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

double
Largest(const std::vector<double>& values)
{
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

/** What runs of one kind, with one length of trains, have shown. */
struct Seen
{
    std::vector<double> errors;
    std::vector<double> timesFaster;
    std::vector<double> autoTimesFaster;
    std::uint32_t inTrains{0};
    std::uint32_t unsound{0};
};

std::string
KindOf(const Scenario& scenario)
{
    const auto& algorithm = scenario.exchange.algorithm;
    const bool isOne = algorithm == "worker-aggregator" || algorithm == "parameter-server";
    const auto* place = scenario.cluster.topology == "star" ? "star" : "trunks";
    return fmt::format("{}, {}", isOne ? "one aggregator or server" : algorithm, place);
}

using Table = std::map<std::pair<std::string, std::uint32_t>, Seen>;

void
Compare(std::uint32_t number,
        const Scenario& scenario,
        const std::vector<std::uint32_t>& lengths,
        Table& table)
{
    const auto packetLevel = RunTimed(scenario, 1);
    const auto automatic = RunTimed(scenario, std::nullopt);
    for (const auto frames : lengths)
    {
        const auto run = RunTimed(scenario, frames);
        const auto& results = run.record.results;
        const auto precision = PrecisionOf(run.record, packetLevel.record);
        const bool isSound = precision.IsSound(results.exact);
        for (const auto& kind : {KindOf(scenario), std::string("all")})
        {
            auto& seen = table[{kind, frames}];
            seen.errors.push_back(LargestError(precision));
            seen.timesFaster.push_back(packetLevel.seconds / run.seconds);
            seen.autoTimesFaster.push_back(packetLevel.seconds / automatic.seconds);
            seen.inTrains += results.packetLevelShare < 1 ? 1 : 0;
            seen.unsound += isSound ? 0 : 1;
        }
        fmt::print(stderr,
                   "{} {} {:.4f} % {:.1f} times, auto {:.1f}, {:.3f} s, share {:.3f} {}{}: {}\n",
                   number,
                   frames,
                   LargestError(precision) * 100,
                   packetLevel.seconds / run.seconds,
                   packetLevel.seconds / automatic.seconds,
                   packetLevel.seconds,
                   results.packetLevelShare,
                   isSound ? "" : "is beyond its bounds",
                   precision.sameCounts ? "" : ", other counts",
                   SettingsOf(scenario));
    }
}

void
Print(const Table& table)
{
    fmt::print(
        "| exchange | k | scenarios | in trains | median error | largest | beyond | times faster: "
        "median | largest | auto: median | largest "
        "|\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (const auto& [key, seen] : table)
    {
        fmt::print("| {} | {} | {} | {} | {:.4f} % | {:.4f} % | {} | {:.1f} | {:.1f} | {:.1f} | "
                   "{:.1f} |\n",
                   key.first,
                   key.second,
                   seen.errors.size(),
                   seen.inTrains,
                   Median(seen.errors) * 100,
                   Largest(seen.errors) * 100,
                   seen.unsound,
                   Median(seen.timesFaster),
                   Largest(seen.timesFaster),
                   Median(seen.autoTimesFaster),
                   Largest(seen.autoTimesFaster));
    }
}

} // namespace

} // namespace inca

int
main(int argc, char** argv)
{
    const auto number = [&](int place, double otherwise) {
        return argc > place ? std::strtod(argv[place], nullptr) : otherwise;
    };
    const auto count = static_cast<std::uint32_t>(number(1, 300));
    const auto first = static_cast<std::uint32_t>(number(2, 0));
    std::vector<std::uint32_t> lengths;
    for (int place = 4; place < argc; ++place)
    {
        lengths.push_back(static_cast<std::uint32_t>(number(place, 0)));
    }
    if (lengths.empty())
    {
        lengths = {2, 4, 8, 16, 64};
    }
    const auto folder = std::filesystem::temp_directory_path().string() + "/inca-bench-";
    inca::Table table;
    for (auto i = first; i < first + count; ++i)
    {
        inca::Compare(i, inca::DrawnTrains(i, folder, number(3, 0.3)), lengths, table);
    }
    inca::Print(table);
    return 0;
}
