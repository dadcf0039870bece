/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What auto makes of drawn rings with uneven blocks, beside packet level. usage: inca-bench-rings [COUNT [FIRST]]; 30 from
// number 0 by default
#include "bench/timed-record.h"
#include "experiment/drawn-ring.h"
#include "experiment/drawn-scenario.h"
#include "experiment/run-experiment.h"
#include "record/precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

namespace inca
{

namespace
{

struct Kind
{
    std::vector<double> errors;
    double seconds{0};
    double packetLevelSeconds{0};
    std::uint32_t beyond{0};
};

/** @param errors at least one */
double
Quantile(std::vector<double>& errors, double share)
{
    std::sort(errors.begin(), errors.end());
    return errors[static_cast<std::size_t>(share * static_cast<double>(errors.size() - 1))];
}

void
Compare(std::uint32_t number, std::map<std::uint32_t, Kind>& kinds)
{
    const auto folder = std::filesystem::temp_directory_path().string() + "/inca-bench-";
    const auto scenario = DrawnRing(number, folder);
    const auto run = RunTimed(scenario, "auto");
    const auto packetLevel = RunTimed(scenario, "packet");
    const auto& results = run.record.results;
    const bool isWhole = results.simulatedRanks == results.ranks;
    auto& kind = kinds[isWhole ? 0 : results.simulatedRanks];
    kind.seconds += run.seconds;
    kind.packetLevelSeconds += packetLevel.seconds;
    const auto precision = PrecisionOf(run.record, packetLevel.record);
    kind.errors.push_back(LargestError(precision));
    if (!precision.IsSound(results.exact))
    {
        ++kind.beyond;
        fmt::print("{} is beyond its bounds ({:.4f} %{}): {}\n",
                   number,
                   kind.errors.back() * 100,
                   precision.sameCounts ? "" : ", other counts",
                   SettingsOf(scenario));
    }
}

void
Print(std::map<std::uint32_t, Kind>& kinds)
{
    fmt::print(
        "| workers that stand for all | rings | median error | 90 % | largest error | beyond its "
        "bounds | times faster |\n|---|---|---|---|---|---|---|\n");
    for (auto& [standIns, kind] : kinds)
    {
        fmt::print("| {} | {} | {:.4f} % | {:.4f} % | {:.4f} % | {} | {:.1f} |\n",
                   standIns == 0 ? "all" : std::to_string(standIns),
                   kind.errors.size(),
                   Quantile(kind.errors, 0.5) * 100,
                   Quantile(kind.errors, 0.9) * 100,
                   Quantile(kind.errors, 1) * 100,
                   kind.beyond,
                   kind.packetLevelSeconds / kind.seconds);
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
    const auto first = number(2, 0);
    std::map<std::uint32_t, inca::Kind> kinds;
    for (auto i = first; i < first + number(1, 30); ++i)
    {
        inca::Compare(i, kinds);
    }
    inca::Print(kinds);
    return 0;
}
