/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/calibration.h"
#include "calibration/step-fit.h"

#include "gtest/gtest.h"

#include <cmath>
#include <vector>

using namespace inca;

namespace
{

/** A ring of @p ranks without a network: 2 (n - 1) messages of S / n bytes. */
double
RingSeconds(std::uint64_t bytes, std::uint32_t ranks, const StepCosts& costs)
{
    const auto steps = 2.0 * (ranks - 1);
    return costs.startSeconds +
           steps * (costs.messageSeconds + static_cast<double>(bytes) / ranks * costs.byteSeconds);
}

std::vector<MeasuredTime>
Measured(std::vector<std::uint32_t> ranks, const StepCosts& small, const StepCosts& large)
{
    std::vector<MeasuredTime> times;
    for (const auto count : ranks)
    {
        for (std::uint64_t bytes = 1024; bytes <= 1ULL << 30U; bytes *= 2)
        {
            const auto& costs = bytes <= 1U << 20U ? small : large;
            times.push_back({bytes, count, RingSeconds(bytes, count, costs)});
        }
    }
    return times;
}

const StepCosts SMALL{20e-6, 3e-6, 1e-9};
const StepCosts LARGE{50e-6, 9e-6, 2e-10};

Calibration
CalibrationOf(const std::vector<MeasuredTime>& times)
{
    return Calibrate(times, RingSeconds);
}

} // namespace

/* Two protocols, one up to 1 MiB, on 2, 4 and 8 ranks: all constants can be told apart, and are found again. */
TEST(Calibration, FindsTheConstantsThatMadeTheTimes)
{
    const auto found = CalibrationOf(Measured({2, 4, 8}, SMALL, LARGE));
    ASSERT_EQ(found.pieces.size(), 2U);
    EXPECT_EQ(found.pieces[0].upToBytes, 1U << 20U);
    EXPECT_EQ(found.pieces[1].upToBytes, 1U << 30U);
    for (const auto& [piece, costs] : {std::pair(found.pieces[0], SMALL), {found.pieces[1], LARGE}})
    {
        for (std::size_t i = 0; i < StepCosts::COUNT; ++i)
        {
            EXPECT_TRUE(piece.isKnown[i]);
            EXPECT_NEAR(piece.costs.Values()[i] / costs.Values()[i], 1, 1e-6);
            EXPECT_LE(piece.low.Values()[i], piece.costs.Values()[i] * (1 + 1e-6));
            EXPECT_GE(piece.high.Values()[i], piece.costs.Values()[i] * (1 - 1e-6));
        }
    }
    EXPECT_LT(found.fit.worst, 1e-6);
    for (const auto& one : found.leftOut)
    {
        // What a fit to small sizes does not know is the other protocol.
        EXPECT_TRUE(one.errors.worst < 1e-6 || one.what == "upper half of sizes") << one.what;
    }
    EXPECT_EQ(found.ranks, (std::set<std::uint32_t>{2, 4, 8}));
    EXPECT_EQ(found.leastBytes, 1024U);
    EXPECT_EQ(found.mostBytes, 1U << 30U);
}

/* With one count of ranks the start of an exchange and its 6 messages of 4 ranks differ by nothing: the messages have all,
 * 3 us + 20 us / 6. */
TEST(Calibration, SaysWhatOneCountOfRanksCannotTell)
{
    const auto found = CalibrationOf(Measured({4}, SMALL, SMALL));
    ASSERT_EQ(found.pieces.size(), 1U);
    EXPECT_FALSE(found.pieces[0].isKnown[0]);
    EXPECT_EQ(found.pieces[0].costs.startSeconds, 0);
    EXPECT_NEAR(found.pieces[0].costs.messageSeconds, 3e-6 + 20e-6 / 6, 1e-12);
    EXPECT_LT(found.fit.worst, 1e-6);
}

/* One of 21 times is 3 times as long. Without it all are exact; it is off by 2/3, and bends nothing by more than 1 %. */
TEST(Calibration, IsNotBentByAnOddTime)
{
    auto times = Measured({4}, SMALL, SMALL);
    times[10].seconds *= 3;
    const auto found = CalibrationOf(times);
    ASSERT_EQ(found.pieces.size(), 1U);
    EXPECT_NEAR(found.fit.worst, 2.0 / 3, 0.01);
    EXPECT_LT(found.fit.median, 0.01);
    ASSERT_EQ(found.notes.size(), 1U); // of a time that falls
    EXPECT_NE(found.notes[0].find("took less time than"), std::string::npos);
}

/* Of 1, 2, 3, ... 10 hundredths: the 6th is the median, the 9th the 90th percentile by nearest rank. */
TEST(FitErrors, AreMedianAndPercentile)
{
    std::vector<double> all;
    for (int i = 10; i > 0; --i)
    {
        all.push_back(i / 100.0);
    }
    const auto errors = ErrorsOf(all);
    EXPECT_EQ(errors.count, 10U);
    EXPECT_EQ(errors.median, 0.06);
    EXPECT_EQ(errors.p90, 0.09);
    EXPECT_EQ(errors.worst, 0.10);
    EXPECT_EQ(ErrorsOf(std::vector<double>{}).count, 0U);
}

/* 100 and 102 us: each differs from 101 us by 0.99 %. */
TEST(Calibration, SaysHowFarRepeatsDiffer)
{
    const auto found = CalibrationOf({{4096, 2, 100e-6}, {4096, 2, 102e-6}});
    EXPECT_NEAR(found.repeats, 1.0 / 101, 1e-9);
}
