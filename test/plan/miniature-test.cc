/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/miniature.h"

#include "plan/plan-maker.h"
#include "scenario/keys.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

using Settings = std::vector<std::pair<std::string, std::string>>;

/** A ring of @p workers whose 50,000,001 values are 8 MB and more for each of up to 24 workers. */
Scenario
Ring(Rank workers, const Settings& settings = {})
{
    Scenario scenario;
    scenario.training.trace = "tensor:200000004B";
    scenario.cluster.workers = workers;
    scenario.training.iterations = 20; // so that nobody stands for all as it is
    scenario.exchange.chunkBytes = 1'000'000;
    for (const auto& [key, text] : settings)
    {
        SetKey(scenario, key, text);
    }
    return scenario;
}

} // namespace

/* 8, 32, .. that are a quarter at most. */
TEST(Miniature, IsTriedWithMoreAndMoreWorkers)
{
    EXPECT_EQ(MakePlan(Ring(64)).miniatures, std::vector<Rank>{8});
    EXPECT_EQ(MakePlan(Ring(127)).miniatures, std::vector<Rank>{8});
    EXPECT_EQ(MakePlan(Ring(128)).miniatures, (std::vector<Rank>{8, 32}));
}

/* A lone exchange is not tried: a 16th of its workers stand for all, and 8 at least. 200 MB are 195 kB of each of 1024, and of
 * 128 more than 250 frames: one of these stands for all. */
TEST(Miniature, IsOfAShareOfALoneExchange)
{
    const auto lone = [](Rank workers) {
        return MakePlan(
            Ring(workers, {{"training.iterations", "1"}, {"exchange.chunk_bytes", "0"}}));
    };
    EXPECT_EQ(lone(1024).fold.simulated, 64U);
    EXPECT_TRUE(lone(1024).IsMiniature());
    EXPECT_TRUE(lone(1024).miniatures.empty());
    EXPECT_EQ(lone(128).fold.simulated, 1U);
    const auto ofFew = MakePlan(Ring(64,
                                     {{"training.trace", "tensor:2000004B"},
                                      {"training.iterations", "1"},
                                      {"exchange.chunk_bytes", "0"}}));
    EXPECT_EQ(ofFew.fold.simulated, 8U);
}

/* Its place where one waits comes to each of 8 in every eighth step, and to each of 64 in every 64th. */
TEST(Miniature, CountsAShareOfWaitsInALoneExchange)
{
    const auto waitsOf = [](const Settings& settings) {
        const auto plan = MakePlan(Ring(64, settings));
        EXPECT_EQ(plan.fold.simulated, 8U);
        return WaitsOf(plan.scenario, *plan.prepared.job, plan.fold);
    };
    const auto lone = waitsOf({{"training.trace", "tensor:2000004B"},
                               {"training.iterations", "1"},
                               {"exchange.chunk_bytes", "0"}});
    EXPECT_EQ(lone.part, 8U);
    EXPECT_EQ(lone.whole, 64U);
    const auto several = waitsOf({});
    EXPECT_EQ(several.part, several.whole);
}

/* Values that frames do not carry are none of a lone exchange in miniature either. */
TEST(Miniature, ReplaysValuesOfALoneExchange)
{
    const auto plan = MakePlan(Ring(64,
                                    {{"training.trace", "tensor:2000004B"},
                                     {"training.values", "true"},
                                     {"training.iterations", "1"},
                                     {"exchange.chunk_bytes", "0"}}));
    EXPECT_EQ(plan.fold.simulated, 8U);
    EXPECT_TRUE(plan.ReplaysValues());
}

TEST(Miniature, IsThePlanFirst)
{
    const auto plan = MakePlan(Ring(64, {{"ring.channels", "2"}}));
    EXPECT_TRUE(plan.IsMiniature());
    EXPECT_EQ(plan.fold.simulated, 8U);
    EXPECT_FALSE(plan.fold.exact);
    EXPECT_FALSE(plan.fold.even);
    EXPECT_EQ(plan.fold.Times(), std::vector<Rank>(8, 8));
}

/* Of 61 workers, 61 - 7 * 8 = 5 of 8 stand for 8, the others for 7. */
TEST(Miniature, StandsForAnyNumber)
{
    EXPECT_EQ(MakePlan(Ring(61)).fold.Times(), (std::vector<Rank>{8, 8, 8, 8, 8, 7, 7, 7}));
}

TEST(Miniature, IsOfUnevenRingsAlone)
{
    EXPECT_TRUE(MakePlan(Ring(31)).miniatures.empty());
    const Settings even{{"training.trace", "tensor:200MB"}, {"exchange.chunk_bytes", "1024000B"}};
    EXPECT_TRUE(
        MakePlan(Ring(64, even)).miniatures.empty()); // 4000 values each, and 1250 of the last
    EXPECT_TRUE(MakePlan(Ring(64, {{"codec.name", "truncate"}})).miniatures.empty());
    EXPECT_TRUE(MakePlan(Ring(64, {{"host.duplex", "0.5"}})).miniatures.empty());
    EXPECT_TRUE(MakePlan(Ring(64, {{"exchange.concurrent", "2"}})).miniatures.empty());
    EXPECT_TRUE(MakePlan(Ring(64, {{"transport.ack_every", "7"}})).miniatures.empty());
    EXPECT_TRUE(MakePlan(Ring(64, {{"transport.window", "31"}})).miniatures.empty());
    EXPECT_TRUE(MakePlan(Ring(64, {{"exchange.algorithm", "tree"}})).miniatures.empty());
    EXPECT_TRUE(MakePlan(Ring(64, {{"cluster.topology", "leaf-spine"}})).miniatures.empty());
    auto slowOne = Ring(64);
    slowOne.cluster.overrides = {{3, 1'000'000'000, 1}};
    EXPECT_TRUE(MakePlan(slowOne).miniatures.empty());
}

/* Ten acknowledgements are 840 bytes. Channels and turns have shorter messages. */
TEST(Miniature, IsOfMessagesThatAreLongerThanAcknowledgements)
{
    const auto isSo = [](const std::string& chunkBytes, Settings settings) {
        settings.insert(settings.end(),
                        {{"training.trace", "tensor:20000004B"},
                         {"training.iterations", "2"},
                         {"exchange.chunk_bytes", chunkBytes}});
        return !MakePlan(Ring(64, settings)).miniatures.empty();
    };
    EXPECT_TRUE(isSo("57604B", {}));  // 64 * 900, and a value more; besides, what is around a frame
    EXPECT_FALSE(isSo("44804B", {})); // 64 * 700
    EXPECT_FALSE(isSo("57604B", {{"ring.channels", "2"}}));
    EXPECT_FALSE(isSo("1MB", {{"ring.chunk_bytes", "800B"}}));
}

/* A second of whole simulation is not worth an approximation. */
TEST(Miniature, IsOfLongRunsAlone)
{
    EXPECT_TRUE(MakePlan(Ring(64, {{"training.trace", "tensor:100004B"}})).miniatures.empty());
}

TEST(Miniature, GivesWayToAllWorkers)
{
    auto plan = MakePlan(Ring(64));
    Shrink(plan, 1);
    EXPECT_EQ(plan.fold.simulated, 1U);
    Unfold(plan, "few are unlike all");
    EXPECT_FALSE(plan.IsMiniature());
    EXPECT_EQ(plan.fold.simulated, 64U);
    EXPECT_EQ(plan.simulated, plan.prepared.job);
}

} // namespace inca
