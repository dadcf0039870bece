/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/log-tables.h"
#include "calibration/log-text.h"

#include <algorithm>
#include <array>

namespace inca
{

namespace
{

/** @return the algorithm that gloo names behind "Algorithm:", or alone in a line, in capitals; empty: neither */
std::string
GlooTestOf(std::string_view line)
{
    const auto words = Words(Has(line, "Algorithm:") ? After(line, "Algorithm:") : line);
    std::string name(words.size() == 1 ? words[0] : "");
    const bool isName = Has(line, "Algorithm:") ||
                        name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == name.npos;
    std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
        return static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
    });
    for (const char* prefix : {"cuda_", "new_"})
    {
        name = name.substr(name.rfind(prefix, 0) == 0 ? std::string_view(prefix).size() : 0);
    }
    return isName ? name : "";
}

/** @return the three cells of "| 32KiB | 1.44GBps | 0.82GBps |", whatever stands before them; else empty ones */
std::array<std::string_view, 3>
CellsOf(std::string_view line)
{
    std::array<std::string_view, 3> cells;
    for (auto& cell : cells)
    {
        line = After(line, "|");
        const auto words = Words(line.substr(0, line.find('|')));
        cell = words.size() == 1 ? words.front() : "";
    }
    return cells;
}

/** @return the bytes of "32KiB", or of "32KB", which older versions wrote for the same; 0: no size */
std::uint64_t
PayloadBytes(std::string_view text)
{
    const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto power = std::string_view("iKMGTP").find(text.substr(digits, 1));
    constexpr std::uint64_t largest = 1U << 13U; // no power of them overflows
    const bool isSize =
        digits < text.size() && power != std::string_view::npos && CountIn(text) <= largest;
    return isSize ? CountIn(text) << (10 * power) : 0;
}

} // namespace

void
ReadGloo(std::string_view text, LogTables& tables)
{
    std::string test;
    std::uint32_t ranks = 0;
    bool isParallel = false;
    std::size_t elements = 0; // its column; min and p50 follow
    double unit = 0;          // of times; 0: no table
    ForEachLine(text, [&](auto number, auto line) {
        const auto name = GlooTestOf(line);
        const auto row = Numbers(line);
        test = name.empty() ? test : name;
        if (Has(line, "processes="))
        {
            ranks = CheckedRanks(CountIn(After(line, "processes=")));
            isParallel = CountIn(After(line, "threads=")) > 1;
        }
        else if (Has(line, "elements") && Has(line, "p50 ("))
        {
            tables.BeginTest(number, "gloo", test, ranks);
            elements = Has(line, "size (B)") ? 1 : 0;
            unit = Has(line, "p50 (ns)") ? 1e-9 : 1e-6;
        }
        else if (unit != 0 && row.size() == 7 + elements)
        {
            constexpr std::uint64_t bytesPerFloat = 4;
            const auto count = std::min<std::uint64_t>(CountIn(row[elements]), 1ULL << 60U);
            tables.AddOfTest(number,
                             elements == 1 ? CountIn(row[0]) : count * bytesPerFloat,
                             row[elements + 2],
                             unit);
            if (isParallel && tables.Current() != nullptr)
            {
                tables.Remark(0, "Several threads of each process exchanged at once.");
            }
        }
    });
}

void
ReadAllReduceBench(std::string_view text, LogTables& tables)
{
    std::uint32_t ranks = 0;
    bool isInTable = false;
    ForEachLine(text, [&](auto number, auto line) {
        const auto [payload, busbw, algbw] = CellsOf(line);
        const auto rate = algbw.substr(0, algbw.find("GBps"));
        if (Has(line, "all_reduce over "))
        {
            ranks = CheckedRanks(CountIn(After(line, "all_reduce over ")));
        }
        else if (payload == "payload" && busbw == "busbw" && algbw == "algbw")
        {
            tables.Begin(number, "all_reduce_bench").ranks = ranks;
            isInTable = true;
        }
        else if (isInTable && NumberIn(rate) && Has(busbw, "GBps"))
        {
            const auto bytes = PayloadBytes(payload);
            const auto bytesPerSecond = *NumberIn(rate) * 1e9;
            const auto seconds =
                bytesPerSecond > 0 ? static_cast<double>(bytes) / bytesPerSecond : 0;
            tables.Add({MeasuredKind::ALL_REDUCE, bytes, seconds, 0, number}, rate);
            const auto byRatio = RanksOfRatio(rate, busbw.substr(0, busbw.find("GBps")), 2);
            tables.Current()->ranks =
                ranks != 0 || byRatio == 0 ? tables.Current()->ranks : byRatio;
        }
    });
}

void
ReadParam(std::string_view text, LogTables& tables)
{
    std::string_view test;
    ForEachLine(text, [&](auto number, auto line) {
        const auto words = Words(After(line, "COMMS-RES"));
        const bool isRow = !words.empty() && words[0][0] == '-';
        test = Has(line, "COMMS-RES") && !isRow ? "" : test; // a heading
        const auto name = isRow ? words[0].substr(1, words[0].find('-', 1) - 1) : test;
        if (name != test)
        {
            tables.BeginTest(number, "PARAM", name, 0);
            test = name;
        }
        // size, elements, p50, p75, p95, in newer versions minimum and maximum, algbw, busbw, perhaps another time
        const auto row =
            isRow && tables.Current() != nullptr ? Numbers(line) : std::vector<std::string_view>{};
        if (row.size() == 7 || row.size() == 9 || row.size() == 10)
        {
            const std::size_t algbw = row.size() == 7 ? 5 : 7;
            tables.AddOfTest(number, CountIn(row[0]), row[2], 1e-6);
            const auto ranks =
                RanksOfRatio(row[algbw], row[algbw + 1], test == "all_reduce" ? 2 : 1);
            tables.Current()->ranks = ranks != 0 ? ranks : tables.Current()->ranks;
        }
    });
}

} // namespace inca
