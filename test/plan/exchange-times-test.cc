/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/exchange-times.h"

#include "plan/round-numbers.h"

#include <gtest/gtest.h>

#include <vector>

namespace inca
{

namespace
{

/** Chunks of 730 values each, over a ring of 2: 6572 ns each. */
std::shared_ptr<TrainingJob>
Chunks(std::uint32_t count)
{
    auto job = RoundJob("ring", 730);
    job->buckets[0].chunks.clear();
    job->chunks.resize(count, job->chunks[0]);
    for (std::uint32_t chunk = 0; chunk < count; ++chunk)
    {
        job->buckets[0].chunks.push_back(chunk);
    }
    return job;
}

} // namespace

/* More than are walked through. */
TEST(ExchangeTimes, ChunksFollowEachOther)
{
    const auto scenario = RoundScenario();
    const auto network = RoundNetwork(2);
    const auto job = Chunks(7);
    const ExchangeWalk walk(scenario, *job, network, nullptr);
    const ExchangeTimes exchanges(*job, walk);
    std::vector<LimitedTime> times(2);
    exchanges.Pass(0, times);
    EXPECT_DOUBLE_EQ(times[1].Ps(), 6572 * NS);
    times.assign(2, {});
    exchanges.PassAll(job->buckets[0].chunks, times);
    EXPECT_DOUBLE_EQ(times[0].Ps(), 7 * 6572 * NS);
    EXPECT_DOUBLE_EQ(times[1].Ps(), 7 * 6572 * NS);
}

TEST(ExchangeTimes, ChunksAreAlikeIfAllThatCountsIs)
{
    auto job = Chunks(2);
    EXPECT_TRUE(Alike(*job, 0, 1));
    job->chunks[1].range = {730, 730};
    job->engines = true;
    job->meanBits = [](ElementRange range) { return range.begin == 0 ? 8.0 : 16.0; };
    EXPECT_FALSE(Alike(*job, 0, 1));
    job->engines = false;
    job->weightsReturn = true; // layers' updates may differ
    EXPECT_FALSE(Alike(*job, 0, 1));
    job->weightsReturn = false;
    job->chunks[1].rounds = RoundJob("ring", 400)->chunks[0].rounds;
    EXPECT_FALSE(Alike(*job, 0, 1));
}

TEST(ExchangeTimes, TheLeastAdvanceIsThatOfTheSlowest)
{
    const std::vector<LimitedTime> before{LimitedTime::Fixed(10), LimitedTime::Fixed(20)};
    const std::vector<LimitedTime> after{LimitedTime::Fixed(15), LimitedTime::Fixed(22)};
    EXPECT_DOUBLE_EQ(LeastAdvance(before, after).Ps(), 2);
}

} // namespace inca
