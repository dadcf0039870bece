/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/train-meetings.h"

#include "helper/job-fixture.h"
#include "helper/topology-helper.h"
#include "topology/topology-catalog.h"

#include "ns3/uinteger.h"

#include <gmock/gmock.h>

#include <functional>
#include <vector>

namespace inca
{

/** Three hosts of a star send trains of 16 frames. */
class TrainMeetingsTest : public JobFixture
{
  protected:
    TrainMeetingsTest()
    {
        TopologySpec spec;
        spec.name = "star";
        spec.hosts = 3;
        TopologyHelper helper;
        helper.SetTransportAttribute("FramesPerTrain", ns3::UintegerValue(16));
        m_cluster = helper.Install(MakeTopology(spec));
        m_meetings = std::make_unique<TrainMeetings>(
            m_cluster, [this](double trains) { m_met.push_back(trains); });
    }

    void Send(std::uint32_t from,
              std::uint32_t to,
              std::uint64_t frames,
              std::function<void()> then = {})
    {
        Message message;
        message.to = m_cluster.Address(to);
        message.plainBytes = frames * 1460;
        m_cluster.transports[to]->SetReceiver(JobId(), [then](const ReceivedMessage&) {
            if (then)
            {
                then();
            }
        });
        m_cluster.transports[from]->Send(message, 0, {});
    }

    /** @return what was met, as the length of the shorter message in longer trains */
    std::vector<double> Met()
    {
        ns3::Simulator::Run();
        return m_met;
    }

  private:
    Cluster m_cluster;
    std::unique_ptr<TrainMeetings> m_meetings;
    std::vector<double> m_met;
};

/* 512 frames are 32 trains of 16. */
TEST_F(TrainMeetingsTest, TellOfTwoThatSendToOne)
{
    Send(0, 2, 512);
    Send(1, 2, 1024);
    const auto met = Met();
    ASSERT_FALSE(met.empty());
    EXPECT_EQ(met.front(), 32);
}

TEST_F(TrainMeetingsTest, TellOfOneFrameAmongTrains)
{
    Send(0, 2, 512);
    Send(1, 2, 1);
    const auto met = Met();
    ASSERT_FALSE(met.empty());
    EXPECT_EQ(met.front(), 1.0 / 16);
}

TEST_F(TrainMeetingsTest, TellOfOneThatSendsToTwo)
{
    Send(0, 1, 512);
    Send(0, 2, 512);
    EXPECT_FALSE(Met().empty());
}

TEST_F(TrainMeetingsTest, AreNoneRoundARing)
{
    Send(0, 1, 512);
    Send(1, 2, 512);
    Send(2, 0, 512);
    EXPECT_THAT(Met(), testing::IsEmpty());
}

TEST_F(TrainMeetingsTest, AreNoneWhereOneGoesAfterTheOther)
{
    Send(0, 2, 512, [this] { Send(1, 2, 512); });
    EXPECT_THAT(Met(), testing::IsEmpty());
}

/* 15 frames are less than 16 trains of one: they go one by one. */
TEST_F(TrainMeetingsTest, AreNoneOfSingleFrames)
{
    Send(0, 2, 15);
    Send(1, 2, 15);
    EXPECT_THAT(Met(), testing::IsEmpty());
}

} // namespace inca
