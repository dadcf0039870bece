/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "export/exported-rank.h"

#include "base/errors.h"
#include "export/exported-run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace inca
{

namespace
{

std::string
Scenario4(const std::string& exchange, const std::string& more = "")
{
    return "[training]\ntrace = \"tensor:4000B\"\n[cluster]\nworkers = 4\n[exchange]\nalgorithm = "
           "\"" +
           exchange + "\"\n" + more;
}

std::uint64_t
Sum(const std::vector<std::uint64_t>& values)
{
    return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

} // namespace

/* 1000 values in 4 blocks of 250: each worker sends 2 * 3 blocks of 1000 bytes. */
TEST(ExportedRank, OfARingSendsItsClosedForm)
{
    const auto run = Execute(RanksOf(PlanOf(Scenario4("ring"))));
    EXPECT_TRUE(run.finishes);
    EXPECT_EQ(run.sentBytes, (std::vector<std::uint64_t>(4, 6000)));
    EXPECT_EQ(run.receivedBytes, run.sentBytes);
}

/* Each worker's 4000 bytes go to the aggregator, and come back to each once, whoever passes them on. */
TEST(ExportedRank, OfAnAggregatorSendsItsClosedForm)
{
    const auto run = Execute(RanksOf(PlanOf(Scenario4("worker-aggregator"))));
    EXPECT_TRUE(run.finishes);
    ASSERT_EQ(run.sentBytes.size(), 5U);
    EXPECT_EQ(run.receivedBytes[4], 16'000U);
    EXPECT_EQ(Sum(run.sentBytes), 32'000U);
}

/* Servers of 4 parts: each worker sends 4000 bytes and gets 4000 back. */
TEST(ExportedRank, OfServersSendsItsClosedForm)
{
    const auto run = Execute(RanksOf(PlanOf(Scenario4("sharded-parameter-server"))));
    EXPECT_TRUE(run.finishes);
    EXPECT_EQ(Sum(run.sentBytes), 32'000U);
    for (Rank worker = 0; worker < 4; ++worker)
    {
        EXPECT_EQ(run.sentBytes[worker], 4000U);
    }
}

/* Two channels at a time, and trees: whatever goes on together, 4000 bytes come in as closed forms say. A
 * ring's workers send 2 * 3/4 of them; of trees' edges, of which each of two has 3, all carry their half up
 * and down: 2 * 2 * 3 * 2000 in all. Halving and doubling is a ring in what it sends.                    */
TEST(ExportedRank, OfCollectivesOfLibrariesSendsItsClosedForm)
{
    const auto channels = Execute(RanksOf(PlanOf(Scenario4("ring", "[ring]\nchannels = 2\n"))));
    EXPECT_TRUE(channels.finishes);
    EXPECT_EQ(channels.sentBytes, (std::vector<std::uint64_t>(4, 6000)));
    const auto halving = Execute(RanksOf(PlanOf(Scenario4("halving-doubling"))));
    EXPECT_TRUE(halving.finishes);
    EXPECT_EQ(halving.sentBytes, (std::vector<std::uint64_t>(4, 6000)));
    const auto tree = Execute(RanksOf(PlanOf(Scenario4("tree"))));
    EXPECT_TRUE(tree.finishes);
    EXPECT_EQ(Sum(tree.sentBytes), 24'000U);
}

/* alexnet: forward, then backward bucket by bucket, each of which is exchanged; updates last. What is
 * computed is all that the trace has.                                                              */
TEST(ExportedRank, HasWhatIsComputed)
{
    const auto plan = PlanOf("[training]\ntrace = \"alexnet\"\n[cluster]\nworkers = "
                             "2\n[exchange]\nalgorithm = \"ring\"\n");
    const auto ranks = RanksOf(plan);
    EXPECT_TRUE(Execute(ranks).finishes);
    std::int64_t computed = 0;
    for (const auto& operation : ranks[0])
    {
        computed += operation.name.find("##") == 0 ? operation.ps : 0;
    }
    std::int64_t expected = 0;
    for (const auto& layer : plan.prepared.trace->layers)
    {
        expected += layer.forwardPs + layer.backwardPs + layer.updatePs;
    }
    EXPECT_EQ(computed, expected);
    EXPECT_EQ(ranks[0].front().name, "## forward ##");
}

TEST(ExportedRank, WaitsForTheExchangeBeforeIt)
{
    const auto plan = PlanOf("[training]\ntrace = \"tensor:4000B\"\n[cluster]\nworkers = 2\n"
                             "[exchange]\nalgorithm = \"ring\"\nchunk_bytes = \"2000B\"\n");
    const auto& job = *plan.prepared.job;
    ASSERT_EQ(job.chunks.size(), 2U);
    const auto run = Execute(RanksOf(plan));
    EXPECT_TRUE(run.finishes);
    EXPECT_EQ(run.sentBytes, (std::vector<std::uint64_t>(2, 4000))); // 2 * 1/2 of 4000
}

TEST(ExportedRank, CanBeOneAllReduceEach)
{
    const auto plan = PlanOf(Scenario4("ring"));
    const auto operations = ExportRank(plan.scenario, *plan.prepared.job, 0, true);
    const auto isAllReduce = [](const ExportedOperation& operation) {
        return operation.kind == ExportedOperation::Kind::ALL_REDUCE && operation.bytes == 4000;
    };
    EXPECT_EQ(std::count_if(operations.begin(), operations.end(), isAllReduce), 1);
}

TEST(ExportedRank, RefusesWhatCannotBeSaid)
{
    const auto refuse = [](const std::string& scenario, bool collectives) {
        const auto plan = PlanOf(scenario);
        RequireExportable(plan.scenario, *plan.prepared.job, collectives);
    };
    EXPECT_THROW(refuse(Scenario4("switch-slots"), false), InputError);
    EXPECT_NO_THROW(refuse(Scenario4("switch-slots"), true));
    EXPECT_THROW(refuse(Scenario4("ring", "[codec]\nname = \"inceptionn\"\n"), false), InputError);
}

} // namespace inca
