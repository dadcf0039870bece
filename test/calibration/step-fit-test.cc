/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/calibration.h"
#include "calibration/step-fit.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

using namespace inca;

namespace
{

/** A ring without a network: 2 (n - 1) messages of S / n bytes. */
double
RingSeconds(std::uint64_t bytes, std::uint32_t ranks, const StepCosts& costs)
{
    const auto steps = 2.0 * (ranks - 1);
    return costs.startSeconds +
           steps * (costs.messageSeconds + static_cast<double>(bytes) / ranks * costs.byteSeconds);
}

double
WholeRing(const MeasuredTime& time, const CostModel& model)
{
    return RingSeconds(time.bytes, time.ranks, PieceOf(model.pieces, time.bytes).costs);
}

std::vector<MeasuredTime>
Measured(std::vector<std::uint32_t> ranks, const StepCosts& small, const StepCosts& large)
{
    const CostModel model{1, {{1U << 20U, small, {}}, {1U << 30U, large, {}}}};
    std::vector<MeasuredTime> times;
    for (const auto count : ranks)
    {
        for (std::uint64_t bytes = 1024; bytes <= 1ULL << 30U; bytes *= 2)
        {
            times.push_back({bytes, count});
            times.back().seconds = WholeRing(times.back(), model);
        }
    }
    return times;
}

const StepCosts SMALL{20e-6, 3e-6, 1e-9};
const StepCosts LARGE{50e-6, 9e-6, 2e-10};

Calibration
CalibrationOf(const std::vector<MeasuredTime>& times)
{
    return Calibrate(times, {WholeRing}, LinkGuess::KNOWN);
}

} // namespace

/* Two protocols, one up to 1 MiB, on 2, 4 and 8 ranks: all constants can be told apart, and are found again. */
TEST(Calibration, FindsTheConstantsThatMadeTheTimes)
{
    const auto found = CalibrationOf(Measured({2, 4, 8}, SMALL, LARGE));
    ASSERT_EQ(found.model.pieces.size(), 2U);
    EXPECT_EQ(found.model.pieces[0].upToBytes, 1U << 20U);
    EXPECT_EQ(found.model.pieces[1].upToBytes, 1U << 30U);
    for (const auto& [piece, costs] :
         {std::pair(found.model.pieces[0], SMALL), {found.model.pieces[1], LARGE}})
    {
        for (std::size_t i = 0; i < StepCosts::COUNT; ++i)
        {
            EXPECT_NEAR(piece.costs.Values()[i] / costs.Values()[i], 1, 1e-6);
        }
    }
    EXPECT_TRUE(found.alternatives.empty());
    EXPECT_LT(ErrorsOf(found.times).worst, 1e-6);
    std::size_t leftOutOnce = 0;
    for (const auto& one : found.leftOut)
    {
        // What a fit to small sizes does not know is the other protocol; 1 MiB and 2 MiB are at its border.
        EXPECT_TRUE(ErrorsOf(one.times).median < 1e-6 || one.what == "upper half of sizes")
            << one.what;
        leftOutOnce += one.fold == "sizes" ? one.times.size() : 0;
    }
    EXPECT_EQ(leftOutOnce, 3U * 19); // of 21 sizes, all between the others
    EXPECT_EQ(found.ranks, (std::set<std::uint32_t>{2, 4, 8}));
    EXPECT_EQ(found.leastBytes, 1024U);
    EXPECT_EQ(found.mostBytes, 1U << 30U);
}

/* Parts of 2 MiB, one after another, and what is left: each has the constants of its own size, so that large tensors have those of
 * 2 MiB, or of 1 MiB for the last of 3 MiB. There is no piece beyond 2 MiB, and times that are left out are as exact. */
TEST(Calibration, GivesPartsTheConstantsOfTheirOwnSize)
{
    static constexpr std::uint64_t part = 2U << 20U;
    const auto inParts = [](const MeasuredTime& time, const CostModel& model) {
        double seconds = 0;
        for (std::uint64_t done = 0; done < time.bytes; done += part)
        {
            const auto bytes = std::min(part, time.bytes - done);
            seconds += RingSeconds(bytes, time.ranks, PieceOf(model.pieces, bytes).costs);
        }
        return seconds;
    };
    const CostModel made{1, {{1U << 20U, SMALL, {}}, {part, LARGE, {}}}};
    auto times = Measured({2, 4, 8}, SMALL, LARGE);
    times.push_back({3U << 20U, 8});
    for (auto& time : times)
    {
        time.seconds = inParts(time, made);
    }
    const auto found = Calibrate(times, {inParts, part}, LinkGuess::KNOWN);
    ASSERT_EQ(found.model.pieces.size(), 2U);
    EXPECT_EQ(found.model.pieces[0].upToBytes, 1U << 20U);
    EXPECT_EQ(found.model.pieces[1].upToBytes, part);
    for (std::size_t i = 0; i < StepCosts::COUNT; ++i)
    {
        EXPECT_NEAR(found.model.pieces[1].costs.Values()[i] / LARGE.Values()[i], 1, 1e-3);
    }
    EXPECT_LT(ErrorsOf(found.times).worst, 1e-3);
}

/* With one count of ranks the start of an exchange and its 6 messages of 4 ranks differ by nothing: all of it is the start,
 * 20 us + 6 * 3 us = 38 us, or all of it messages, 3 us + 20 us / 6; the middle is half of each. */
TEST(Calibration, SaysWhatOneCountOfRanksCannotTell)
{
    const auto found = CalibrationOf(Measured({4}, SMALL, SMALL));
    ASSERT_EQ(found.model.pieces.size(), 1U);
    const auto& middle = found.model.pieces[0].costs;
    EXPECT_NEAR(middle.startSeconds, 38e-6 / 2, 1e-12);
    EXPECT_NEAR(middle.messageSeconds, (3e-6 + 20e-6 / 6) / 2, 1e-12);
    EXPECT_LT(ErrorsOf(found.times).worst, 1e-6);
    ASSERT_GE(found.alternatives.size(), 2U);
    const auto& starts = found.alternatives[0].model.pieces[0].costs;
    const auto& messages = found.alternatives[1].model.pieces[0].costs;
    EXPECT_NEAR(starts.startSeconds, 38e-6, 1e-12);
    EXPECT_EQ(starts.messageSeconds, 0);
    EXPECT_EQ(messages.startSeconds, 0);
    EXPECT_NEAR(messages.messageSeconds, 3e-6 + 20e-6 / 6, 1e-12);
}

/* One of 21 times is 3 times as long. Without it all are exact; it is off by 2/3, and bends nothing by more than 1 %. */
TEST(Calibration, IsNotBentByAnOddTime)
{
    auto times = Measured({4}, SMALL, SMALL);
    times[10].seconds *= 3;
    const auto found = CalibrationOf(times);
    ASSERT_EQ(found.model.pieces.size(), 1U);
    EXPECT_NEAR(ErrorsOf(found.times).worst, 2.0 / 3, 0.01);
    EXPECT_LT(ErrorsOf(found.times).median, 0.01);
    ASSERT_EQ(found.notes.size(), 1U); // of a time that falls
    EXPECT_NE(found.notes[0].find("took less time than"), std::string::npos);
}

/* Above 1 MiB all costs are a tenth higher, 20 times what measurements are taken to be off: that is another protocol, however far off
 * three odd times are elsewhere. */
TEST(Calibration, SeesASmallStepBesideOddTimes)
{
    constexpr double more = 1.1;
    auto times = Measured(
        {4},
        SMALL,
        {more * SMALL.startSeconds, more * SMALL.messageSeconds, more * SMALL.byteSeconds});
    for (const auto odd : {3, 7, 17})
    {
        times[static_cast<std::size_t>(odd)].seconds *= 3;
    }
    const auto found = CalibrationOf(times);
    ASSERT_EQ(found.model.pieces.size(), 2U);
    EXPECT_GE(found.model.pieces[0].upToBytes, 1U << 20U);
    EXPECT_LT(found.model.pieces[0].upToBytes, 2U << 20U);
    EXPECT_LT(ErrorsOf(found.times).median, 0.01);
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

/* A link of 1 GB/s of which the cluster that is simulated has 10: of a ring of 2, an exchange is as long as S on the wire. That is
 * a tenth of it on links as they are simulated; half of it, with links of 2 GB/s, is the middle; all of it, and hardly any of it
 * are the links' and the hosts' alternatives. Each explains all times. */
TEST(Calibration, SharesTheTimeOfBytesBetweenLinksAndHosts)
{
    std::vector<MeasuredTime> times;
    for (std::uint64_t bytes = 1U << 20U; bytes <= 64U << 20U; bytes *= 2)
    {
        times.push_back({bytes, 2, static_cast<double>(bytes) * 1e-9});
    }
    const auto seconds = [](const MeasuredTime& time, const CostModel& model) {
        return static_cast<double>(time.bytes) * 1e-10 / model.linkSpeed + WholeRing(time, model);
    };
    const auto found = Calibrate(times, {seconds}, LinkGuess::HALF);
    EXPECT_NEAR(found.model.linkSpeed, 0.2, 1e-9);
    EXPECT_NEAR(
        found.model.pieces.back().costs.byteSeconds, 0.5e-9, 1e-15); // of 2 messages of S / 2
    EXPECT_LT(ErrorsOf(found.times).worst, 1e-9);
    ASSERT_EQ(found.alternatives.size(), 2U);
    EXPECT_NEAR(found.alternatives[0].model.linkSpeed, 0.1, 1e-9);
    EXPECT_NEAR(found.alternatives[0].model.pieces.back().costs.byteSeconds, 0, 1e-15);
    EXPECT_NEAR(found.alternatives[1].model.linkSpeed, 10, 1e-9);
    EXPECT_NEAR(found.alternatives[1].model.pieces.back().costs.byteSeconds, 0.99e-9, 1e-15);
}

/* Of 1,000 sizes, 64 stay, with the first and the last; repetitions stay. */
TEST(Calibration, FitsFewSizes)
{
    std::vector<MeasuredTime> times;
    for (std::uint64_t i = 1; i <= 1000; ++i)
    {
        times.push_back({i * 4096, 2, 1e-3});
        times.push_back({i * 4096, 2, 2e-3});
    }
    std::vector<std::string> notes;
    const auto few = FewSizes(times, notes);
    std::set<std::uint64_t> sizes;
    for (const auto& time : few)
    {
        sizes.insert(time.bytes);
    }
    EXPECT_EQ(few.size(), 2 * sizes.size());
    EXPECT_LE(sizes.size(), 64U);
    EXPECT_GE(sizes.size(), 40U); // small sizes are far apart in their logarithms
    EXPECT_EQ(*sizes.begin(), 4096U);
    EXPECT_EQ(*sizes.rbegin(), 4'096'000U);
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes[0].find("1000 sizes among 2 ranks"), std::string::npos);
    EXPECT_EQ(FewSizes(few, notes).size(), few.size());
}
