/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/homomorphic-traffic.h"

#include "base/errors.h"
#include "codec/peeling-forecast.h"

#include <gtest/gtest.h>

namespace inca
{

/* 10240 rows at ratio 10: R = 1024, a row of the table; union density 0.05 is load 0.5. 10485760 values;
 * 4 bytes each for the index; 4 + 24 * 0.02 each for the sketch.                                */
TEST(HomomorphicTraffic, FollowsFromValuesMarksAndRounds)
{
    constexpr std::uint64_t count = 10240 * 1024;
    const auto traffic = TrafficOf({}, count + 1000, 0.02, 0.05);
    const auto figures = ForecastPeeling(1024, 0.5);
    EXPECT_DOUBLE_EQ(traffic.indexBytes, 4.0 * count);
    EXPECT_DOUBLE_EQ(traffic.sketchBytes, 4.48 * count);
    EXPECT_DOUBLE_EQ(traffic.rounds, figures.bucketRounds);
    EXPECT_NEAR(traffic.peelBytes / count,
                4 * figures.bucketRounds + 28 * 0.05 * (1 - figures.leftShare),
                1e-9);
}

TEST(HomomorphicTraffic, IsNoneOfATailAlone)
{
    const auto traffic = TrafficOf({}, 1023, 0.5, 0.5);
    EXPECT_EQ(traffic.indexBytes + traffic.sketchBytes + traffic.peelBytes + traffic.rounds, 0.0);
}

TEST(HomomorphicTraffic, RefusesAWorkerDenserThanTheUnion)
{
    EXPECT_THROW(TrafficOf({}, 4096, 0.2, 0.1), InputError);
    EXPECT_THROW(TrafficOf({}, 4096, -0.1, 0.1), InputError);
    EXPECT_THROW(TrafficOf({}, 4096, 0.5, 1.1), InputError);
}

} // namespace inca
