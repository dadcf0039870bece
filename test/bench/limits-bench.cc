/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What raising each limit of 1,000 drawn scenarios by a quarter saves, beside the limit that their runs name.
#include "experiment/limit-study.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <string>

namespace
{

void
Print(std::uint32_t number, const inca::LimitStudy& study)
{
    const auto percent = [&study](double ps) { return 100 * ps / study.runPs; };
    std::cout << number << ": bound " << percent(study.boundPs) << " %, names " << study.named
              << " (" << percent(study.NamedGainPs()) << " %)";
    for (std::size_t i = 0; i < inca::LIMITS; ++i)
    {
        std::cout << ", " << inca::LimitName(static_cast<inca::Limit>(i)) << " "
                  << percent(study.gainsPs[i]);
    }
    std::cout << "\n    " << study.settings << "\n";
}

} // namespace

/** limits-bench [HOW MANY] [FROM] */
int
main(int argc, char** argv)
{
    const auto count = argc > 1 ? std::atoi(argv[1]) : 1000;
    const auto from = argc > 2 ? std::atoi(argv[2]) : 0;
    const auto folder = std::filesystem::temp_directory_path() / "";
    const inca::DrawnTraces traces(folder.string());
    std::map<std::string, std::size_t> named;
    std::array<std::size_t, 10> byShare{}; // of the bound in the run's time, by tenths
    std::size_t exceptions = 0;
    std::size_t above = 0;
    std::cout << std::fixed << std::setprecision(1);
    for (int i = 0; i < count; ++i)
    {
        const auto number = static_cast<std::uint32_t>(from + i);
        const auto study = inca::StudyLimits(number, traces);
        ++named[study.named];
        const auto tenth = static_cast<std::size_t>(10 * study.boundPs / study.runPs);
        ++byShare[std::min<std::size_t>(tenth, byShare.size() - 1)];
        const bool isAbove = study.boundPs > study.runPs;
        above += isAbove ? 1 : 0;
        exceptions += study.Holds() ? 0 : 1;
        if (!study.Holds() || isAbove)
        {
            Print(number, study);
        }
    }
    std::cout << exceptions << " exceptions of " << count << "; bounds above the time: " << above
              << "\nnamed:";
    for (const auto& [name, times] : named)
    {
        std::cout << "  " << name << " " << times;
    }
    std::cout << "\nbound / time, by tenths:";
    for (const auto times : byShare)
    {
        std::cout << "  " << times;
    }
    std::cout << "\n";
}
