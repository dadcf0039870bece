/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/condition.h"

#include "base/errors.h"
#include "support/why-not.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

/** A ring of 4 workers at 10 Gbit/s, without a group size. */
bool
Holds(const std::string& condition)
{
    return Condition({condition, "--where"}).Holds(Scenario{});
}

std::string
Complaint(const std::string& condition)
{
    return WhyNot([&] { Holds(condition); });
}

} // namespace

TEST(Condition, ComparesKeysInTheUnitsOfTheirColumns)
{
    EXPECT_TRUE(Holds("cluster.workers * cluster.bandwidth <= 40"));
    EXPECT_FALSE(Holds("cluster.workers * cluster.bandwidth < 40"));
    EXPECT_TRUE(Holds("cluster.latency = 1 and cluster.bandwidth == 10"));
    EXPECT_TRUE(Holds("training.jitter_sd < 0.5"));
}

TEST(Condition, KnowsNamesAndBooleans)
{
    EXPECT_TRUE(Holds("exchange.algorithm = 'ring' and not training.values"));
    EXPECT_TRUE(Holds("exchange.algorithm == \"ring\""));
    EXPECT_TRUE(Holds("exchange.order in ('ready', 'priority')")); // order is a word of SQL, too
    EXPECT_TRUE(Holds("training.overlap = true"));
}

TEST(Condition, DoesNotHoldOfAKeyWithoutAValue)
{
    EXPECT_FALSE(Holds("training.density <= 1"));
    EXPECT_FALSE(Holds("training.density > 1"));
    EXPECT_TRUE(Holds("training.density is null or training.density <= 1"));
}

TEST(Condition, SaysWhatIsWrong)
{
    using testing::HasSubstr;
    EXPECT_THAT(
        Complaint("cluster.bandwith > 3"),
        HasSubstr("--where: unknown 'cluster.bandwith'; did you mean 'cluster.bandwidth'?"));
    EXPECT_THAT(Complaint("cluster.bandwidth > '40Gbps'"), HasSubstr("plain number"));
    EXPECT_THAT(Complaint("cluster.bandwidth > 40Gbps"), HasSubstr("is no condition"));
    EXPECT_THAT(Complaint("workers > 40"), HasSubstr("no such column: workers"));
    EXPECT_THAT(Complaint("cluster.workers > 2 || cluster.workers < 1"), HasSubstr("write or"));
    EXPECT_THAT(Complaint("exchange.algorithm = 'ring"), HasSubstr("closing quote"));
    EXPECT_THAT(Complaint("cluster.workers > 2; drop table x"), HasSubstr("has no meaning"));
    EXPECT_THAT(Complaint(""), HasSubstr("is no condition"));
}

/* The same condition of one scenario after the other. */
TEST(Condition, IsAskedOften)
{
    Condition condition({"cluster.workers < 8", "--where"});
    Scenario scenario;
    EXPECT_TRUE(condition.Holds(scenario));
    scenario.cluster.workers = 8;
    EXPECT_FALSE(condition.Holds(scenario));
    scenario.cluster.workers = 7;
    EXPECT_TRUE(condition.Holds(scenario));
}

} // namespace inca
