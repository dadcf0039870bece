/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What hosts do with frames that they send, and that come.
#include "device/byte-rate.h"
#include "transport/host-path.h"

#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace inca
{

/** Two who send over one path, each frame of its own length. */
class HostPathTest : public testing::Test
{
  protected:
    using Sent = std::pair<char, std::int64_t>; ///< who, and when the host was done

    /** Sends frames of these costs as its turns come. */
    struct User
    {
        User(HostPathTest& test, char name)
            : owner(test),
              letter(name),
              turn{[this] { Pump(); }}
        {
        }

        void Send(std::vector<std::int64_t> costs)
        {
            costsPs.insert(costsPs.end(), costs.begin(), costs.end());
            Pump();
        }

        void Pump()
        {
            while (!costsPs.empty() && owner.path->TakeTurn(turn))
            {
                const auto costPs = costsPs.front();
                costsPs.erase(costsPs.begin());
                if (costPs == 0)
                {
                    owner.Note(letter);
                    continue;
                }
                owner.path->Work(costPs, 0, [this] { owner.Note(letter); });
            }
        }

        HostPathTest& owner;
        char letter;
        HostPath::Sender turn;
        std::vector<std::int64_t> costsPs{};
    };

    HostPathTest()
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

    void Note(char letter)
    {
        sent.emplace_back(letter, ns3::Simulator::Now().GetTimeStep());
    }

    ns3::Ptr<HostPath> path{ns3::CreateObject<HostPath>()};
    std::vector<Sent> sent;
    User a{*this, 'a'};
    User b{*this, 'b'};
};

/* 1460 bytes at 1.46 GB/s are 1000 ns, and 20 ns for the frame. */
TEST_F(HostPathTest, ChargesBytesAndFrames)
{
    EXPECT_EQ(path->FrameCostPs(1460), 0);
    EXPECT_EQ(path->MessageCostPs(), 0);
    EXPECT_FALSE(path->IsHalfDuplex());
    path->SetAttribute("ByteRate", ns3::DataRateValue(ByteRate(1'460'000'000)));
    path->SetAttribute("FrameCost", ns3::TimeValue(ns3::NanoSeconds(20)));
    path->SetAttribute("MessageCost", ns3::TimeValue(ns3::NanoSeconds(500)));
    EXPECT_EQ(path->FrameCostPs(1460), 1'020'000);
    EXPECT_EQ(path->FrameCostPs(0), 20'000);
    EXPECT_EQ(path->MessageCostPs(), 500'000);
}

TEST_F(HostPathTest, IsOnePerNode)
{
    const auto node = ns3::CreateObject<ns3::Node>();
    const auto made = HostPath::Of(node);
    EXPECT_EQ(HostPath::Of(node), made);
    EXPECT_NE(HostPath::Of(ns3::CreateObject<ns3::Node>()), made);
}

/* One after the other: 10, 10 + 20, 10 + 20 + 30. */
TEST_F(HostPathTest, SendsFramesOneAfterTheOther)
{
    a.Send({10, 20, 30});
    ns3::Simulator::Run();
    EXPECT_EQ(sent, (std::vector<Sent>{{'a', 10}, {'a', 30}, {'a', 60}}));
}

/* a has 3 frames of 10, of which the second waits when b comes with 2 of 7. From there they alternate,
 * and none is charged twice: a 10, a 20, b 27, a 37, b 44. */
TEST_F(HostPathTest, LetsSendersTakeTurns)
{
    a.Send({10, 10, 10});
    b.Send({7, 7});
    ns3::Simulator::Run();
    EXPECT_EQ(sent, (std::vector<Sent>{{'a', 10}, {'a', 20}, {'b', 27}, {'a', 37}, {'b', 44}}));
}

/* A frame of b's that costs nothing waits all the same: behind a's two, of 10 each. Its next one, of
 * 5, follows at once, as nobody else waits. */
TEST_F(HostPathTest, FreeFramesKeepTheirPlace)
{
    a.Send({10, 10});
    b.Send({0, 5});
    ns3::Simulator::Run();
    EXPECT_EQ(sent, (std::vector<Sent>{{'a', 10}, {'a', 20}, {'b', 20}, {'b', 25}}));
}

/* A turn that is not used passes to the next: b's frame was taken back while a's was worked on. */
TEST_F(HostPathTest, ATurnMayPass)
{
    a.Send({10, 10});
    b.Send({5});
    b.costsPs.clear();
    ns3::Simulator::Run();
    EXPECT_EQ(sent, (std::vector<Sent>{{'a', 10}, {'a', 20}}));
}

/* Frames that are ready at 0, 0 and 100, and cost 30, 30 and 5: done at 30, 60 and 105, whatever is
 * sent. */
TEST_F(HostPathTest, ReceivesBesideSending)
{
    a.Send({1000});
    EXPECT_EQ(path->Receive(0, 30), 30);
    EXPECT_EQ(path->Receive(0, 30), 60);
    EXPECT_EQ(path->Receive(100, 5), 105);
    EXPECT_EQ(path->Receive(100, 0), 105); // free, but behind the one before
    ns3::Simulator::Run();
    EXPECT_EQ(sent, (std::vector<Sent>{{'a', 1000}}));
}

class ArrivalQueueTest : public HostPathTest
{
  protected:
    void Enter(std::uint64_t number, std::int64_t donePs)
    {
        auto frame = MakeTransportFrame(FrameKind::DATA, 4);
        frame->segment.number = number;
        queue.Enter(frame, donePs);
    }

    using Handled = std::pair<std::uint64_t, std::int64_t>; ///< its number, and when

    std::vector<Handled> handled;
    ArrivalQueue queue{[this](const ns3::Ptr<Frame>& frame) {
        handled.emplace_back(frame->segment.number, ns3::Simulator::Now().GetTimeStep());
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
