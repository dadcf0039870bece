/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/send-connection.h"

#include "transport/all-sent.h"

#include <gtest/gtest.h>

namespace inca
{

/** A window of 4 frames of 8 bytes; timeouts of at least 1000 ps, 5000 ps at first. */
class SendConnectionTest : public testing::Test
{
  protected:
    void Queue(std::uint64_t bytes)
    {
        auto message = std::make_shared<OutgoingMessage>();
        message->message.plainBytes = bytes;
        connection.Queue(message);
    }

    std::vector<std::uint64_t> SendAll(std::int64_t nowPs)
    {
        return SendAllOf(connection, nowPs);
    }

    /** Frames below @p next are there, and those behind a gap; transmission @p heard came last. */
    void Acknowledge(std::int64_t nowPs,
                     std::uint64_t next,
                     std::uint64_t heard,
                     const std::vector<std::uint64_t>& beyond = {})
    {
        Receipt receipt{next, 0, heard};
        for (const auto number : beyond)
        {
            receipt.held |= std::uint64_t{1} << (number - next - 1);
        }
        connection.Acknowledge(receipt, nowPs);
    }

    NetworkState Seen(std::int64_t nowPs)
    {
        NetworkState state;
        StateWalk walk(state, nowPs);
        connection.Walk(walk, {});
        walk.End();
        return state;
    }

    using Numbers = std::vector<std::uint64_t>;

    SendConnection connection{ns3::Mac48Address(), SendLimits{4, 8, 1000, 5000}};
};

/* 20 bytes are frames of 8, 8 and 4. */
TEST_F(SendConnectionTest, CutsMessages)
{
    Queue(20);
    const auto first = connection.NextFrame();
    const auto second = connection.NextFrame();
    const auto third = connection.NextFrame();
    EXPECT_TRUE(first.first);
    EXPECT_EQ(second.offset, 8U);
    EXPECT_EQ(third.bytes, 4U);
    EXPECT_FALSE(third.first);
    EXPECT_FALSE(connection.HasFrame());
}

TEST_F(SendConnectionTest, StopsAtItsWindow)
{
    Queue(80);
    EXPECT_EQ(SendAll(0), (Numbers{0, 1, 2, 3}));
    Acknowledge(10, 2, 2);
    EXPECT_EQ(SendAll(10), (Numbers{4, 5}));
}

/* The receiver takes 2 at a time, and later more than the window. */
TEST_F(SendConnectionTest, SendsWhatItsReceiverGrants)
{
    Queue(160);
    EXPECT_EQ(SendAll(0), (Numbers{0, 1, 2, 3}));
    connection.Acknowledge({2, 0, 2, 2}, 10);
    EXPECT_EQ(SendAll(10), Numbers{});
    connection.Acknowledge({3, 0, 3, 2}, 11);
    EXPECT_EQ(SendAll(11), Numbers{4});
    connection.Acknowledge({5, 0, 5, 9}, 20);
    EXPECT_EQ(SendAll(20), (Numbers{5, 6, 7, 8}));
}

/* Frames 0 to 3 are transmissions 1 to 4. 2's arrival tells that 0 and 1 are lost, once. */
TEST_F(SendConnectionTest, RepeatsAGapOnce)
{
    Queue(32);
    SendAll(0);
    Acknowledge(10, 0, 3, {2});
    Acknowledge(11, 0, 4, {2, 3});
    EXPECT_EQ(SendAll(12), (Numbers{0, 1}));
    EXPECT_FALSE(connection.HasFrame());
}

/* 3 came, so 0, 1 and 2 are lost. The receiver takes 2 at a time: 0 and 1, and 2 when one of them is there. */
TEST_F(SendConnectionTest, RepeatsWhatItsReceiverGrants)
{
    Queue(32);
    SendAll(0);
    connection.Acknowledge({0, 0b100, 4, 2}, 10);
    EXPECT_EQ(SendAll(10), (Numbers{0, 1}));
    connection.Acknowledge({1, 0b10, 5, 2}, 20);
    EXPECT_EQ(SendAll(20), Numbers{2});
    EXPECT_FALSE(connection.HasFrame());
}

/* As above, but 0 and 1 are lost again: nothing follows them, and a probe asks. */
TEST_F(SendConnectionTest, AsksAfterRepetitionsThatNothingFollows)
{
    Queue(32);
    SendAll(0);
    connection.Acknowledge({0, 0b100, 4, 2}, 10);
    SendAll(10); // transmissions 5 and 6
    EXPECT_EQ(connection.TimeOut(5010), 7U);
    connection.Acknowledge({0, 0b100, 7, 2}, 5020);
    EXPECT_EQ(SendAll(5020), (Numbers{2, 0}));
}

/* 1 is there, so 0 is lost; of 2 and 3, sent later, nothing is known yet. Then 3 is there, not 2. */
TEST_F(SendConnectionTest, RepeatsEveryGapAsItIsTold)
{
    Queue(32);
    SendAll(0);
    Acknowledge(10, 0, 2, {1});
    EXPECT_EQ(SendAll(10), Numbers{0});
    Acknowledge(11, 0, 4, {1, 3});
    EXPECT_EQ(SendAll(11), Numbers{2});
    Acknowledge(20, 2, 5, {3}); // the repeated 0, which says nothing about the repeated 2
    EXPECT_FALSE(connection.HasFrame());
    Acknowledge(21, 4, 6);
    EXPECT_FALSE(connection.HasOutstanding());
}

/* 0 is repeated as transmission 5, and 4 goes as transmission 6 when 0 is still missing: 6 came, 5 did
 * not, so the repetition is lost, too. */
TEST_F(SendConnectionTest, RepeatsALostRepetition)
{
    Queue(24);
    SendAll(0);
    Acknowledge(10, 0, 2, {1});
    EXPECT_EQ(SendAll(10), Numbers{0}); // transmission 4
    Queue(8);
    EXPECT_EQ(SendAll(11), Numbers{3}); // transmission 5
    Acknowledge(12, 0, 3, {1, 2});
    EXPECT_FALSE(connection.HasFrame());
    Acknowledge(20, 0, 5, {1, 2, 3});
    EXPECT_EQ(SendAll(20), Numbers{0});
}

/* An acknowledgement tells of 64 frames behind the first gap. Of those beyond nothing is known. */
TEST_F(SendConnectionTest, KnowsNothingBeyondWhatIsTold)
{
    connection = SendConnection(ns3::Mac48Address(), SendLimits{80, 8, 1000, 5000});
    Queue(80 * 8);
    SendAll(0);
    Receipt receipt{0, ~std::uint64_t{0}, 80};
    connection.Acknowledge(receipt, 10); // 1 to 64 are there
    EXPECT_EQ(SendAll(10), Numbers{0});
    Acknowledge(20, 65, 81);
    EXPECT_EQ(SendAll(20).size(), 15U); // 65 to 79
}

/* The first timeout is 5000 ps after the last frame was sent, the next one twice as long. */
TEST_F(SendConnectionTest, BacksOff)
{
    Queue(8);
    SendAll(100);
    EXPECT_EQ(connection.DeadlinePs(), 5100);
    EXPECT_EQ(connection.TimeOut(5100), 2U); // the probe is the second transmission
    EXPECT_EQ(connection.DeadlinePs(), 5100 + 10'000);
}

/* 5000 ps, doubled 6 times at most where nothing was lost. */
TEST_F(SendConnectionTest, BacksOffToTheLongestTimeout)
{
    Queue(8);
    EXPECT_EQ(connection.LongestTimeoutPs(), 0);
    SendAll(0);
    std::int64_t nowPs = 0;
    for (const std::int64_t times : {1, 2, 4, 8, 16, 32, 64, 64, 64})
    {
        EXPECT_EQ(connection.DeadlinePs(), nowPs + 5000 * times);
        nowPs = connection.DeadlinePs();
        connection.TimeOut(nowPs);
    }
    EXPECT_EQ(connection.LongestTimeoutPs(), 64 * 5000);
}

/* A frame was lost: 3 times at most. */
TEST_F(SendConnectionTest, BacksOffLessOnALossyPath)
{
    Queue(8);
    SendAll(0);
    Acknowledge(10, 0, connection.TimeOut(5));
    SendAll(10);
    std::int64_t nowPs = 10;
    for (const std::int64_t times : {1, 2, 4, 8, 8})
    {
        EXPECT_EQ(connection.DeadlinePs(), nowPs + 5000 * times);
        nowPs = connection.DeadlinePs();
        connection.TimeOut(nowPs);
    }
    EXPECT_EQ(connection.LongestTimeoutPs(), 8 * 5000);
}

/* The probe is answered: the frame is lost, which is news. Its repetition waits for the first timeout
 * again, not for the doubled one. */
TEST_F(SendConnectionTest, NewsEndsBackingOff)
{
    Queue(8);
    SendAll(0);
    const auto probe = connection.TimeOut(5000);
    Acknowledge(5100, 0, probe);
    EXPECT_EQ(SendAll(5100), Numbers{0});
    EXPECT_EQ(connection.DeadlinePs(), 5100 + 5000);
}

/* A round trip of 800 ps was measured: 4 of them are more than the least timeout. */
TEST_F(SendConnectionTest, TimesOutAfterFourRoundTrips)
{
    Queue(16);
    SendAll(0);
    Acknowledge(800, 1, 1);
    EXPECT_EQ(connection.DeadlinePs(), 800 + 4 * 800);
}

/* 1 waited for the repeated 0: what it took says how long the loss took to find. */
TEST_F(SendConnectionTest, MeasuresNoRoundTripAcrossAGap)
{
    Queue(16);
    SendAll(0);
    Acknowledge(800, 0, 2, {1});
    SendAll(800);
    Acknowledge(1600, 2, 3);
    Queue(8);
    SendAll(1600);
    EXPECT_EQ(connection.DeadlinePs(), 1600 + 5000); // not measured yet
}

/* The probe was sent when only frame 0 was out. Its answer comes after frame 0 was acknowledged, and
 * says nothing about frame 1, which was sent later. */
TEST_F(SendConnectionTest, AProbeSaysNothingAboutLaterFrames)
{
    Queue(8);
    SendAll(0);
    const auto probe = connection.TimeOut(5000);
    Acknowledge(5050, 1, 1);
    Queue(8);
    SendAll(5060);
    Acknowledge(5100, 1, probe);
    EXPECT_FALSE(connection.HasFrame());
}

TEST_F(SendConnectionTest, AsksNothingWhileTheHostIsAtWork)
{
    Queue(8);
    connection.NextFrame(); // taken, and not with the NIC yet
    EXPECT_EQ(connection.TimeOut(5000), 0U);
}

/* Two acknowledgements, 100 ps and two frames apart, find the same state: 16 bytes further. */
TEST_F(SendConnectionTest, RepeatsItselfWhileItGoesOn)
{
    Queue(800);
    SendAll(0);
    Acknowledge(100, 2, 2);
    SendAll(100);
    const auto before = Seen(100);
    Acknowledge(200, 4, 4);
    SendAll(200);
    const auto now = Seen(200);
    EXPECT_EQ(now.digest, before.digest);
    // 64 of 800 bytes were taken; what is left are 46 periods of 16 bytes, less one
    EXPECT_EQ(TimesToRepeat(before, now), 45U);

    StateWalk walk(before, now, 40);
    connection.Walk(walk, {});
    Acknowledge(300, 6, 6);
    EXPECT_EQ(connection.NextFrame().offset, 64U + 40 * 16);
}

/* A round trip of 2000 ps was measured, and then they take 4000 ps: the smoothed one comes nearer by an eighth with each.
 * Whether 20 of them are sent or lived through, the timeout is four of the same smoothed ones. */
TEST_F(SendConnectionTest, SmoothsTheRoundTripsThatItLivesThrough)
{
    const auto begin = [this](std::int64_t periods) {
        connection = SendConnection(ns3::Mac48Address(), SendLimits{4, 8, 1000, 5000});
        Queue(80'000);
        SendAll(0);
        Acknowledge(2000, 4, 4);
        for (std::int64_t i = 0; i < periods; ++i)
        {
            SendAll(2000 + i * 4000);
            const auto next = static_cast<std::uint64_t>(8 + 4 * i);
            Acknowledge(6000 + i * 4000, next, next);
        }
        SendAll(2000 + periods * 4000);
    };
    begin(23);
    const auto deadlinePs = connection.DeadlinePs() - 23 * 4000;

    begin(2);
    const auto before = Seen(2000 + 2 * 4000);
    Acknowledge(14'000, 16, 16);
    SendAll(14'000);
    const auto now = Seen(14'000);
    EXPECT_EQ(now.digest, before.digest);
    EXPECT_GE(TimesToRepeat(before, now), 20U);
    StateWalk walk(before, now, 20);
    connection.Walk(walk, {});
    EXPECT_EQ(connection.DeadlinePs() - 3 * 4000, deadlinePs);
}

/* 4 of the smoothed round trip, which was 100 ps and is nearer by an eighth, and the least timeout are shorter than
 * what is measured now: whether a timeout strikes is to be seen. */
TEST_F(SendConnectionTest, DoesNotRepeatItselfNearATimeout)
{
    Queue(800);
    SendAll(0);
    Acknowledge(100, 2, 2);
    SendAll(100);
    EXPECT_TRUE(Seen(100).repeats);
    Acknowledge(1100, 4, 4);
    SendAll(1100);
    EXPECT_FALSE(Seen(1100).repeats);
}

/* Who hears nothing comes nearer to a timeout, which is no state to repeat. */
TEST_F(SendConnectionTest, DoesNotRepeatItselfWhileItWaits)
{
    Queue(800);
    SendAll(0);
    const auto before = Seen(100);
    EXPECT_EQ(TimesToRepeat(before, Seen(200)), 0U);
}

} // namespace inca
