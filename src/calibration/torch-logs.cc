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

/** @return the algorithm that gloo names behind "Algorithm:", or alone in a line, in capitals; empty: neither */
std::string
GlooTestOf(std::string_view line)
{
    const auto words = Words(Has(line, "Algorithm:") ? After(line, "Algorithm:") : line);
    auto name = LowerCase(words.size() == 1 ? words[0] : "");
    const bool isName = Has(line, "Algorithm:") ||
                        line.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_ ") == line.npos;
    for (const char* prefix : {"cuda_", "new_"})
    {
        name = name.substr(name.rfind(prefix, 0) == 0 ? std::string_view(prefix).size() : 0);
    }
    return isName ? name : "";
}

/** @return the bytes of "32KiB", or of "32KB", which older versions wrote for the same; 0: no size */
std::uint64_t
PayloadBytes(std::string_view text)
{
    const auto digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto power = std::string_view("BKMGTP").find(text.substr(digits, 1));
    const auto number = NumberIn(text.substr(0, digits)).value_or(0);
    constexpr double largest = 8192; // no power of them overflows
    const auto rest = text.substr(std::min(digits + 1, text.size()));
    const bool isSize = digits < text.size() && power != text.npos && number <= largest &&
                        (rest.empty() || rest == "B" || rest == "iB");
    return isSize ? static_cast<std::uint64_t>(number * static_cast<double>(1ULL << (10 * power)))
                  : 0;
}

} // namespace

void
ReadGloo(std::string_view text, LogTables& tables)
{
    std::string test;
    std::uint32_t ranks = 0;
    bool isParallel = false;
    RowForm form;
    ForEachLine(text, [&](auto number, auto line) {
        const auto name = GlooTestOf(line);
        test = name.empty() ? test : name;
        if (Has(line, "processes="))
        {
            ranks = CheckedRanks(CountIn(After(line, "processes=")));
            isParallel = CountIn(After(line, "threads=")) > 1;
        }
        else if (Has(line, "elements") && Has(line, "p50 ("))
        {
            constexpr double bytesPerFloat = 4;
            const auto unit = tables.Unit(number, Within(line, "p50 ("));
            tables.BeginTest(number, "gloo", test, ranks);
            form = Has(line, "size (B)") ? RowForm{8, 3, unit} : RowForm{7, 2, unit, bytesPerFloat};
        }
        else
        {
            tables.AddLine(number, line, form);
            if (isParallel && tables.Current() != nullptr && !tables.Current()->rows.empty())
            {
                tables.Remark(0, "Several threads of each process exchanged at once.");
            }
        }
    });
}

void
ReadAllReduceBench(std::string_view text, LogTables& tables)
{
    std::string_view test = "all_reduce";
    std::uint32_t ranks = 0;
    bool isInTable = false;
    bool hasLatency =
        false; // a column of torch-dist-bench.py, which came after all_reduce_bench.py
    ForEachLine(text, [&](auto number, auto line) {
        const auto words = Words(line);
        const auto over = std::find(words.begin(), words.end(), "over");
        auto cells = Cells(After(line, "|"), '|');
        cells.pop_back(); // what is behind the last bar
        const auto bytes = cells.size() < 3 ? 0 : PayloadBytes(cells[0]);
        if (words.end() - over > 2 && over != words.begin() && over[2] == "ranks")
        {
            test = over[-1];
            ranks = CheckedRanks(CountIn(over[1]));
        }
        else if (cells.size() > 2 && cells[0] == "payload" && cells[2] == "algbw")
        {
            tables.BeginTest(number, "all_reduce_bench", test, ranks);
            isInTable = true;
            hasLatency = cells.size() > 3 && cells[3] == "latency median";
        }
        else if (bytes == 0)
        {
            const bool isBroken = isInTable && cells.size() > 2 && Has(cells[2], "GBps");
            tables.PassOver(number, isBroken ? "0" : "");
            isInTable = isInTable && (isBroken || cells.empty() || Has(cells[0], "--"));
        }
        else if (isInTable && tables.Current() != nullptr)
        {
            const auto numberOf = [](auto cell) {
                return cell.substr(0, cell.find_first_not_of("0123456789."));
            };
            cells.resize(4);
            const auto unit = hasLatency ? LogUnit{} : LogUnit{0, 1e9};
            tables.Add(number, std::to_string(bytes), numberOf(cells[hasLatency ? 3 : 2]), unit);
            const auto byRatio =
                ranks == 0 ? tables.RanksOf(numberOf(cells[2]), numberOf(cells[1])) : ranks;
            tables.Current()->ranks = byRatio != 0 ? byRatio : tables.Current()->ranks;
        }
    });
}

void
ReadParam(std::string_view text, LogTables& tables)
{
    std::string_view test;
    LogUnit unit;
    std::size_t columns = 0; // by the heading
    ForEachLine(text, [&](auto number, auto line) {
        const auto words = Words(After(line, "COMMS-RES"));
        const auto isKnown = [](auto size) { return size == 7 || size == 9 || size == 10; };
        const bool isRow = !words.empty() && words[0][0] == '-';
        const auto time = Within(line, Has(line, "Time(") ? "Time(" : "Latency(");
        if (Has(line, "COMMS-RES") && !isRow)
        {
            test = "";
            columns = words.size() -
                      static_cast<std::size_t>(std::count(words.begin(), words.end(), "(B)"));
            unit = time.empty() ? LogUnit{} : tables.Unit(number, time);
        }
        const auto name = isRow ? words[0].substr(1, words[0].find('-', 1) - 1) : test;
        if (name != test)
        {
            tables.BeginTest(number, "PARAM", name, 0);
            test = name;
        }
        if (!isRow || tables.Current() == nullptr)
        {
            return;
        }
        // size, elements, p50, p75, p95, in newer versions minimum and maximum, algbw, busbw, perhaps another time
        const auto row = Numbers(line);
        if (row.size() + 1 != words.size() || !isKnown(row.size()) ||
            (isKnown(columns) && row.size() != columns))
        {
            tables.PassOver(number, "0"); // it calls itself a row
            return;
        }
        const std::size_t algbw = row.size() == 7 ? 5 : 7;
        tables.Add(number, row[0], row[2], unit);
        const auto ranks = tables.RanksOf(row[algbw], row[algbw + 1]);
        tables.Current()->ranks = ranks != 0 ? ranks : tables.Current()->ranks;
    });
}

} // namespace inca
