/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/link.h"
#include "device/random-loss.h"
#include "device/star-fixture.h"

#include "ns3/packet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace inca
{

namespace
{

/** Notes what arrives and when. */
class Sink : public LinkEnd
{
  public:
    void ReceiveTrain(ns3::Ptr<Train> train) override
    {
        arrivals.emplace_back(train->segment.number, ns3::Simulator::Now().GetTimeStep());
    }

    std::uint32_t NodeId() const override
    {
        return 0;
    }

    ns3::Ptr<ns3::NetDevice> Device() override
    {
        return nullptr;
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
        auto train = MakeTransportTrain(TrainKind::DATA, 1460);
        train->segment.number = number;
        train->lastDeparturePs = departurePs;
        link->Transmit(fromSide, train);
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

TEST_F(LinkTest, CountsOnlyEndsThatAreDevices)
{
    Hosts(2);
    EXPECT_EQ(link->GetNDevices(), 0U);
    EXPECT_EQ(links[1]->GetNDevices(), 1U);
    EXPECT_EQ(links[1]->GetDevice(0), nics[1]);
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

} // namespace

} // namespace inca
