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

ns3::Ptr<Train>
Frames(std::uint32_t frames)
{
    return MakeTransportTrain(TrainKind::DATA, frames * 1460, frames);
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

/* Four frames that come as fast as the wire takes them: the first leaves when it is there. */
TEST(Port, SendsATrainAsItComes)
{
    Port port;
    auto train = Frames(4);
    port.Enqueue(*train, {0, 3 * FRAME_PS});
    EXPECT_EQ(train->firstDeparturePs, 0);
    EXPECT_EQ(train->lastDeparturePs, 4 * FRAME_PS);
    EXPECT_EQ(train->spacingPs, FRAME_PS);
    EXPECT_EQ(port.CountersAt(4 * FRAME_PS).frames, 4U);
}

/* When the last of four frames comes, those still wait that have not left: itself, if they come as fast as they leave; two and a
 * half, if they come twice as fast (three have come by then before it, and one and a half have left); all four, if at once. */
TEST(Port, CountsOfATrainWhatWaits)
{
    const auto largestBytes = [](std::int64_t lastPs) {
        Port port;
        port.Enqueue(*Frames(4), {0, lastPs});
        return port.CountersAt(0).largestQueueBytes;
    };
    EXPECT_EQ(largestBytes(3 * FRAME_PS), 1538U);
    EXPECT_EQ(largestBytes(3 * FRAME_PS / 2), 5U * 1538 / 2);
    EXPECT_EQ(largestBytes(0), 4U * 1538);
}

/* An acknowledgement comes when one and a half of four frames have left, and two have come: half of one waits, and itself. */
TEST(Port, CountsNoFramesThatAreStillToCome)
{
    Port port;
    port.Enqueue(*Frames(4), {0, 3 * FRAME_PS});
    port.Enqueue(*MakeTransportTrain(TrainKind::ACK, 0), 3 * FRAME_PS / 2);
    EXPECT_EQ(port.CountersAt(3 * FRAME_PS / 2).largestQueueBytes, 1538U); // the train's last frame
}

/* From 10 to 100 Gb/s: a frame is there every FRAME_PS and takes a tenth of it. The wire is others' until
 * the last three may follow the first without a gap: 3 - 3/10 frames later; the last leaves 1/10 of a
 * frame after it came. */
TEST(Port, TakesAWireFromOthersForNoLongerThanATrainTakes)
{
    Port port({100'000'000'000, 16'777'216, 0});
    auto train = Frames(4);
    const TrainTimes ready{0, 3 * FRAME_PS};
    EXPECT_EQ(port.EntryPs(*train, ready), 27 * FRAME_PS / 10);
    port.Enqueue(*train, ready);
    EXPECT_EQ(train->lastDeparturePs, 31 * FRAME_PS / 10);
    EXPECT_EQ(train->FramePs(), FRAME_PS / 10);
    EXPECT_EQ(train->spacingPs, FRAME_PS);
}

/* When an acknowledgement comes, two of four frames are there, one of which has half left: it waits for the
 * other half. 84 bytes take 67.2 ns, and what comes behind the train leaves so much later. */
TEST(Port, LetsAnAcknowledgementBetweenFrames)
{
    Port port;
    auto train = Frames(4);
    auto ack = MakeTransportTrain(TrainKind::ACK, 0);
    auto behind = FullFrame();
    port.Enqueue(*train, {0, 3 * FRAME_PS});
    port.Enqueue(*ack, 3 * FRAME_PS / 2);
    port.Enqueue(*behind, 3 * FRAME_PS);
    EXPECT_EQ(ack->firstDeparturePs, 2 * FRAME_PS);
    EXPECT_EQ(ack->lastDeparturePs, 2 * FRAME_PS + 67'200);
    EXPECT_EQ(behind->firstDeparturePs, 4 * FRAME_PS + 67'200);
}

/* A host has given all 16 frames, but of those a ring of 8 holds at most 8: after 5 have left, the host
 * has refilled it once, when 4 had, so 7 are ahead. */
TEST(Port, LetsAnAcknowledgementWaitForARing)
{
    Port port;
    auto train = Frames(16);
    auto ack = MakeTransportTrain(TrainKind::ACK, 0);
    port.Enqueue(*train, {0, 0}, 8);
    port.Enqueue(*ack, 5 * FRAME_PS);
    EXPECT_EQ(ack->firstDeparturePs, (5 + 7) * FRAME_PS);
}

} // namespace inca
