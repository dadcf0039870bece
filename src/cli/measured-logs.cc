/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/measured-logs.h"

#include "base/errors.h"
#include "base/printable.h"
#include "calibration/measurement-log.h"

#include <fmt/format.h>

#include <set>

namespace inca
{

namespace
{

/** One line for the tables of a log, and its notes, each once. */
void
TellOf(const Log& log, const std::vector<MeasurementTable>& tables)
{
    std::set<std::string> notes;
    for (const auto& table : tables)
    {
        notes.insert(table.notes.begin(), table.notes.end());
    }
    std::set<std::uint32_t> ranks;
    for (const auto& time : log.times)
    {
        ranks.insert(time.ranks);
    }
    fmt::print("{}\n",
               Printable(fmt::format("{}: {}, {} ranks, {} all-reduces",
                                     log.name,
                                     tables.front().tool,
                                     fmt::join(ranks, ", "),
                                     log.times.size())));
    for (const auto& note : notes)
    {
        fmt::print("  {}\n", Printable(note));
    }
}

/** Whose collectives a tool measures. NCCL's are rings here: its picks need more than a log says. */
std::string
LibraryOf(const std::string& tool)
{
    return tool == "OSU" || tool == "IMB" ? "openmpi" : tool == "gloo" ? "gloo" : "none";
}

/** @throws InputError if a log cannot be read, or does not say how many ranks there were */
Log
ReadLog(const std::string& path, std::uint32_t ranks)
{
    Log log{path, "none", {}};
    const auto tables = ReadMeasurements(path);
    for (const auto& table : tables)
    {
        log.library = LibraryOf(table.tool);
        const auto known = table.ranks == 0 ? ranks : table.ranks;
        for (const auto& row : table.rows)
        {
            if (known < 2)
            {
                throw InputError(known == 0
                                     ? path + ": it does not say how many ranks there were; give "
                                              "--ranks N"
                                     : path + ": an all-reduce needs 2 ranks, and there was 1");
            }
            log.times.push_back({(row.bytes + 3) / 4 * 4, known, row.seconds});
        }
    }
    TellOf(log, tables);
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
