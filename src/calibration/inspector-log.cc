/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/text.h"
#include "calibration/json-objects.h"
#include "calibration/log-tables.h"
#include "calibration/log-text.h"

#include <map>

namespace inca
{

namespace
{

/** A collective takes as long as on the rank where it is shortest: others began earlier, and waited for that one. */
struct ShortestTime
{
    Measurement row;
    std::uint32_t ranks{0}; ///< whose times are known
};

/** Collectives of a kind, and of as many ranks and nodes, timed in the same way. */
struct InspectedTable
{
    std::string name;
    std::uint64_t line{0}; ///< of the first
    std::uint32_t ranks{0};
    std::map<std::string, ShortestTime> collectives; ///< by communicator, number and size
};

} // namespace

void
ReadInspector(std::string_view text, LogTables& tables)
{
    std::map<std::string, InspectedTable> inspected;
    ForEachJsonObject(text, tables, [&inspected](const JsonObject& object) {
        const auto count = [&object](const char* path) { return CountAt(object.members, path); };
        const auto textAt = [&object](const char* path) {
            return ValueAt<std::string>(object.members, path);
        };
        const auto name = textAt("/coll_perf/coll") + textAt("/p2p_perf/p2p");
        if (name.empty())
        {
            return; // the last line of a process that died
        }
        const auto ranks = CheckedRanks(count("/header/n_ranks"));
        const auto clock = textAt("/coll_perf/coll_timing_source");
        auto& table = inspected[Text(name, " ", ranks, " ", count("/header/nnodes"), clock)];
        table.name = name;
        table.line = table.line == 0 ? object.line : table.line;
        table.ranks = ranks;
        const auto bytes = count("/coll_perf/coll_msg_size_bytes");
        auto& shortest = table.collectives[Text(
            textAt("/header/id"), " ", count("/coll_perf/coll_sn"), " ", bytes)];
        const auto seconds = ValueAt<double>(object.members, "/coll_perf/coll_exec_time_us") * 1e-6;
        if (++shortest.ranks == 1 || seconds < shortest.row.seconds)
        {
            shortest.row = {bytes, seconds, object.line};
        }
    });
    for (const auto& [place, from] : inspected)
    {
        tables.BeginTest(from.line, "NCCL Inspector", from.name, from.ranks);
        for (const auto& [key, shortest] : from.collectives)
        {
            tables.Add(shortest.row);
            if (shortest.ranks < from.ranks)
            {
                tables.Remark(shortest.row.line,
                              "is not of all ranks, and may include waiting for another; join the "
                              "files of all "
                              "processes.");
            }
        }
    }
}

} // namespace inca
