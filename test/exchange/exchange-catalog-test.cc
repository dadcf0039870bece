/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/exchange-catalog.h"

#include "base/errors.h"
#include "exchange/total-traffic.h"

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

TEST(ExchangeCatalog, HasTheExchangesInTheirOrder)
{
    EXPECT_EQ(ExchangeNames(),
              (std::vector<std::string>{"worker-aggregator",
                                        "ring",
                                        "hierarchical-aggregator",
                                        "hierarchical-ring",
                                        "parameter-server",
                                        "sharded-parameter-server",
                                        "switch-slots",
                                        "switch-tree"}));
}

TEST(ExchangeCatalog, NamesTheAggregationProgramOfThoseThatTheNetworkAdds)
{
    for (const auto& entry : ExchangeCatalog())
    {
        const bool isSwitch = std::string(entry.name).rfind("switch-", 0) == 0;
        EXPECT_EQ(entry.aggregation, isSwitch ? "slots" : "") << entry.name;
        EXPECT_EQ(SumsInNetwork(entry), isSwitch) << entry.name;
    }
}

TEST(ExchangeCatalog, SaysHowManyRanksAnExchangeHasBeyondTheWorkers)
{
    for (const auto& entry : ExchangeCatalog())
    {
        const ExchangeSpec spec{entry.name, 8, "binomial", 10, 4};
        const auto plan = MakeStepPlan(spec, 10);
        EXPECT_EQ(plan->WorkerCount(), 8U);
        EXPECT_EQ(plan->RankCount(), 8U + entry.otherRanks(spec)) << entry.name;
    }
}

/* Weights travel exactly where an aggregator has made some. */
TEST(ExchangeCatalog, SaysWhatWorkersGetBack)
{
    for (const auto& entry : ExchangeCatalog())
    {
        const auto sent = SentByAll({entry.name, 8, "binomial", 10, 4}, 10);
        EXPECT_EQ(sent.weight > 0, ReturnsWeights(entry)) << entry.name;
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
    try
    {
        FindExchange("rign");
        FAIL() << "an unknown exchange was found";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(), "exchange.algorithm: unknown 'rign'; did you mean 'ring'?");
    }
}

TEST(ExchangeCatalog, WantsTwoWorkersAtLeast)
{
    for (const auto& entry : ExchangeCatalog())
    {
        EXPECT_THAT(Complaints({entry.name, 1, "flat", 1, 2}),
                    testing::ElementsAre("cluster.workers: must be 2..1000000, got 1"));
    }
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
                testing::ElementsAre(testing::HasSubstr("no size does, change cluster.workers")));
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
