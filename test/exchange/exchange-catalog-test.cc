/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/exchange-catalog.h"

#include "exchange/all-exchanges.h"
#include "support/why-not.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

/* Weights travel exactly where an aggregator has made some; switches add by a scheme that is there. */
TEST(ExchangeCatalog, SaysHowManyRanksThereAreBeyondTheWorkersAndWhatTheseGetBack)
{
    for (const auto& spec : AllExchanges(8))
    {
        SCOPED_TRACE(Describe(spec, 10));
        const auto plan = MakeStepPlan(spec, 10);
        const auto& entry = ExchangeCatalog().Find(spec.algorithm);
        EXPECT_EQ(plan->WorkerCount(), 8U);
        EXPECT_EQ(plan->RankCount(), 8U + entry.otherRanks(spec));
        EXPECT_EQ(SentByAll(spec, 10).weight > 0, entry.returnsWeights);
        EXPECT_EQ(plan->At(0, 0).reduction.has_value(), ReducesInNetwork(entry));
        if (ReducesInNetwork(entry))
        {
            EXPECT_EQ(AggregationSchemeCatalog().Find(entry.aggregation).name, entry.aggregation);
        }
    }
}

/* 12 workers: groups of 2, 3, 4, 6 make two or more; 12 makes one, 1 makes no group. */
TEST(ExchangeCatalog, SaysWhatIsWrongWithASpec)
{
    const std::pair<ExchangeSpec, std::vector<std::string>> rows[] = {
        {{"sharded-parameter-server", 4, "flat", 2, 0}, {"cluster.servers: "}},
        {{"sharded-parameter-server", 4, "flat", 2, 1'000'001}, {"cluster.servers: "}},
        {{"parameter-server", 4, "flat", 2, 0}, {}},
        {{"ring", 1, "flat", 2}, {"cluster.workers: "}},
        {{"hierarchical-ring", 12, "flat", 5}, {"exchange.group_size: "}},
        {{"hierarchical-ring", 12, "flat", 0}, {"exchange.group_size: "}},
        {{"hierarchical-ring", 12, "flat", 12}, {"2, 3, 4, 6"}},
        {{"hierarchical-ring", 7, "flat", 7}, {"exchange.group_size: "}},
        {{"worker-aggregator", 4, "star", 2}, {"exchange.broadcast: unknown 'star'"}},
        {{"ring", 4, "star", 3}, {}},
        {{"worker-aggregator", 4, "flat", 2}, {}},
        {{"hierarchical-aggregator", 7, "star", 2},
         {"exchange.group_size: ", "exchange.broadcast: "}},
    };
    for (const auto& [spec, parts] : rows)
    {
        SCOPED_TRACE(Describe(spec, 10));
        const auto complaints = ExchangeCatalog().Find(spec.algorithm).complaints(spec);
        ASSERT_EQ(complaints.size(), parts.size());
        for (std::size_t i = 0; i < parts.size(); ++i)
        {
            EXPECT_THAT(complaints[i], testing::HasSubstr(parts[i]));
        }
        EXPECT_EQ(!parts.empty(), !WhyNot([&spec = spec] { MakeStepPlan(spec, 10); }).empty());
    }
    for (const auto& entry : ExchangeCatalog().Rows())
    {
        EXPECT_TRUE(Complains({entry.name, 1, "flat", 2}, "cluster.workers")) << entry.name;
    }
}

} // namespace inca
