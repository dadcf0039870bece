/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/exchange-catalog.h"

#include "base/errors.h"
#include "exchange/all-exchanges.h"
#include "support/why-not.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

std::vector<std::string>
Complaints(const ExchangeSpec& spec)
{
    return FindExchange(spec.algorithm).complaints(spec);
}

} // namespace

TEST(ExchangeCatalog, NamesTheAggregationProgramOfThoseThatTheNetworkAdds)
{
    for (const auto* name : {"switch-slots", "switch-tree"})
    {
        EXPECT_EQ(FindExchange(name).aggregation, "slots") << name;
        EXPECT_TRUE(ReducesInNetwork(FindExchange(name))) << name;
    }
    for (const auto* name : {"ring", "worker-aggregator", "parameter-server"})
    {
        EXPECT_EQ(FindExchange(name).aggregation, "") << name;
        EXPECT_FALSE(ReducesInNetwork(FindExchange(name))) << name;
    }
}

/* Weights travel exactly where an aggregator has made some. */
TEST(ExchangeCatalog, SaysHowManyRanksThereAreBeyondTheWorkersAndWhatTheseGetBack)
{
    for (const auto& spec : AllExchanges(8))
    {
        const auto plan = MakeStepPlan(spec, 10);
        EXPECT_EQ(plan->WorkerCount(), 8U) << Describe(spec, 10);
        EXPECT_EQ(plan->RankCount(), 8U + FindExchange(spec.algorithm).otherRanks(spec))
            << Describe(spec, 10);
        EXPECT_EQ(SentByAll(spec, 10).weight > 0, FindExchange(spec.algorithm).returnsWeights)
            << Describe(spec, 10);
    }
}

TEST(ExchangeCatalog, WantsAServerWhereOneAddsABlock)
{
    EXPECT_THAT(Complaints({"sharded-parameter-server", 4, "flat", 1, 2, 0}),
                testing::ElementsAre("cluster.servers: must be 1..1000000, got 0"));
    EXPECT_THAT(Complaints({"sharded-parameter-server", 4, "flat", 1, 2, 1'000'001}),
                testing::ElementsAre("cluster.servers: must be 1..1000000, got 1000001"));
    EXPECT_THAT(Complaints({"parameter-server", 4, "flat", 1, 2, 0}), testing::IsEmpty());
}

TEST(ExchangeCatalog, SuggestsTheNearestName)
{
    EXPECT_EQ(WhyNot([] { FindExchange("rign"); }),
              "exchange.algorithm: unknown 'rign'; did you mean 'ring'?");
}

TEST(ExchangeCatalog, WantsTwoWorkersAtLeast)
{
    for (const auto& entry : ExchangeCatalog())
    {
        EXPECT_THAT(Complaints({entry.name, 1, "flat", 1, 2}),
                    testing::Contains(testing::StartsWith("cluster.workers: ")))
            << entry.name;
    }
    EXPECT_THAT(Complaints({"ring", 1, "flat", 1, 2}),
                testing::ElementsAre("cluster.workers: must be 2..1000000, got 1"));
}

/* 12 workers: groups of 2, 3, 4, 6 make two or more; 12 makes one, 1 makes no group. */
TEST(ExchangeCatalog, SaysWhichGroupSizesFit)
{
    for (const Rank size : {0U, 1U, 5U, 12U, 24U})
    {
        EXPECT_THAT(Complaints({"hierarchical-ring", 12, "flat", 1, size}),
                    testing::ElementsAre("exchange.group_size: 12 workers and groups of " +
                                         std::to_string(size) +
                                         " do not make two or more equal groups; these sizes do: "
                                         "2, 3, 4, 6"));
    }
    EXPECT_THAT(Complaints({"hierarchical-ring", 7, "flat", 1, 7}),
                testing::ElementsAre(testing::HasSubstr("no size does; another cluster.workers")));
}

TEST(ExchangeCatalog, HeedsTheBroadcastOnlyWhereThereIsOne)
{
    EXPECT_THAT(Complaints({"worker-aggregator", 4, "star", 1, 2}),
                testing::ElementsAre("exchange.broadcast: unknown 'star'; known are flat, "
                                     "binomial, chain"));
    EXPECT_THAT(Complaints({"ring", 4, "star", 1, 3}), testing::IsEmpty());
    EXPECT_THAT(Complaints({"worker-aggregator", 4, "chain", 0, 2}),
                testing::ElementsAre(testing::HasSubstr("exchange.segment_bytes: ")));
    EXPECT_THAT(Complaints({"worker-aggregator", 4, "flat", 0, 2}), testing::IsEmpty());
}

TEST(ExchangeCatalog, ReportsAllComplaintsAtOnce)
{
    try
    {
        MakeStepPlan({"hierarchical-aggregator", 7, "star", 1, 2}, 10);
        FAIL() << "a plan was made";
    }
    catch (const InputError& error)
    {
        EXPECT_EQ(error.Complaints().size(), 2U);
    }
}

} // namespace inca
