/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What once went wrong in helper/.
#include "helper/job-fixture.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace inca
{

// -- grant waits behind a message
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

// -- send only step ends before its message left
using SendOnlyStep = JobFixture;

/* Half-duplex hosts began the next step before the whole message had left in a step that receives nothing,
 * so that an aggregator sent all its copies at once and the first one came as
 * late as the last.
 *
 * 3 workers and the aggregator, messages of 100 full frames (M): the gradients take 3 M, the tree 2 M,
 * and grants and latencies far less than the M that the root's two copies side by side would add. */
TEST_F(SendOnlyStep, EndsWhenItsWholeMessageHasLeft)
{
    constexpr std::int64_t FRAMES = 100;
    constexpr std::int64_t MESSAGE_PS = FRAMES * FULL_FRAME_PS;
    const auto job = MakeTensorJob(Exchange("worker-aggregator", 3), FRAMES * FULL_FRAME_ELEMENTS);
    SetHalfDuplex(true);
    const auto endPs = Run(job);
    EXPECT_GE(endPs, 5 * MESSAGE_PS);
    EXPECT_LE(endPs, 5 * MESSAGE_PS + MESSAGE_PS / 2);
}

} // namespace inca
