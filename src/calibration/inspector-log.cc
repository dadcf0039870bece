/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/json-objects.h"
#include "calibration/log-tables.h"
#include "calibration/log-text.h"

#include <map>
#include <tuple>

namespace inca
{

namespace
{

/** Ranks, nodes, and where times were taken: a table's. */
using InspectedGroup = std::tuple<std::uint32_t, std::uint32_t, std::string>;

/** Communicator, name, number and size (bytes). */
using InspectedCollective = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t>;

/** A collective takes as long as on the rank where it is the shortest: the others began earlier, and waited for that one. */
struct ShortestTime
{
    double us{0};
    std::uint32_t ranks{0};  ///< whose times are known
    std::uint64_t number{0}; ///< of the record, from 1
};

using InspectedTimes = std::map<InspectedGroup, std::map<InspectedCollective, ShortestTime>>;

void
AddInspected(const JsonObject& object, InspectedTimes& times)
{
    const auto count = [&object](const char* path) { return CountAt(object.members, path); };
    const auto text = [&object](const char* path) {
        return ValueAt<std::string>(object.members, path);
    };
    const auto us = ValueAt<double>(object.members, "/coll_perf/coll_exec_time_us");
    const InspectedGroup group{CheckedRanks(count("/header/n_ranks")),
                               CheckedRanks(count("/header/nnodes")),
                               text("/coll_perf/coll_timing_source")};
    auto& shortest = times[group][{text("/header/id"),
                                   text("/coll_perf/coll"),
                                   count("/coll_perf/coll_sn"),
                                   count("/coll_perf/coll_msg_size_bytes")}];
    if (++shortest.ranks == 1 || us < shortest.us)
    {
        shortest.us = us;
        shortest.number = object.number;
    }
}

} // namespace

void
ReadInspector(std::string_view text, LogTables& tables)
{
    InspectedTimes times;
    ForEachJsonObject(text, tables, [&](const JsonObject& object) {
        if (object.members.contains(
                "coll_perf")) // else a message, or the last line of a process that died
        {
            AddInspected(object, times);
        }
    });
    for (const auto& [group, collectives] : times)
    {
        const auto& [ranks, nodes, clock] = group;
        auto& table = tables.Begin(1, "NCCL Inspector", "Result");
        table.ranks = ranks;
        table.nodes = nodes;
        for (const auto& [collective, shortest] : collectives)
        {
            const auto& [id, name, number, size] = collective;
            const auto* test = FindLogTest(name);
            if (test == nullptr)
            {
                tables.Remark(shortest.number, "INCA has no such collective; it is left out.");
                continue;
            }
            const bool isPart = test->isPerRank && size < 1ULL << 40U;
            tables.Add(
                {test->kind, isPart ? size * ranks : size, shortest.us * 1e-6, 0, shortest.number});
            if (shortest.ranks < ranks)
            {
                tables.Remark(shortest.number,
                              "is not of all ranks, and may include waiting for another; join the "
                              "files of all processes.");
            }
        }
    }
}

} // namespace inca
