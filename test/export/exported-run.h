/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXPORT_EXPORTED_RUN_H
#define INCA_TEST_EXPORT_EXPORTED_RUN_H

#include "export/exported-rank.h"
#include "plan/plan-maker.h"
#include "scenario/scenario-reader.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace inca
{

/** The plan of a scenario's text. */
inline Plan
PlanOf(const std::string& scenario)
{
    return MakePlan(ParseScenario(scenario, "x.toml", {}).scenario);
}

inline std::vector<std::vector<ExportedOperation>>
RanksOf(const Plan& plan)
{
    std::vector<std::vector<ExportedOperation>> ranks;
    for (Rank rank = 0; rank < plan.Job().job->RankCount(); ++rank)
    {
        ranks.push_back(ExportRank(plan.Settings(), *plan.Job().job, rank, false));
    }
    return ranks;
}

/** What another simulator would make of a schedule: who could do everything, and bytes of each rank. */
struct ExportedRun
{
    bool finishes{false};
    std::vector<std::uint64_t> sentBytes;
    std::vector<std::uint64_t> receivedBytes;
};

/** Executes the dependencies: a receive is done when its message, of the same bytes and tag, was sent. */
inline ExportedRun
Execute(const std::vector<std::vector<ExportedOperation>>& ranks)
{
    using Kind = ExportedOperation::Kind;
    ExportedRun run;
    run.sentBytes.resize(ranks.size());
    run.receivedBytes.resize(ranks.size());
    std::vector<std::vector<bool>> done;
    for (const auto& operations : ranks)
    {
        done.emplace_back(operations.size());
    }
    std::map<std::tuple<std::size_t, std::size_t, std::uint32_t, std::uint64_t>, unsigned> underWay;
    std::size_t left = 0;
    bool moves = true;
    while (moves)
    {
        moves = false;
        left = 0;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        {
            for (std::size_t i = 0; i < ranks[rank].size(); ++i)
            {
                const auto& operation = ranks[rank][i];
                if (done[rank][i])
                {
                    continue;
                }
                ++left;
                const bool ready =
                    std::all_of(operation.needs.begin(),
                                operation.needs.end(),
                                [&](std::size_t needed) { return done[rank][needed]; });
                if (!ready)
                {
                    continue;
                }
                if (operation.kind == Kind::RECEIVE)
                {
                    auto& messages =
                        underWay[{operation.peer, rank, operation.tag, operation.bytes}];
                    if (messages == 0)
                    {
                        continue;
                    }
                    --messages;
                    run.receivedBytes[rank] += operation.bytes;
                }
                else if (operation.kind == Kind::SEND)
                {
                    ++underWay[{rank, operation.peer, operation.tag, operation.bytes}];
                    run.sentBytes[rank] += operation.bytes;
                }
                done[rank][i] = true;
                moves = true;
                --left;
            }
        }
    }
    run.finishes = left == 0;
    for (const auto& [message, count] : underWay)
    {
        run.finishes = run.finishes && count == 0;
    }
    return run;
}

} // namespace inca

#endif // INCA_TEST_EXPORT_EXPORTED_RUN_H
