/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/measured-logs.h"

#include "base/errors.h"
#include "base/input-file.h"
#include "base/printable.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

namespace inca
{

namespace
{

/** "12 rows of message, 3 rows of stream" */
std::string
CountsOf(const std::vector<MeasurementTable>& tables)
{
    std::map<MeasuredKind, std::size_t> counts;
    for (const auto& table : tables)
    {
        counts[table.kind] += table.rows.size();
    }
    std::string text;
    for (const auto& [kind, count] : counts)
    {
        text += fmt::format("{}{} rows of {}", text.empty() ? "" : ", ", count, NameOf(kind));
    }
    return text;
}

/** One line for the tables of a log, and its notes, each once. */
void
TellOf(const Log& log, const std::string& tool, const std::set<std::string>& notes)
{
    std::set<std::uint32_t> ranks;
    for (const auto& time : log.times)
    {
        ranks.insert(time.ranks);
    }
    const auto of = ranks.empty() ? "" : fmt::format("{} ranks, ", fmt::join(ranks, ", "));
    fmt::print("{}\n", Printable(fmt::format("{}: {}, {}{} all-reduces", log.name, tool, of, log.times.size())));
    for (const auto& note : notes)
    {
        fmt::print("  {}\n", Printable(note));
    }
    if (!log.others.empty())
    {
        fmt::print("  Not fitted: {}.\n", CountsOf(log.others));
    }
}

/** Whose collectives a tool measures. NCCL's are rings here: its picks need more than a log says. */
std::string
LibraryOf(const std::string& tool)
{
    return tool == "OSU" || tool == "IMB" ? "openmpi" : tool == "gloo" ? "gloo" : "none";
}

/** @throws InputError if a log cannot be read, has no all-reduces, or does not say how many ranks there were */
Log
ReadLog(const std::string& path, std::uint32_t ranks)
{
    Log log{path == "-" ? STDIN_NAME : path, "none", {}, {}};
    std::string tool;
    std::set<std::string> notes;
    for (auto& table : ReadMeasurements(path, ranks))
    {
        notes.insert(table.notes.begin(), table.notes.end());
        tool = tool.empty() ? table.tool : tool;
        if (table.kind != MeasuredKind::ALL_REDUCE)
        {
            log.others.push_back(std::move(table));
            continue;
        }
        if (table.ranks == 0)
        {
            throw InputError(log.name + ": it does not say how many ranks there were; give --ranks N");
        }
        log.library = LibraryOf(table.tool);
        for (const auto& row : table.rows)
        {
            log.times.push_back({(row.bytes + 3) / 4 * 4, table.ranks, row.seconds});
        }
    }
    TellOf(log, tool, notes);
    if (log.times.empty())
    {
        throw InputError(fmt::format("{}: it has no all-reduce to fit, only {}", log.name, CountsOf(log.others)));
    }
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
