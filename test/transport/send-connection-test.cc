/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/send-connection.h"

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

    /** Sends all that may be sent at @p nowPs. @return the frames' numbers */
    std::vector<std::uint64_t> SendAll(std::int64_t nowPs)
    {
        std::vector<std::uint64_t> numbers;
        while (connection.HasFrame())
        {
            const auto frame = connection.NextFrame();
            connection.Sent(frame.number, nowPs);
            numbers.push_back(frame.number);
        }
        return numbers;
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
    connection.Acknowledge(2, 0, 10);
    EXPECT_EQ(SendAll(10), (Numbers{4, 5}));
}

TEST_F(SendConnectionTest, RepeatsAHoleOnce)
{
    Queue(32);
    SendAll(0);
    connection.Acknowledge(0, 0, 10);
    connection.Acknowledge(0, 0, 11);
    connection.Acknowledge(0, 0, 12);
    EXPECT_EQ(SendAll(13), Numbers{0});
    EXPECT_FALSE(connection.HasFrame());
}

/* Frames 0 and 2 are lost. When the repeated 0 is acknowledged with 2, everything sent before it has
 * arrived or is lost: 2 is lost. */
TEST_F(SendConnectionTest, AHoleUncoversTheNext)
{
    Queue(32);
    SendAll(0);
    connection.Acknowledge(0, 0, 10);
    EXPECT_EQ(SendAll(10), Numbers{0});
    connection.Acknowledge(2, 0, 20);
    EXPECT_EQ(SendAll(20), Numbers{2});
    connection.Acknowledge(4, 0, 30);
    EXPECT_FALSE(connection.HasOutstanding());
}

/* The first timeout is 5000 ps after the last frame was sent, the next one twice as long. */
TEST_F(SendConnectionTest, BacksOff)
{
    Queue(8);
    SendAll(100);
    EXPECT_EQ(connection.DeadlinePs(), 5100);
    EXPECT_EQ(connection.TimeOut(5100), 1U);
    EXPECT_EQ(connection.DeadlinePs(), 5100 + 10'000);
}

/* A round trip of 800 ps was measured: 4 of them are more than the least timeout. */
TEST_F(SendConnectionTest, TimesOutAfterFourRoundTrips)
{
    Queue(16);
    SendAll(0);
    connection.Acknowledge(1, 0, 800);
    EXPECT_EQ(connection.DeadlinePs(), 800 + 4 * 800);
}

TEST_F(SendConnectionTest, RepeatsWhatAProbeFoundLost)
{
    Queue(8);
    SendAll(0);
    const auto before = connection.TimeOut(5000);
    connection.Acknowledge(0, before, 5100);
    EXPECT_EQ(SendAll(5100), Numbers{0});
}

/* The probe was sent when only frame 0 was out. Its answer comes after frame 0 was acknowledged, and
 * says nothing about frame 1, which was sent later. */
TEST_F(SendConnectionTest, AProbeSaysNothingAboutLaterFrames)
{
    Queue(8);
    SendAll(0);
    const auto before = connection.TimeOut(5000);
    connection.Acknowledge(1, 0, 5050);
    Queue(8);
    SendAll(5060);
    connection.Acknowledge(1, before, 5100);
    EXPECT_FALSE(connection.HasFrame());
}

TEST_F(SendConnectionTest, AsksNothingWhileTheHostIsAtWork)
{
    Queue(8);
    connection.NextFrame(); // taken, and not with the NIC yet
    EXPECT_EQ(connection.TimeOut(5000), 0U);
}

} // namespace inca
