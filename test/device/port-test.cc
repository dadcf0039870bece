/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/port.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

constexpr std::int64_t FRAME_PS{1'230'400}; ///< 1538 bytes at 10 Gb/s

ns3::Ptr<Train>
FullFrame()
{
    return MakeTransportTrain(TrainKind::DATA, 1460);
}

void
ExpectConserved(const PortCounters& counters)
{
    EXPECT_EQ(counters.in.plainBytes,
              counters.out.plainBytes + counters.held.plainBytes + counters.dropped.plainBytes);
    EXPECT_EQ(counters.in.wireBytes,
              counters.out.wireBytes + counters.held.wireBytes + counters.dropped.wireBytes);
}

} // namespace

TEST(Port, SendsOneAfterTheOther)
{
    Port port;
    auto first = FullFrame();
    auto second = FullFrame();
    ASSERT_TRUE(port.Enqueue(*first, 0));
    ASSERT_TRUE(port.Enqueue(*second, 1000));
    EXPECT_EQ(first->firstDeparturePs, 0);
    EXPECT_EQ(first->lastDeparturePs, FRAME_PS);
    EXPECT_EQ(second->firstDeparturePs, FRAME_PS);
    EXPECT_EQ(second->lastDeparturePs, 2 * FRAME_PS);
}

TEST(Port, StartsAtOnceWhenIdle)
{
    Port port;
    port.Enqueue(*FullFrame(), 0);
    auto later = FullFrame();
    port.Enqueue(*later, 5'000'000);
    EXPECT_EQ(later->firstDeparturePs, 5'000'000);
}

/* 84 bytes at 9 Gb/s take 74.666.. ns, rounded up to the picosecond each time. */
TEST(Port, RoundsUpPerFrame)
{
    Port port({9'000'000'000, 1'000'000, 0});
    auto first = MakeTransportTrain(TrainKind::ACK, 0);
    auto second = MakeTransportTrain(TrainKind::ACK, 0);
    port.Enqueue(*first, 0);
    port.Enqueue(*second, 0);
    EXPECT_EQ(first->lastDeparturePs, 74'667);
    EXPECT_EQ(second->lastDeparturePs, 2 * 74'667);
}

/* Room for two full frames: the third is dropped, until the first has left. */
TEST(Port, DropsWhatDoesNotFit)
{
    Port port({10'000'000'000, 2 * 1538, 0});
    EXPECT_TRUE(port.Enqueue(*FullFrame(), 0));
    EXPECT_TRUE(port.Enqueue(*FullFrame(), 0));
    EXPECT_FALSE(port.Enqueue(*FullFrame(), FRAME_PS - 1));
    EXPECT_TRUE(port.Enqueue(*FullFrame(), FRAME_PS));
    const auto& counters = port.CountersAt(FRAME_PS);
    EXPECT_EQ(counters.frames, 3U);
    EXPECT_EQ(counters.drops.Of(DropReason::BUFFER_FULL), 1U);
    EXPECT_EQ(counters.drops.Total(), 1U);
    EXPECT_EQ(counters.largestQueueBytes, 2U * 1538);
    EXPECT_STREQ(DropReasonName(DropReason::BUFFER_FULL), "buffer-full");
}

/* A threshold of one frame: the second, which makes the backlog two, is marked. */
TEST(Port, MarksAboveItsThreshold)
{
    Port port({10'000'000'000, 1'000'000, 1538});
    auto first = FullFrame();
    auto second = FullFrame();
    port.Enqueue(*first, 0);
    port.Enqueue(*second, 0);
    EXPECT_FALSE(first->congested);
    EXPECT_TRUE(second->congested);
    EXPECT_EQ(port.CountersAt(0).congestedFrames, 1U);
}

TEST(Port, ConservesBytesAtAnyTime)
{
    Port port({10'000'000'000, 4 * 1538, 0});
    for (std::int64_t at = 0; at < 20 * FRAME_PS; at += FRAME_PS / 4)
    {
        port.Enqueue(*FullFrame(), at);
        ExpectConserved(port.CountersAt(at));
    }
    port.Refuse(*FullFrame(), DropReason::OVER_MTU);
    const auto& counters = port.CountersAt(100 * FRAME_PS);
    ExpectConserved(counters);
    EXPECT_EQ(counters.held.wireBytes, 0U);
    EXPECT_EQ(counters.in.wireBytes, 81U * 1538);
    EXPECT_GT(counters.dropped.wireBytes, 0U);
}

} // namespace inca
