/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/link.h"
#include "device/port.h"
#include "device/random-loss.h"
#include "device/star-fixture.h"

#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/packet.h"
#include "ns3/rng-seed-manager.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace inca
{

namespace
{

constexpr std::int64_t FRAME_PS{1'230'400}; ///< 1538 bytes at 10 Gb/s

ns3::Ptr<Frame>
FullFrame()
{
    return MakeTransportFrame(FrameKind::DATA, 1460);
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
    ASSERT_TRUE(port.Enqueue(*first, 0, 0));
    ASSERT_TRUE(port.Enqueue(*second, 1000, 1000));
    EXPECT_EQ(first->firstDeparturePs, 0);
    EXPECT_EQ(first->lastDeparturePs, FRAME_PS);
    EXPECT_EQ(second->firstDeparturePs, FRAME_PS);
    EXPECT_EQ(second->lastDeparturePs, 2 * FRAME_PS);
}

TEST(Port, StartsAtOnceWhenIdle)
{
    Port port;
    port.Enqueue(*FullFrame(), 0, 0);
    auto later = FullFrame();
    port.Enqueue(*later, 5'000'000, 5'000'000);
    EXPECT_EQ(later->firstDeparturePs, 5'000'000);
}

/* 84 bytes at 9 Gb/s take 74.666.. ns, rounded up to the picosecond each time. */
TEST(Port, RoundsUpPerFrame)
{
    Port port({9'000'000'000, 1'000'000, 0});
    auto first = MakeTransportFrame(FrameKind::ACK, 0);
    auto second = MakeTransportFrame(FrameKind::ACK, 0);
    port.Enqueue(*first, 0, 0);
    port.Enqueue(*second, 0, 0);
    EXPECT_EQ(first->lastDeparturePs, 74'667);
    EXPECT_EQ(second->lastDeparturePs, 2 * 74'667);
}

/* Room for two full frames: the third is dropped, until the first has left. */
TEST(Port, DropsWhatDoesNotFit)
{
    Port port({10'000'000'000, 2 * 1538, 0});
    EXPECT_TRUE(port.Enqueue(*FullFrame(), 0, 0));
    EXPECT_TRUE(port.Enqueue(*FullFrame(), 0, 0));
    EXPECT_FALSE(port.Enqueue(*FullFrame(), FRAME_PS - 1, FRAME_PS - 1));
    EXPECT_TRUE(port.Enqueue(*FullFrame(), FRAME_PS, FRAME_PS));
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
    port.Enqueue(*first, 0, 0);
    port.Enqueue(*second, 0, 0);
    EXPECT_FALSE(first->congested);
    EXPECT_TRUE(second->congested);
    EXPECT_EQ(port.CountersAt(0).congestedFrames, 1U);
}

TEST(Port, ConservesBytesAtAnyTime)
{
    Port port({10'000'000'000, 4 * 1538, 0});
    for (std::int64_t at = 0; at < 20 * FRAME_PS; at += FRAME_PS / 4)
    {
        port.Enqueue(*FullFrame(), at, at);
        ExpectConserved(port.CountersAt(at));
    }
    port.Refuse(*FullFrame(), DropReason::OVER_MTU);
    const auto& counters = port.CountersAt(100 * FRAME_PS);
    ExpectConserved(counters);
    EXPECT_EQ(counters.held.wireBytes, 0U);
    EXPECT_EQ(counters.in.wireBytes, 81U * 1538);
    EXPECT_GT(counters.dropped.wireBytes, 0U);
}

namespace
{

/** Notes what arrives and when. */
class Sink : public LinkEnd
{
  public:
    void ReceiveFrame(ns3::Ptr<Frame> frame) override
    {
        arrivals.emplace_back(frame->segment.number, ns3::Simulator::Now().GetTimeStep());
    }

    std::uint32_t NodeId() const override
    {
        return 0;
    }

    std::vector<std::pair<std::uint64_t, std::int64_t>> arrivals;
};

} // namespace

class LinkTest : public StarFixture
{
  protected:
    LinkTest()
    {
        link->Attach(&left);
        link->Attach(&right);
    }

    void Transmit(unsigned fromSide, std::uint64_t number, std::int64_t departurePs)
    {
        auto frame = MakeTransportFrame(FrameKind::DATA, 1460);
        frame->segment.number = number;
        frame->lastDeparturePs = departurePs;
        link->Transmit(fromSide, frame);
    }

    using Arrivals = std::vector<std::pair<std::uint64_t, std::int64_t>>;

    Sink left;
    Sink right;
    ns3::Ptr<Link> link{ns3::CreateObject<Link>()};
};

/* 1 us after the last bit left, both ways at once. */
TEST_F(LinkTest, DeliversAfterItsDelay)
{
    Transmit(0, 1, 500);
    Transmit(0, 2, 1500);
    Transmit(1, 3, 700);
    ns3::Simulator::Run();
    EXPECT_EQ(right.arrivals, (Arrivals{{1, 1'000'500}, {2, 1'001'500}}));
    EXPECT_EQ(left.arrivals, (Arrivals{{3, 1'000'700}}));
}

TEST_F(LinkTest, LosesByOrdinalInOneDirection)
{
    auto losses = ns3::CreateObject<ns3::ReceiveListErrorModel>();
    losses->SetList({1});
    link->SetErrorModel(0, losses);
    for (std::uint64_t number = 0; number < 3; ++number)
    {
        Transmit(0, number, 0);
        Transmit(1, number, 0);
    }
    ns3::Simulator::Run();
    EXPECT_EQ(right.arrivals, (Arrivals{{0, 1'000'000}, {2, 1'000'000}}));
    EXPECT_EQ(left.arrivals.size(), 3U);
    EXPECT_EQ(link->Counters(0).lostFrames, 1U);
    EXPECT_EQ(link->Counters(0).carriedFrames, 2U);
    EXPECT_EQ(link->Counters(1).lostFrames, 0U);
}

/* In the order in which they were plugged in. */
TEST_F(LinkTest, HasADeviceAtEachEnd)
{
    Hosts(2);
    EXPECT_EQ(ns3::CreateObject<Link>()->GetNDevices(), 0U);
    ASSERT_EQ(links[1]->GetNDevices(), 2U);
    EXPECT_EQ(links[1]->GetDevice(0), nics[1]);
    EXPECT_EQ(links[1]->GetDevice(1), hub->GetPort(1));
    EXPECT_EQ(links[1]->GetDevice(2), nullptr);
    EXPECT_EQ(hub->GetPort(1)->GetChannel(), links[1]);
}

namespace
{

std::vector<bool>
Lost(RandomLoss& loss, std::size_t frames)
{
    std::vector<bool> lost;
    for (std::size_t i = 0; i < frames; ++i)
    {
        lost.push_back(loss.IsCorrupt(ns3::Create<ns3::Packet>(100)));
    }
    return lost;
}

/* Binomial with n = 10,000 and p = 0.1: mean 1000, standard deviation sqrt(900) = 30; 5 of them are 150. */
TEST(RandomLoss, LosesItsShare)
{
    RandomLoss loss(0.1, 7, 0);
    const auto lost = Lost(loss, 10'000);
    const auto count = std::count(lost.begin(), lost.end(), true);
    EXPECT_GE(count, 1000 - 150);
    EXPECT_LE(count, 1000 + 150);
}

TEST(RandomLoss, LosesNothingAndEverything)
{
    RandomLoss none(0, 7, 0);
    RandomLoss all(1, 7, 0);
    EXPECT_EQ(Lost(none, 100), std::vector<bool>(100, false));
    EXPECT_EQ(Lost(all, 100), std::vector<bool>(100, true));
}

TEST(RandomLoss, DependsOnSeedAndStreamAlone)
{
    RandomLoss first(0.5, 7, 1);
    RandomLoss same(0.5, 7, 1);
    RandomLoss otherStream(0.5, 7, 2);
    RandomLoss otherSeed(0.5, 8, 1);
    const auto lost = Lost(first, 100);
    EXPECT_EQ(Lost(same, 100), lost);
    EXPECT_NE(Lost(otherStream, 100), lost);
    EXPECT_NE(Lost(otherSeed, 100), lost);
    first.Reset();
    EXPECT_EQ(Lost(first, 100), lost);
}

/* As an ns-3 object: its rate is an attribute, two of them are independent, and ns-3's run decides, which is 1 at first. */
TEST(RandomLoss, IsSetAsNs3sModels)
{
    ns3::ObjectFactory factory("inca::RandomLoss", "ErrorRate", ns3::DoubleValue(0.5));
    const auto one = factory.Create<RandomLoss>();
    const auto other = factory.Create<RandomLoss>();
    EXPECT_NE(Lost(*one, 100), Lost(*other, 100));
    const auto given = ns3::CreateObject<RandomLoss>(0.5, 7, 1);
    const auto lost = Lost(*given, 100);
    RandomLoss same(0.5, 7, 1);
    EXPECT_EQ(lost, Lost(same, 100));
    ns3::RngSeedManager::SetRun(2);
    given->Reset();
    EXPECT_NE(Lost(*given, 100), lost);
    ns3::RngSeedManager::SetRun(1);
    given->Reset();
    EXPECT_EQ(Lost(*given, 100), lost);
    given->SetAttribute("ErrorRate", ns3::DoubleValue(1));
    EXPECT_EQ(Lost(*given, 100), std::vector<bool>(100, true));
    EXPECT_FALSE(given->SetAttributeFailSafe("ErrorRate", ns3::DoubleValue(1.5)));
}

} // namespace

} // namespace inca
