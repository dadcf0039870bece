/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/arrival-queue.h"

#include "ns3/simulator.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace inca
{

class ArrivalQueueTest : public testing::Test
{
  protected:
    ArrivalQueueTest()
    {
        if (ns3::Time::GetResolution() != ns3::Time::PS)
        {
            ns3::Time::SetResolution(ns3::Time::PS);
        }
    }

    void TearDown() override
    {
        ns3::Simulator::Destroy();
    }

    void Enter(std::uint64_t number, std::int64_t donePs)
    {
        auto train = MakeTransportTrain(TrainKind::DATA, 4);
        train->segment.number = number;
        queue.Enter(train, donePs);
    }

    using Handled = std::pair<std::uint64_t, std::int64_t>; ///< its number, and when

    std::vector<Handled> handled;
    ArrivalQueue queue{[this](const ns3::Ptr<Train>& train) {
        handled.emplace_back(train->segment.number, ns3::Simulator::Now().GetTimeStep());
    }};
};

/* What is done now needs no event. */
TEST_F(ArrivalQueueTest, HandsOnAtOnceWhatIsDone)
{
    Enter(0, 0);
    EXPECT_EQ(handled, (std::vector<Handled>{{0, 0}}));
}

/* The one done now waits behind one whose event of this instant is to come. */
TEST_F(ArrivalQueueTest, KeepsTheOrder)
{
    Enter(0, 50);
    Enter(1, 50);
    Enter(2, 70);
    ns3::Simulator::Schedule(ns3::PicoSeconds(70), [this] { Enter(3, 70); });
    ns3::Simulator::Run();
    EXPECT_EQ(handled, (std::vector<Handled>{{0, 50}, {1, 50}, {2, 70}, {3, 70}}));
}

} // namespace inca
