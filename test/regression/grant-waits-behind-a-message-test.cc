/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/job-fixture.h"

namespace inca
{

using WordBetweenHosts = JobFixture;

/* A grant to a host to which a message was on its way left behind that message, which delayed what
 * its receiver may send. Now it goes behind the 8 frames that the NIC has: the
 * 9th frame through the NIC, at most 9 frames and itself through the switch. */
TEST_F(WordBetweenHosts, GoesBetweenTheFramesOfAMessage)
{
    const auto cluster = StarHelper().Install(2);
    std::vector<std::pair<bool, std::int64_t>> arrivals; // grant or message, and when
    cluster.transports[1]->SetReceiver(JobId(), [&arrivals](const ReceivedMessage& message) {
        arrivals.emplace_back(message.tag.grant, ns3::Simulator::Now().GetPicoSeconds());
        EXPECT_EQ(message.plainBytes, message.tag.grant ? 0U : 146'000U);
    });
    Message message;
    message.to = cluster.Address(1);
    message.plainBytes = 146'000; // 100 frames
    cluster.transports[0]->Send(message, {});
    Message grant;
    grant.to = cluster.Address(1);
    grant.tag.grant = true;
    cluster.transports[0]->Send(grant, {});
    ns3::Simulator::Run();
    ASSERT_EQ(arrivals.size(), 2U);
    EXPECT_TRUE(arrivals[0].first);
    EXPECT_LE(arrivals[0].second, 10 * FULL_FRAME_PS + 2 * ACK_PS + 2 * LINK_PS);
    EXPECT_FALSE(arrivals[1].first);
    EXPECT_EQ(arrivals[1].second, 101 * FULL_FRAME_PS + ACK_PS + 2 * LINK_PS);
}

} // namespace inca
