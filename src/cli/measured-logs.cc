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
        text += fmt::format("{}{} {} of {}", text.empty() ? "" : ", ", count, count == 1 ? "row" : "rows", NameOf(kind));
    }
    return text;
}

/** One line for the tables of a log, and its notes, each once. */
void
TellOf(const Log& log, const std::string& tool, const std::map<MeasuredKind, std::size_t>& taken, const std::vector<std::string>& notes)
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
    return tool == "nccl-tests" || tool == "rccl-tests" || tool == "NCCL Inspector" || tool == "all_reduce_bench" || tool == "PARAM";
}

/**
 * Takes what can be fitted of a table: of a ring an all-gather is half of an all-reduce, as is a reduce-scatter. How a library
 * that INCA knows gathers, it does not know.
 * @return whether it was taken
 */
bool
Take(const MeasurementTable& table, Log& log)
{
    const bool isHalf = table.kind == MeasuredKind::ALL_GATHER || table.kind == MeasuredKind::REDUCE_SCATTER;
    const bool isMessage = table.kind == MeasuredKind::MESSAGE;
    if (table.kind == MeasuredKind::STREAM)
    {
        constexpr double wireBits = 8 * 1538.0 / 1460; // of a byte, in whole frames
        for (const auto& row : table.rows)
        {
            log.bitsPerSecond = std::max(log.bitsPerSecond, wireBits * static_cast<double>(row.bytes) / row.seconds);
        }
        return true;
    }
    if (table.kind != MeasuredKind::ALL_REDUCE && !isMessage && !(isHalf && LibraryOf(table.tool) == "none"))
    {
        return false;
    }
    if (table.ranks == 0)
    {
        throw InputError(log.name + ": it does not say how many ranks there were; give --ranks N");
    }
    constexpr double half = 0.5;
    for (const auto& row : table.rows)
    {
        log.times.push_back({(row.bytes + 3) / 4 * 4, table.ranks, row.seconds, isHalf ? half : 1, isMessage});
    }
    const bool isFirst = log.library.empty() && !isMessage;
    log.library = isFirst ? LibraryOf(table.tool) : log.library;
    log.isOfGpus = log.isOfGpus || (!isMessage && IsOfGpus(table.tool));
    return true;
}

/** @throws InputError if a log cannot be read, has nothing to fit, or does not say how many ranks there were */
Log
ReadLog(const std::string& path, std::uint32_t ranks)
{
    Log log{path == "-" ? STDIN_NAME : path, "", false, {}, 0, {}};
    std::string tool;
    std::vector<std::string> notes;
    std::map<MeasuredKind, std::size_t> taken;
    for (const auto& table : ReadMeasurements(path, ranks))
    {
        for (const auto& note : table.notes)
        {
            notes.insert(notes.end(), std::count(notes.begin(), notes.end(), note) == 0 ? 1 : 0, note);
        }
        tool = tool.empty() ? table.tool : tool;
        (Take(table, log) ? taken : log.left)[table.kind] += table.rows.size();
    }
    if (taken.empty())
    {
        throw InputError(fmt::format("{}: it has nothing to fit, only {}", log.name, CountsOf(log.left)));
    }
    TellOf(log, tool, taken, notes);
    return log;
}

} // namespace

std::vector<Log>
ReadLogs(const std::vector<std::string>& paths, std::size_t first, const std::vector<std::uint32_t>& ranks)
{
    std::vector<Log> logs;
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        const auto known = ranks.empty() ? 0 : ranks.size() == 1 ? ranks[0] : ranks[first + i];
        logs.push_back(ReadLog(paths[i], known));
    }
    return logs;
}

} // namespace inca
