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
OptionIn(std::string_view line, std::string_view option)
{
    std::uint64_t value = 0;
    for (auto rest = After(line, option); value == 0 && !rest.empty(); rest = After(rest, option))
    {
        value =
            CountIn(rest.substr(rest.find_first_of(" =") == 0 ? 1 : 0)); // of "-np 8", -n has none
    }
    return value;
}

/** @return the ranks that a launcher's line asks for, before the program's name; 0: it does not say */
std::uint32_t
RanksOfCommand(std::string_view line)
{
    const auto of = [launcher = line.substr(0, line.find("osu_"))](const char* option) {
        return CheckedRanks(OptionIn(launcher, option));
    };
    const auto ranks = std::max({of(" -np"), of(" -n"), of(" --np"), of(" --ntasks")});
    const auto nodes = std::max(of(" -N"), of(" --nodes"));
    return ranks != 0 ? ranks : CheckedRanks(std::uint64_t{nodes} * of(" --ntasks-per-node"));
}

} // namespace

void
ReadOsu(std::string_view text, LogTables& tables)
{
    std::uint32_t ranks = 0; // of the last command line
    RowForm form;
    ForEachLine(text, [&](auto number, auto line) {
        const auto test = OsuTestOf(line);
        const auto* table = tables.Current();
        if (!test.empty())
        {
            tables.BeginTest(number, "OSU", test, ranks);
            form = {2, 1, *UnitIn(Has(test, "Bandwidth") ? "MB/s" : "us")};
        }
        else if (Has(line, "osu_"))
        {
            ranks = RanksOfCommand(line);
        }
        else if (Has(line, "#") && (table == nullptr || !table->rows.empty()))
        {
            form = {}; // another tool's heading
        }
        else if (form.numbers > 0 && Has(line, "Size") && Has(line, "("))
        {
            form.unit = tables.Unit(number, Within(line, "("));
            form.numbers = 1 + CountOf(line, '(') + (Has(line, "Iterations") ? 1 : 0);
        }
        else
        {
            tables.AddLine(number, line, form);
        }
    });
}

void
ReadImb(std::string_view text, LogTables& tables)
{
    std::string_view test;
    std::uint32_t ranks = 0;
    RowForm form;
    ForEachLine(text, [&](auto number, auto line) {
        if (Has(line, "Benchmarking "))
        {
            test = After(line, "Benchmarking ");
            ranks = 0;
            form = {};
        }
        else if (Has(line, "#processes = "))
        {
            ranks = CheckedRanks(CountIn(After(line, "#processes = ")));
        }
        else if (Has(line, "#bytes") && Has(line, "#repetitions"))
        {
            const bool isOfRanks = Has(line, "t_max["); // what the slowest takes
            tables.BeginTest(number, "IMB", test, ranks);
            form = {Words(After(line, "#bytes")).size() + 1, isOfRanks ? 3U : 2U};
            if (tables.Current() != nullptr)
            {
                form.unit = tables.Unit(number, Within(line, isOfRanks ? "t_max[" : "t["));
            }
        }
        else if (Has(line, "#"))
        {
            form = {}; // another tool's heading, or the end
        }
        else
        {
            tables.AddLine(number, line, form);
        }
    });
}

void
ReadPerftest(std::string_view text, LogTables& tables)
{
    std::string_view title; // "RDMA_Write BW"
    RowForm form;
    ForEachLine(text, [&](auto number, auto line) {
        const auto test = line.substr(0, line.rfind(" Test"));
        if (test.size() + 5 == line.size() && (Has(test, "BW") || Has(test, "Latency")))
        {
            title = test.substr(std::min(test.find_first_not_of(' '), test.size()));
            form = {};
        }
        else if (Has(line, "#bytes") && Has(line, "#iterations"))
        {
            const bool isRate = Has(line, "BW average[");
            const bool isOther =
                Has(title, "Bidirectional") || Has(title, "Atomic") || Has(title, "Read Latency");
            const char* name = isRate                    ? "BW average["
                               : Has(line, "t_typical[") ? "t_typical["
                                                         : "t_avg[";
            const auto columns = [](auto of) {
                return CountOf(of, '#') + CountOf(of, ']');
            }; // that have a unit
            tables.BeginTest(number,
                             "perftest",
                             isOther  ? title
                             : isRate ? "stream"
                                      : "message",
                             2);
            const auto unit = tables.Unit(number, Within(line, name), true);
            form = {columns(line), columns(line.substr(0, line.find(name))), unit};
        }
        else if (line.rfind("---", 0) == 0)
        {
            form = {};
        }
        else
        {
            tables.AddLine(number, line, form);
        }
    });
}

} // namespace inca
