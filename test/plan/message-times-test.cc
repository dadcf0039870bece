/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/message-times.h"

#include "codec/codec-catalog.h"
#include "plan/round-numbers.h"

#include <gtest/gtest.h>

namespace inca
{

class MessageTimesTest : public testing::Test
{
  protected:
    const MessageTimes& Of(const Parcel& parcel)
    {
        m_clock = std::make_unique<MessageClock>(m_scenario, *m_job, m_network);
        return m_clock->Of(parcel, 0, 1);
    }

    Parcel ParcelOf(Leg leg)
    {
        return MessageClock(m_scenario, *m_job, m_network)
            .ParcelOf(m_job->chunks[0], leg, {0, 100});
    }

    Scenario m_scenario{RoundScenario()};
    NetworkSpeed m_network{RoundNetwork(2)};
    std::shared_ptr<TrainingJob> m_job{RoundJob("ring", 1000)};

  private:
    std::unique_ptr<MessageClock> m_clock;
};

/* Its head is at the receiver's link after 1538 + 100 + 10 ns. */
TEST_F(MessageTimesTest, OfOneFullFrame)
{
    const auto& times = Of({1460, false, 0});
    EXPECT_EQ(times.frames, 1U);
    EXPECT_DOUBLE_EQ(times.leave.Ps(), 1538 * NS);
    EXPECT_DOUBLE_EQ(times.arrive.Ps(), 3286 * NS);
    EXPECT_DOUBLE_EQ(times.acknowledged.Ps(), 3664 * NS);
    EXPECT_DOUBLE_EQ(times.trips.Ps(), 3664 * NS);
    EXPECT_DOUBLE_EQ(times.lastOut.Ps(), 3286 * NS);
    EXPECT_DOUBLE_EQ(times.head.Ps(), 1648 * NS);
    EXPECT_DOUBLE_EQ(times.load[0].Ps(), 1538 * NS);
    EXPECT_DOUBLE_EQ(times.load[2].Ps(), 0);
}

/* The second frame, of 540 bytes, is 8 + 14 + 40 + 540 + 4 + 12 = 618 on the wire: it leaves at 2156,
 * reaches the switch while the first is on the receiver's link, and follows it: 1538 + 1538 + 618 + 210. */
TEST_F(MessageTimesTest, AShortFrameFollowsAFullOne)
{
    const auto& times = Of({2000, false, 0});
    EXPECT_EQ(times.frames, 2U);
    EXPECT_DOUBLE_EQ(times.leave.Ps(), 2156 * NS);
    EXPECT_DOUBLE_EQ(times.arrive.Ps(), 3904 * NS);
}

/* 84 bytes on two links. */
TEST_F(MessageTimesTest, NothingIsAFrame)
{
    EXPECT_DOUBLE_EQ(Of({0, false, 0}).arrive.Ps(), 378 * NS);
    EXPECT_DOUBLE_EQ(MessageClock(m_scenario, *m_job, m_network).Grant(0, 1).Ps(), 378 * NS);
}

/* Half as fast a trunk: 1538 + 3076 + 1538, and 3 links and 2 switches of latency, 320. */
TEST_F(MessageTimesTest, ATrunkIsOneLinkMore)
{
    m_network.switchOfHost[1] = 1;
    m_network.trunkBitsPerSecond = 4'000'000'000;
    EXPECT_DOUBLE_EQ(Of({1460, false, 0}).arrive.Ps(), 6472 * NS);
}

/* 4 frames, 2 in the window, one acknowledgement for 2: frame 2 begins when the second of the first
 * two, sent at 1538, is acknowledged, at 1538 + 3664; frame 3 follows it: 5202 + 2 * 1538 = 8278. A
 * window of ceil(1.25 * 2) = 3 has only frame 3 wait: 5202 + 1538 = 6740; but where acknowledgements
 * are as rare as the window lets them, that of three frames comes 1538 later, and nothing is gained. */
TEST_F(MessageTimesTest, AWindowOpensByAcknowledgements)
{
    m_scenario.transport.window = 2;
    m_scenario.transport.ackEvery = 2;
    const auto& times = Of({4 * 1460, false, 0});
    EXPECT_DOUBLE_EQ(times.leave.Ps(), 8278 * NS);
    EXPECT_DOUBLE_EQ(times.leave.Gain(Limit::WINDOW), 1538 * NS);
    m_scenario.transport.ackEvery = 16;
    const auto& rarely = Of({4 * 1460, false, 0});
    EXPECT_DOUBLE_EQ(rarely.leave.Ps(), 8278 * NS);
    EXPECT_DOUBLE_EQ(rarely.leave.Gain(Limit::WINDOW), 0);
}

/* A frame's 365 values of 8 bits are 365 bytes, 443 on the wire. In cycles of 10 ns, 256 bits each,
 * either engine takes ceil(1460 * 8 / 256) = 46. */
TEST_F(MessageTimesTest, EnginesTakeWholeCycles)
{
    m_network.engines = {{256, 100'000'000}, {256, 100'000'000}};
    const auto& times = Of({1460, true, 8});
    EXPECT_DOUBLE_EQ(times.leave.Ps(), (460 + 443) * NS);
    EXPECT_DOUBLE_EQ(times.arrive.Ps(), (460 + 443 + 443 + 460 + 210) * NS);
    EXPECT_DOUBLE_EQ(times.arrive.Gain(Limit::ENGINES), 920 * NS * (1 - 1 / RAISE));
}

/* 10 ns per frame and 1 ns per byte at either host, 50 per message at the sender's. */
TEST_F(MessageTimesTest, HostsMoveFrames)
{
    m_scenario.host.frameCostPs = 10'000;
    m_scenario.host.byteBytesPerSecond = 1'000'000'000;
    m_scenario.host.messageCostPs = 50'000;
    const auto& times = Of({1460, false, 0});
    EXPECT_DOUBLE_EQ(times.leave.Ps(), (50 + 1470 + 1538) * NS);
    EXPECT_DOUBLE_EQ(times.arrive.Ps(), (50 + 1470 + 3286 + 1470) * NS);
}

/* 100 values: 400 bytes; a host's codec of 8 bits makes 100 of a gradient's, an engine marks them. */
TEST_F(MessageTimesTest, ParcelsAreWhatTheTransportSees)
{
    EXPECT_EQ(ParcelOf(Leg::GRADIENT).bytes, 400U);
    m_job->meanBits = [](ElementRange) { return 8.0; };
    m_job->engines = true;
    EXPECT_EQ(ParcelOf(Leg::GRADIENT).bytes, 400U);
    EXPECT_TRUE(ParcelOf(Leg::GRADIENT).marked);
    EXPECT_FALSE(ParcelOf(Leg::WEIGHT).marked);
    m_job->engines = false;
    m_job->hostCodec = MakeCodec({});
    EXPECT_EQ(ParcelOf(Leg::GRADIENT).bytes, 100U);
    EXPECT_FALSE(ParcelOf(Leg::GRADIENT).marked);
    EXPECT_EQ(ParcelOf(Leg::WEIGHT).bytes, 400U);
}

} // namespace inca
