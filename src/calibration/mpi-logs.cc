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
    const auto begin = Has(library, "_") ? 0 : library.size() + 1; // "MPI_Put Latency" stays
    const auto name = isHeading ? heading.substr(begin) : "";
    return name.substr(0, name.find(" Test v"));
}

std::size_t
CountOf(std::string_view text, char letter)
{
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), letter));
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
        value = value == 0 ? CountIn(joined.substr(joined.find_first_not_of('=') == 1 ? 1 : 0)) : value;
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
    LogUnit unit;
    std::size_t columns = 0; // 0: no table
    bool hasRows = false;
    ForEachLine(text, [&](auto number, auto line) {
        const auto test = OsuTestOf(line);
        const auto row = Numbers(line);
        if (!test.empty())
        {
            tables.BeginTest(number, "OSU", test, ranks);
            unit = *UnitIn(Has(test, "Bandwidth") ? "MB/s" : "us");
            columns = 2;
            hasRows = false;
        }
        else if (Has(line, "osu_"))
        {
            ranks = RanksOfCommand(line);
        }
        else if (Has(line, "#") && hasRows)
        {
            columns = 0; // another tool's heading
        }
        else if (columns > 0 && Has(line, "Size") && Has(line, "("))
        {
            unit = tables.Unit(number, Within(line, "("));
            columns = 1 + CountOf(line, '(') + (Has(line, "Iterations") ? 1 : 0);
        }
        else if (columns > 0 && row.size() >= columns && !Has(row[0], ".") && Has(row[1], "."))
        {
            tables.Add(number, row[0], row[1], unit);
            hasRows = true;
        }
        else if (columns > 0)
        {
            tables.PassOver(number, line);
        }
    });
}

void
ReadImb(std::string_view text, LogTables& tables)
{
    std::string_view test;
    std::uint32_t ranks = 0;
    std::size_t columns = 0; // 0: no table
    std::size_t time = 0;    // its column
    LogUnit unit;
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
        else if (Has(line, "#bytes") && Has(line, "#repetitions"))
        {
            const auto heading = Words(line.substr(line.find("#bytes")));
            const bool isOfRanks = Has(line, "t_max["); // what the slowest takes
            tables.BeginTest(number, "IMB", test, ranks);
            columns = heading.size();
            time = isOfRanks ? 3 : 2;
            if (tables.Current() != nullptr)
            {
                unit = tables.Unit(number, Within(line, isOfRanks ? "t_max[" : "t["));
            }
        }
        else if (Has(line, "#"))
        {
            columns = 0; // another tool's heading, or the end
        }
        else if (columns > time && row.size() == columns && !Has(row[0], "."))
        {
            tables.Add(number, row[0], row[time], unit);
        }
        else if (columns > 0)
        {
            tables.PassOver(number, line);
        }
    });
}

void
ReadPerftest(std::string_view text, LogTables& tables)
{
    std::string_view title;  // "RDMA_Write BW"
    std::size_t column = 0;  // of what is read; 0: no table
    std::size_t columns = 0; // that have a unit, at least
    LogUnit unit;
    ForEachLine(text, [&](auto number, auto line) {
        const auto row = Numbers(line);
        const auto test = line.substr(0, line.rfind(" Test"));
        if (test.size() + 5 == line.size() && (Has(test, "BW") || Has(test, "Latency")))
        {
            title = test.substr(std::min(test.find_first_not_of(' '), test.size()));
            column = 0;
        }
        else if (Has(line, "#bytes") && Has(line, "#iterations"))
        {
            const bool isRate = Has(line, "BW average[");
            const bool isOther = Has(title, "Bidirectional") || Has(title, "Atomic") || Has(title, "Read Latency");
            const char* name = isRate ? "BW average[" : Has(line, "t_typical[") ? "t_typical[" : "t_avg[";
            const auto before = line.substr(0, line.find(name));
            tables.BeginTest(number, "perftest", isOther ? title : isRate ? "stream" : "message", 2);
            column = CountOf(before, '#') + CountOf(before, ']');
            columns = CountOf(line, '#') + CountOf(line, ']');
            unit = tables.Unit(number, Within(line, name), true);
        }
        else if (line.rfind("---", 0) == 0)
        {
            column = 0;
        }
        else if (column > 0 && row.size() >= columns)
        {
            tables.Add(number, row[0], row[column], unit);
        }
        else if (column > 0)
        {
            tables.PassOver(number, line);
        }
    });
}

} // namespace inca
