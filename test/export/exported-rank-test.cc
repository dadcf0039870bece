/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "export/exported-rank.h"

#include "base/errors.h"
#include "export/exported-run.h"
#include "support/own-path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

std::string
OfTwoByTwo(const std::string& more)
{
    return "[training]\ntrace = \"tensor:4000B\"\n[cluster]\nworkers = 2\ngpus = 2\n" + more;
}

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

/* 4000 bytes of each of 4 workers. A ring's send 2 * 3 blocks of 1000 bytes, over one channel or two, as halving and doubling
 * do halving and doubling, and two shots, flat or in groups (2 * 2000 in a group, 2 * 1000 between); to an aggregator and back go 4000 bytes of each, whoever passes them on, as to and from servers of 4 parts; of
 * trees' edges, of which each of two has 3, all carry their half up and down: 2 * 2 * 3 * 2000 in all. Of two workers, GPUs send half
 * inside before and after, and two quarters between, in one part or in several, or as a ring of four does. */
TEST(ExportedRank, SendsItsClosedForm)
{
    struct Row
    {
        std::string scenario;
        std::uint64_t all;
        std::optional<std::uint64_t> worker;
    };

    const Row rows[] = {{Scenario4("ring"), 24'000, 6000},
                        {Scenario4("ring", "[ring]\nchannels = 2\n"), 24'000, 6000},
                        {Scenario4("halving-doubling"), 24'000, 6000},
                        {Scenario4("two-shot"), 24'000, 6000},
                        {Scenario4("two-shot", "group_size = 2\n"), 24'000, 6000},
                        {Scenario4("worker-aggregator"), 32'000, {}},
                        {Scenario4("sharded-parameter-server"), 32'000, 4000},
                        {Scenario4("tree"), 24'000, {}},
                        {OfTwoByTwo(""), 24'000, 6000},
                        {OfTwoByTwo("[exchange]\npart_bytes = \"100B\"\n"), 24'000, 6000},
                        {OfTwoByTwo("[ring]\ngpus = \"flat\"\n"), 24'000, 6000}};
    for (const auto& [scenario, all, worker] : rows)
    {
        const auto run = Execute(RanksOf(PlanOf(scenario)));
        EXPECT_TRUE(run.finishes) << scenario;
        EXPECT_EQ(Sum(run.sentBytes), all) << scenario;
        EXPECT_EQ(Sum(run.receivedBytes), all) << scenario;
        for (Rank rank = 0; rank < 4; ++rank)
        {
            EXPECT_EQ(run.sentBytes[rank], worker.value_or(run.sentBytes[rank])) << scenario;
        }
    }
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
    for (const auto& layer : plan.Settings().trace->layers)
    {
        expected += layer.forwardPs + layer.backwardPs + layer.updatePs;
    }
    EXPECT_EQ(computed, expected);
    EXPECT_EQ(ranks[0].front().name, "## forward ##");
    for (const auto& operation : ranks[0])
    {
        EXPECT_EQ(operation.onHost, operation.name == "sum");
    }
}

/* Of a quarter of 4000 bytes, at 8.4 GB/s; what GPUs of a worker add is free. */
TEST(ExportedRank, AddsBetweenWorkers)
{
    std::vector<std::int64_t> sums;
    const auto ranks = RanksOf(PlanOf(OfTwoByTwo("")));
    for (const auto& operation : ranks[0])
    {
        if (operation.name == "sum")
        {
            sums.push_back(operation.ps);
        }
    }
    EXPECT_EQ(sums, (std::vector<std::int64_t>{119'048})); // rounded up
}

TEST(ExportedRank, WaitsForTheExchangeBeforeIt)
{
    const auto plan = PlanOf("[training]\ntrace = \"tensor:4000B\"\n[cluster]\nworkers = 2\n"
                             "[exchange]\nalgorithm = \"ring\"\nchunk_bytes = \"2000B\"\n");
    const auto& job = *plan.Job().job;
    ASSERT_EQ(job.chunks.size(), 2U);
    const auto run = Execute(RanksOf(plan));
    EXPECT_TRUE(run.finishes);
    EXPECT_EQ(run.sentBytes, (std::vector<std::uint64_t>(2, 4000))); // 2 * 1/2 of 4000
}

TEST(ExportedRank, CanBeOneAllReduceEach)
{
    const auto plan = PlanOf(Scenario4("ring"));
    const auto operations = ExportRank(plan.Settings(), *plan.Job().job, 0, true);
    const auto isAllReduce = [](const ExportedOperation& operation) {
        return operation.kind == ExportedOperation::Kind::ALL_REDUCE && operation.bytes == 4000;
    };
    EXPECT_EQ(std::count_if(operations.begin(), operations.end(), isAllReduce), 1);
}

TEST(ExportedRank, RefusesWhatCannotBeSaid)
{
    const auto refuse = [](const std::string& scenario, bool collectives) {
        constexpr std::uint64_t mostBytes = 1U << 20U;
        const auto plan = PlanOf(scenario);
        RequireExportable(plan.Settings(), *plan.Job().job, collectives, mostBytes);
    };
    EXPECT_THROW(refuse(Scenario4("switch-slots"), false), InputError);
    EXPECT_NO_THROW(refuse(Scenario4("switch-slots"), true));
    auto values = Scenario4("ring", "[codec]\nname = \"truncate\"\n");
    EXPECT_NO_THROW(refuse(values, false));
    values.insert(std::string("[training]\n").size(), "values = true\n");
    EXPECT_THROW(refuse(values, false), InputError); // sizes would be those of values
    const auto training = [](const std::string& keys) {
        auto scenario = Scenario4("ring");
        return scenario.insert(std::string("[training]\n").size(), keys);
    };
    const std::string groups = "sharding = \"hybrid\"\nshard_group = 2\naccumulation = 2\n";
    EXPECT_NO_THROW(refuse(training(groups), false));
    EXPECT_THROW(refuse(training(groups), true), InputError);
    EXPECT_THROW(refuse(training(groups + "replica_sums = \"update\"\n"), false), InputError);
    EXPECT_THROW(refuse(Scenario4("ring\"\ncollective = \"all-to-all"), true), InputError);
}

/* A ring of 4 has 2 * 3 steps on each of 4 workers, each of at least 40 bytes: 960 in all. As collectives it is one
 * operation of each worker: 160.                                                                                */
TEST(ExportedRank, RefusesWhatIsTooLargeBeforeItIsMade)
{
    const auto plan = PlanOf(Scenario4("ring"));
    const auto require = [&plan](bool collectives, std::uint64_t mostBytes) {
        RequireExportable(plan.Settings(), *plan.Job().job, collectives, mostBytes);
    };
    EXPECT_NO_THROW(require(false, 960));
    EXPECT_THROW(require(false, 959), InputError);
    EXPECT_NO_THROW(require(true, 160));
    EXPECT_THROW(require(true, 159), InputError);
}

namespace
{

/** Two layers of 1000 values and 4 workers that keep shards. */
std::string
Units(const std::string& training, const std::string& more = "")
{
    const auto path = OwnPath() + ".csv";
    std::ofstream(path) << "#inca-trace v1\n# model: test\n# source: test\n# class: assumed\n"
                           "# device: none\n# batch: 8\n# gradient_type: fp32\n"
                           "layer,elements,forward_ns,backward_ns,update_ns\n"
                           "in,1000,1000,2000,400\nout,1000,1000,2000,800\n";
    return "[training]\ntrace = \"" + path + "\"\nsend = \"layer\"\n" + training +
           "\n[cluster]\nworkers = 4\n[exchange]\nalgorithm = \"ring\"\n" + more;
}

std::int64_t
ComputedPs(const std::vector<ExportedOperation>& operations, const std::string& name)
{
    std::int64_t sum = 0;
    for (const auto& operation : operations)
    {
        sum += operation.name.find(name) == 0 ? operation.ps : 0;
    }
    return sum;
}

} // namespace

/* 5 gathers and sums of 1000 values in each micro-batch, of which 3/4 leave each worker; a quarter of 1200 ns of updates. */
TEST(ExportedRank, OfFullShardingGathersAndScatters)
{
    const std::pair<const char*, unsigned> rows[] = {
        {"overlap = true", 1}, {"overlap = false", 1}, {"accumulation = 3", 3}};
    for (const auto& [training, batches] : rows)
    {
        const auto plan = PlanOf(Units(std::string("sharding = \"full\"\n") + training));
        const auto ranks = RanksOf(plan);
        const auto run = Execute(ranks);
        EXPECT_TRUE(run.finishes);
        EXPECT_EQ(run.sentBytes, (std::vector<std::uint64_t>(4, batches * 5 * 3000)));
        EXPECT_EQ(ComputedPs(ranks[1], "## forward"), batches * 2'000'000);
        EXPECT_EQ(ComputedPs(ranks[1], "## backward"), batches * 4'000'000);
        EXPECT_EQ(ComputedPs(ranks[1], "## optimizer"), 300'000);
    }
}

/* A gather of 1000 bytes of each, sums of 4000. Shards are updated when all sums are there, or one after the other. */
TEST(ExportedRank, OfShardsHasTheirCollectives)
{
    using Kind = ExportedOperation::Kind;
    const auto kindsOf = [](const std::string& sharding) {
        const auto plan = PlanOf(Units("sharding = \"" + sharding));
        std::vector<std::pair<Kind, std::uint64_t>> kinds;
        for (const auto& operation : ExportRank(plan.Settings(), *plan.Job().job, 0, true))
        {
            if (operation.kind != Kind::COMPUTE)
            {
                kinds.emplace_back(operation.kind, operation.bytes);
            }
        }
        return kinds;
    };
    const std::pair<Kind, std::uint64_t> gather{Kind::ALL_GATHER, 1000};
    const std::pair<Kind, std::uint64_t> scatter{Kind::REDUCE_SCATTER, 4000};
    EXPECT_THAT(kindsOf("full\""), testing::ElementsAre(gather, gather, gather, scatter, scatter));
    EXPECT_THAT(kindsOf("optimizer\""), testing::ElementsAre(scatter, scatter, gather, gather));
    EXPECT_THAT(kindsOf("optimizer\"\nupdate = \"bucket\""),
                testing::ElementsAre(scatter, gather, scatter, gather));
}

/* The first gather keeps the first pass from beginning; what is asked for beside a pass does not wait for its end. */
TEST(ExportedRank, OfFullShardingOverlapsAsARun)
{
    const auto plan = PlanOf(Units("sharding = \"full\""));
    const auto operations = ExportRank(plan.Settings(), *plan.Job().job, 0, true);
    const auto placeOf = [&operations](const std::string& name) {
        const auto found = std::find_if(
            operations.begin(), operations.end(), [&name](const ExportedOperation& operation) {
                return operation.name == name;
            });
        return static_cast<std::size_t>(found - operations.begin());
    };
    const auto needsOf = [&](const std::string& name) {
        return operations.at(placeOf(name)).needs;
    };
    EXPECT_THAT(needsOf("all-gather 1"), testing::IsEmpty());
    EXPECT_THAT(needsOf("## forward ## unit 1"), testing::ElementsAre(placeOf("all-gather 1")));
    EXPECT_THAT(needsOf("all-gather 2"), testing::ElementsAre(placeOf("all-gather 1")));
    EXPECT_THAT(needsOf("## forward ## unit 2"),
                testing::ElementsAre(placeOf("## forward ## unit 1"), placeOf("all-gather 2")));
    EXPECT_THAT(needsOf("## backward ## unit 2"),
                testing::ElementsAre(placeOf("## forward ## unit 2")));
    EXPECT_THAT(needsOf("## backward ## unit 1"),
                testing::ElementsAre(placeOf("## backward ## unit 2"), placeOf("all-gather 3")));
}

/* 1000 values in 4 blocks, 6 of which leave each worker: 250 * 16 of 32 bits are 500 bytes. Of shards, gradients alone:
 * 3 * 500 and 3 * 1000. On a host that encodes 1 GB/s and decodes half as much, 1000 bytes take 1 and 2 us. */
TEST(ExportedRank, OfACodecSendsWhatTravels)
{
    const std::string truncate = "[codec]\nname = \"truncate\"\ndrop_bits = 16\n";
    const auto inNic = Execute(RanksOf(PlanOf(Scenario4("ring", truncate))));
    EXPECT_TRUE(inNic.finishes);
    EXPECT_EQ(inNic.sentBytes, (std::vector<std::uint64_t>(4, 3000)));
    auto sharded = Scenario4("ring", truncate);
    sharded.insert(std::string("[training]\n").size(), "sharding = \"optimizer\"\n");
    EXPECT_EQ(Execute(RanksOf(PlanOf(sharded))).sentBytes, (std::vector<std::uint64_t>(4, 4500)));
    const auto ranks = RanksOf(PlanOf(Scenario4(
        "ring",
        truncate + "placement = \"cpu\"\nencode_rate = \"1GBps\"\ndecode_rate = \"500MBps\"\n")));
    EXPECT_TRUE(Execute(ranks).finishes);
    EXPECT_EQ(ComputedPs(ranks[0], "encode"), 6 * 1'000'000);
    EXPECT_EQ(ComputedPs(ranks[0], "decode"), 6 * 2'000'000);
}

/* Index and counters go one way, 3/4 of them from each worker, weights the other; a worker decodes its own shard, and
 * updates a quarter of 1200 ns, between them. */
TEST(ExportedRank, OfSketchesInShardsHandsOnWeights)
{
    using Kind = ExportedOperation::Kind;
    for (const std::string sharding : {"optimizer", "full"})
    {
        const auto plan = PlanOf(Units("sharding = \"" + sharding + "\"\ndensity = 0.1") +
                                 "[codec]\nname = \"homomorphic\"\n");
        const auto& chunks = plan.Job().job->chunks;
        std::uint64_t bytes = 0;
        std::size_t scatters = 0;
        for (const auto& chunk : chunks)
        {
            scatters += chunk.CodedRounds();
            for (const auto& round : chunk.rounds)
            {
                bytes += round.plan->Elements() * 4;
            }
        }
        const auto ranks = RanksOf(plan);
        const auto run = Execute(ranks);
        EXPECT_TRUE(run.finishes);
        EXPECT_EQ(Sum(run.sentBytes), 3 * bytes) << sharding;
        EXPECT_EQ(ComputedPs(ranks[1], "## optimizer"), 300'000) << sharding;
        const auto collectives = ExportRank(plan.Settings(), *plan.Job().job, 0, true);
        const auto countOf = [&collectives](Kind kind) {
            return static_cast<std::size_t>(std::count_if(
                collectives.begin(), collectives.end(), [kind](const auto& operation) {
                    return operation.kind == kind;
                }));
        };
        EXPECT_EQ(countOf(Kind::REDUCE_SCATTER), scatters) << sharding;
        EXPECT_EQ(countOf(Kind::ALL_GATHER), sharding == "full" ? 3U : 2U) << sharding;
        EXPECT_EQ(countOf(Kind::ALL_REDUCE), 0U);
    }
}

/* An index and counters of each chunk, which are words of 4 bytes that each worker sends 2 * 3/4 of. */
TEST(ExportedRank, OfSketchesHasTwoRounds)
{
    const auto plan =
        PlanOf("[training]\ntrace = \"ncf\"\n[cluster]\nworkers = 4\n[exchange]\nalgorithm = "
               "\"ring\"\n[codec]\nname = \"homomorphic\"\n");
    const auto& job = *plan.Job().job;
    std::uint64_t words = 0;
    std::int64_t codedPs = 0;
    for (const auto& chunk : job.chunks)
    {
        ASSERT_EQ(chunk.rounds.size(), 2U);
        words += chunk.rounds[0].plan->Elements() + chunk.rounds[1].plan->Elements();
        codedPs += chunk.coding->EncodePs(0) + chunk.coding->EncodePs(1) + chunk.coding->DecodePs();
    }
    const auto ranks = RanksOf(plan);
    const auto run = Execute(ranks);
    EXPECT_TRUE(run.finishes);
    EXPECT_EQ(Sum(run.sentBytes), 2 * 3 * words * 4);
    EXPECT_EQ(ComputedPs(ranks[2], "encode") + ComputedPs(ranks[2], "decode"), codedPs);
}

} // namespace inca
