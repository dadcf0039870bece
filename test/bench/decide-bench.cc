/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What `inca decide` misses of 50 whole grids, and what share of them it runs.
#include "sweep/drawn-question.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

namespace
{

/** Shipped ones of 32 bits, of 3 to 244 MB. */
const std::vector<std::string> g_traces{"hdc",
                                        "googlenet-a100",
                                        "googlenet-v100",
                                        "inception-a100",
                                        "inception-v100",
                                        "resnet-50",
                                        "resnet50-a100",
                                        "alexnet"};

} // namespace

/** decide-bench [HOW MANY] [FROM] [MOST WORKERS] */
int
main(int argc, char** argv)
{
    const auto count = argc > 1 ? std::atoi(argv[1]) : 50;
    const auto from = argc > 2 ? std::atoi(argv[2]) : 0;
    const auto folder = std::filesystem::temp_directory_path().string();
    const auto mostWorkers = static_cast<std::uint32_t>(argc > 3 ? std::atoi(argv[3]) : 16);
    constexpr double percent = 100;
    double regret = 0;
    double share = 0;
    std::size_t exceptions = 0;
    std::cout << std::fixed << std::setprecision(2);
    for (int i = 0; i < count; ++i)
    {
        const auto drawn =
            inca::DrawQuestion(static_cast<std::uint32_t>(from + i), g_traces, mostWorkers);
        const auto study = inca::StudyDecision(drawn, folder);
        regret = std::max(regret, study.regret);
        share += study.share / count;
        exceptions += study.exceptions;
        std::cout << from + i << ": " << study.found << ", regret " << percent * study.regret
                  << " %, ran " << percent * study.share << " % of " << study.grid
                  << (study.regret > 0 ? "; best: " + study.best : "") << std::endl;
    }
    std::cout << "largest regret " << percent * regret << " %, ran " << percent * share
              << " % on average; " << exceptions << " bounds above their time\n";
}
