/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "values/value-exchange.h"

#include "experiment/attributes.h"
#include "experiment/cluster-builder.h"
#include "experiment/scenario-fixture.h"
#include "helper/time-resolution.h"
#include "support/install.h"

#include <ns3/config.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

using Rows = std::vector<std::vector<float>>;

Rows
RowsOf(std::size_t workers, std::size_t elements)
{
    return Rows(workers, std::vector<float>(elements));
}

template <typename Pointer, typename Matrix>
std::vector<Pointer>
PointersTo(Matrix& rows)
{
    std::vector<Pointer> pointers;
    for (auto& row : rows)
    {
        pointers.push_back(row.data());
    }
    return pointers;
}

/** What each worker of a simulated run brings into its first exchange of each chunk, and what it then holds. */
std::pair<Rows, Rows>
Simulated(const Plan& plan)
{
    const auto& job = plan.Job().job;
    const auto elements = plan.Settings().trace->Elements();
    auto own = RowsOf(job->workers, elements);
    auto held = RowsOf(job->workers, elements);
    for (Rank worker = 0; worker < job->workers; ++worker)
    {
        job->ownGradient(worker, {0, elements}, own[worker].data());
    }
    SetPicosecondResolution();
    SetAttributeDefaults(plan.Settings());
    const auto cluster = BuildCluster(plan);
    const auto take = [&](Rank worker, std::uint32_t exchange, const ExchangeOutcome& outcome) {
        const auto& chunk = job->ChunkOf(exchange);
        const bool isOfGradients = chunk.purpose == ExchangePurpose::GRADIENTS;
        if (!job->IsWorker(worker) || exchange >= job->chunks.size() || !isOfGradients)
        {
            return;
        }
        // of shards, what a worker has summed; else all
        const auto keep = [&](Rank to, ElementRange range) {
            const auto part = Clip(range, {0, chunk.range.count});
            CopyFloats(outcome.values->Held(part),
                       part.count,
                       held[to].data() + chunk.range.begin + part.begin);
        };
        if (!job->GathersWeights())
        {
            keep(worker, {0, chunk.range.count});
            return;
        }
        for (const auto& members : chunk.InCommunicators())
        {
            const bool isIn = std::find(members.begin(), members.end(), worker) != members.end();
            for (auto to = members.begin(); isIn && to != members.end(); ++to)
            {
                for (const auto& range : outcome.values->Updated())
                {
                    keep(*to, range);
                }
            }
        }
    };
    for (const auto& rank : InstallJob(cluster, job))
    {
        rank->SetValueSink(take);
    }
    ns3::Simulator::Run();
    ns3::Simulator::Destroy();
    ns3::Config::Reset();
    return {own, held};
}

} // namespace

using ValueExchanges = ScenarioFixture;

/** Of every kind of random scenarios: what a simulated run's workers hold, from the same gradients, to the bit. */
TEST_F(ValueExchanges, GivesWhatSimulatedWorkersHold)
{
    const DrawnTraces traces(testing::TempDir());
    std::map<std::string, int> seen;
    for (const std::string kind : {"scenarios",
                                   "networks",
                                   "gradients",
                                   "two shots",
                                   "collectives",
                                   "host shards",
                                   "hybrids",
                                   "sharding",
                                   "sketches",
                                   "sketch shards",
                                   "codecs"})
    {
        for (std::uint32_t number = 0; number < 40; ++number)
        {
            auto scenario = DrawnOf(kind, number, traces);
            scenario.training.values = true;
            scenario.training.iterations = 1;
            scenario.training.accumulation = 1;
            scenario.simulation.mode = SimulationMode::PACKET;
            if (!Complaints(scenario).empty())
            {
                continue;
            }
            SCOPED_TRACE(kind + " " + std::to_string(number) + ": " + SettingsOf(scenario));
            const auto plan = MakePlan(scenario);
            const auto& rounds = plan.Job().job->chunks.back().rounds;
            if (std::any_of(rounds.begin(), rounds.end(), [](const JobRound& round) {
                    return !round.hooks.network.isExact; // the order of arrival decides
                }))
            {
                continue;
            }
            const auto [own, held] = Simulated(plan);
            ValueExchange exchange(scenario);
            auto results = RowsOf(own.size(), own.front().size());
            exchange.Run(PointersTo<const float*>(own), PointersTo<float*>(results));
            for (std::size_t worker = 0; worker < own.size(); ++worker)
            {
                const auto bytes = own[worker].size() * sizeof(float);
                ASSERT_EQ(std::memcmp(results[worker].data(), held[worker].data(), bytes), 0)
                    << "worker " << worker;
            }
            ++seen[kind];
        }
    }
    EXPECT_EQ(seen.size(), 11U);
    for (const auto& [kind, count] : seen)
    {
        EXPECT_GE(count, 10) << kind;
    }
}

} // namespace inca
