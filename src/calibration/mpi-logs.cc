/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/log-tables.h"
#include "calibration/log-text.h"

#include <algorithm>

namespace inca
{

namespace
{

/** @return "Allreduce Latency" of "# OSU MPI-CUDA Allreduce Latency Test v7.0"; empty: no such line */
std::string_view
OsuTestOf(std::string_view line)
{
    const auto heading = After(line, "OSU ");
    const auto library = heading.substr(0, heading.find(' '));
    const bool isHeading = Has(heading, " Test v") && (Has(library, "MPI") || Has(library, "CCL"));
    const auto name = isHeading ? heading.substr(library.size() + 1) : "";
    return name.substr(0, name.find(" Test v"));
}

/** @return the number that a launcher's option has: "-n 8", "--ntasks=8", "-N2"; 0: none */
std::uint64_t
OptionIn(const std::vector<std::string_view>& words, std::string_view option)
{
    const auto at = std::find(words.begin(), words.end(), option);
    std::uint64_t value = words.end() - at > 1 ? CountIn(at[1]) : 0;
    for (const auto word : words)
    {
        const auto joined = word.rfind(option, 0) == 0 ? word.substr(option.size()) : "";
        value =
            value == 0 ? CountIn(joined.substr(joined.find_first_not_of('=') == 1 ? 1 : 0)) : value;
    }
    return value;
}

/** @return the ranks that a launcher's line asks for, before the program's name; 0: it does not say */
std::uint32_t
RanksOfCommand(std::string_view line)
{
    const auto words = Words(line.substr(0, line.find("osu_")));
    for (const char* option : {"-np", "-n", "--np", "--ntasks"})
    {
        if (OptionIn(words, option) != 0)
        {
            return CheckedRanks(OptionIn(words, option));
        }
    }
    const auto nodes = CheckedRanks(std::max(OptionIn(words, "-N"), OptionIn(words, "--nodes")));
    return CheckedRanks(std::uint64_t{nodes} * CheckedRanks(OptionIn(words, "--ntasks-per-node")));
}

} // namespace

void
ReadOsu(std::string_view text, LogTables& tables)
{
    std::uint32_t ranks = 0; // of the last command line
    bool isInTable = false;
    bool hasRows = false;
    ForEachLine(text, [&](auto number, auto line) {
        const auto test = OsuTestOf(line);
        const auto row = Numbers(line);
        if (!test.empty())
        {
            tables.BeginTest(number, "OSU", test, ranks);
            isInTable = true;
            hasRows = false;
        }
        else if (Has(line, "osu_"))
        {
            ranks = RanksOfCommand(line);
        }
        else if (Has(line, "#") && hasRows)
        {
            isInTable = false; // another tool's heading
        }
        else if (isInTable && row.size() > 1 && !Has(row[0], ".") && Has(row[1], "."))
        {
            tables.Add(number, CountIn(row[0]), row[1], 1e-6);
            hasRows = true;
        }
    });
}

void
ReadImb(std::string_view text, LogTables& tables)
{
    std::string_view test;
    std::uint32_t ranks = 0;
    std::size_t columns = 0; // 0: no table
    ForEachLine(text, [&](auto number, auto line) {
        const auto row = Numbers(line);
        if (Has(line, "Benchmarking "))
        {
            test = After(line, "Benchmarking ");
            ranks = 0;
            columns = 0;
        }
        else if (Has(line, "#processes = "))
        {
            ranks = CheckedRanks(CountIn(After(line, "#processes = ")));
        }
        else if (Has(line, "#bytes"))
        {
            tables.BeginTest(number, "IMB", test, ranks);
            columns = Words(line.substr(line.find("#bytes"))).size();
        }
        else if (columns > 3 && row.size() == columns && !Has(row[0], "."))
        {
            tables.Add(number, CountIn(row[0]), row[3], 1e-6); // t_max
        }
    });
}

} // namespace inca
