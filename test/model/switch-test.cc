/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "model/switch.h"

#include "model/star-fixture.h"

namespace inca
{

class SwitchTest : public StarFixture
{
};

/* Two hosts send one frame each to host 0 at the same time: the second waits for the first one's
 * 1230.4 ns at the switch's port. */
TEST_F(SwitchTest, QueuesAtItsOutput)
{
    Hosts(3);
    Send(1, 0, 1460);
    Send(2, 0, 1460);
    ns3::Simulator::Run();
    ASSERT_EQ(arrivals.size(), 2U);
    EXPECT_EQ(arrivals[0].timePs, 2 * (1'230'400 + 1'000'000));
    EXPECT_EQ(arrivals[1].timePs, arrivals[0].timePs + 1'230'400);
    EXPECT_EQ(hub->GetPort(0)->Counters().largestQueueBytes, 2U * 1538);
}

TEST_F(SwitchTest, AddsItsLatency)
{
    Hosts(2);
    hub->SetAttribute("Latency", ns3::TimeValue(ns3::NanoSeconds(300)));
    Send(0, 1, 1460);
    ns3::Simulator::Run();
    EXPECT_EQ(arrivals[0].timePs, 2 * (1'230'400 + 1'000'000) + 300'000);
}

TEST_F(SwitchTest, FloodsWhatItDoesNotKnow)
{
    Hosts(3);
    auto train = MakeTransportTrain(TrainKind::DATA, 1460);
    train->destination = Address(9);
    hub->Forward(train, 0);
    ns3::Simulator::Run();
    EXPECT_EQ(hub->FloodedFrames(), 1U);
    EXPECT_EQ(hub->GetPort(0)->Counters().frames, 0U);
    EXPECT_EQ(hub->GetPort(1)->Counters().frames, 1U);
    EXPECT_EQ(hub->GetPort(2)->Counters().frames, 1U);
    EXPECT_TRUE(arrivals.empty()); // it was for none of them
}

/* The backlog after each frame, and a drop, are told by trace sources. */
TEST_F(SwitchTest, TellsOfItsQueues)
{
    Hosts(2, [](Nic&, SwitchPort& port, Transport&) {
        port.SetAttribute("Buffer", ns3::UintegerValue(2 * 1538));
    });
    std::vector<std::uint64_t> backlogs;
    unsigned drops = 0;
    hub->GetPort(1)->TraceConnectWithoutContext(
        "Queue", ns3::Callback<void, std::uint64_t>([&](std::uint64_t bytes) {
            backlogs.push_back(bytes);
        }));
    hub->GetPort(1)->TraceConnectWithoutContext(
        "Drop",
        ns3::Callback<void, ns3::Ptr<const Train>>([&](ns3::Ptr<const Train>) { ++drops; }));
    for (int i = 0; i < 3; ++i)
    {
        auto train = MakeTransportTrain(TrainKind::DATA, 1460);
        train->destination = Address(1);
        hub->Forward(train, 0);
    }
    EXPECT_EQ(backlogs, (std::vector<std::uint64_t>{1538, 2 * 1538}));
    EXPECT_EQ(drops, 1U);
}

} // namespace inca
