/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/measured-logs.h"

#include "base/errors.h"
#include "base/input-file.h"
#include "base/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace inca
{

namespace
{

/** "12 rows of message, 3 rows of stream" */
std::string
CountsOf(const std::map<MeasuredKind, std::size_t>& counts)
{
    std::string text;
    for (const auto& [kind, count] : counts)
    {
        text += fmt::format("{}{} {} of {}",
                            text.empty() ? "" : ", ",
                            count,
                            count == 1 ? "row" : "rows",
                            NameOf(kind));
    }
    return text;
}

/** One line for the tables of a log, and its notes, each once. */
void
TellOf(const Log& log,
       const std::string& tool,
       const std::map<MeasuredKind, std::size_t>& taken,
       const std::vector<std::string>& notes)
{
    std::set<std::uint32_t> ranks;
    for (const auto& time : log.times)
    {
        ranks.insert(time.ranks);
    }
    const auto of = ranks.empty() ? "" : fmt::format("{} ranks, ", fmt::join(ranks, ", "));
    fmt::print("{}\n", Printable(fmt::format("{}: {}, {}{}", log.name, tool, of, CountsOf(taken))));
    constexpr std::size_t most = 6;
    for (std::size_t i = 0; i < std::min(most, notes.size()); ++i)
    {
        fmt::print("  {}\n", Printable(notes[i]));
    }
    if (notes.size() > most)
    {
        fmt::print("  And {} notes more.\n", notes.size() - most);
    }
    if (!log.left.empty())
    {
        fmt::print("  Not fitted: {}.\n", CountsOf(log.left));
    }
}

/** Whose collectives a tool measures. NCCL's are rings here: its picks need more than a log says. */
std::string
LibraryOf(const std::string& tool)
{
    return tool == "OSU" || tool == "IMB" ? "openmpi" : tool == "gloo" ? "gloo" : "none";
}

bool
IsOfGpus(const std::string& tool)
{
    return tool == "nccl-tests" || tool == "rccl-tests" || tool == "NCCL Inspector" ||
           tool == "all_reduce_bench" || tool == "PARAM";
}

bool
IsHalf(const MeasurementTable& table)
{
    return table.kind == MeasuredKind::ALL_GATHER || table.kind == MeasuredKind::REDUCE_SCATTER;
}

/**
 * Of a ring an all-gather is half of an all-reduce, as is a reduce-scatter. How a library that INCA knows gathers, it does not
 * know.
 */
bool
CanBeFitted(const MeasurementTable& table)
{
    return table.kind == MeasuredKind::ALL_REDUCE || table.kind >= MeasuredKind::MESSAGE ||
           (IsHalf(table) && LibraryOf(table.tool) == "none");
}

/** Takes a table that can be fitted. */
void
Take(const MeasurementTable& table, Log& log)
{
    const bool isHalf = IsHalf(table);
    const bool isMessage = table.kind == MeasuredKind::MESSAGE;
    if (table.kind == MeasuredKind::STREAM)
    {
        constexpr double wireBits = 8 * 1538.0 / 1460; // of a byte, in whole frames
        for (const auto& row : table.rows)
        {
            log.bitsPerSecond = std::max(log.bitsPerSecond,
                                         wireBits * static_cast<double>(row.bytes) / row.seconds);
        }
        return;
    }
    constexpr double half = 0.5;
    for (const auto& row : table.rows)
    {
        log.times.push_back(
            {(row.bytes + 3) / 4 * 4, table.ranks, row.seconds, isHalf ? half : 1, isMessage});
    }
    const bool isFirst = log.library.empty() && !isMessage;
    log.library = isFirst ? LibraryOf(table.tool) : log.library;
    log.isOfGpus = log.isOfGpus || (!isMessage && IsOfGpus(table.tool));
}

std::string
LogName(const std::string& path)
{
    return path == "-" ? STDIN_NAME : path;
}

/** @throws InputError if the tables have nothing to fit */
Log
LogOf(const std::string& name, const std::vector<MeasurementTable>& tables)
{
    Log log{name, "", false, {}, 0, {}};
    std::vector<std::string> notes;
    std::map<MeasuredKind, std::size_t> taken;
    for (const auto& table : tables)
    {
        for (const auto& note : table.notes)
        {
            notes.insert(
                notes.end(), std::count(notes.begin(), notes.end(), note) == 0 ? 1 : 0, note);
        }
        if (CanBeFitted(table))
        {
            Take(table, log);
        }
        (CanBeFitted(table) ? taken : log.left)[table.kind] += table.rows.size();
    }
    if (taken.empty())
    {
        throw InputError(
            fmt::format("{}: it has nothing to fit, only {}", name, CountsOf(log.left)));
    }
    TellOf(log, tables.front().tool, taken, notes);
    return log;
}

/** @throws InputError if a log says another number of ranks than the user does for it */
void
RequireRanks(const std::string& name,
             const std::vector<MeasurementTable>& tables,
             std::uint32_t ranks)
{
    for (const auto& table : tables)
    {
        if (table.kind < MeasuredKind::MESSAGE && table.ranks != ranks)
        {
            throw InputError(
                {name, static_cast<unsigned>(table.line), 0, ""},
                fmt::format("the table is of {} ranks, and --ranks says {}", table.ranks, ranks));
        }
    }
}

} // namespace

std::vector<Log>
ReadLogs(const std::vector<std::string>& paths, const std::vector<std::uint32_t>& ranks)
{
    std::vector<std::vector<MeasurementTable>> tables;
    std::vector<std::string> needing;
    const bool isOneForEach = ranks.size() == paths.size();
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        const auto next = isOneForEach ? i : std::min(needing.size(), ranks.size() - 1);
        tables.push_back(ReadMeasurements(paths[i], ranks.empty() ? 0 : ranks[next]));
        const bool needs =
            std::any_of(tables.back().begin(), tables.back().end(), [](const auto& table) {
                return CanBeFitted(table) && !table.saysRanks;
            });
        needing.insert(needing.end(), needs ? 1 : 0, LogName(paths[i]));
    }
    if (ranks.empty() && !needing.empty())
    {
        const bool isOne = needing.size() == 1;
        throw InputError(fmt::format("{}: {} not say how many ranks there were; give --ranks N{}",
                                     fmt::join(needing, ", "),
                                     isOne ? "it does" : "they do",
                                     isOne ? "" : ", or a number for each"));
    }
    if (ranks.size() > 1 && !isOneForEach && ranks.size() != needing.size())
    {
        throw InputError(fmt::format(
            "--ranks: needs one number for all logs; one for each of the {}, those of --check "
            "last; or "
            "one for each of the {} that do not say how many ranks there were{}{}; got {}",
            paths.size(),
            needing.size(),
            needing.empty() ? "" : ": ",
            fmt::join(needing, ", "),
            ranks.size()));
    }
    std::vector<Log> logs;
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        if (isOneForEach || (ranks.size() == 1 && needing.empty()))
        {
            RequireRanks(LogName(paths[i]), tables[i], ranks.size() == 1 ? ranks[0] : ranks[i]);
        }
        logs.push_back(LogOf(LogName(paths[i]), tables[i]));
    }
    return logs;
}

} // namespace inca
