/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/job-clock.h"

#include "ns3/simulator.h"

#include <gtest/gtest.h>

#include <vector>

namespace inca
{

class JobClockTest : public testing::Test
{
  protected:
    JobClockTest()
    {
        if (ns3::Time::GetResolution() != ns3::Time::PS)
        {
            ns3::Time::SetResolution(ns3::Time::PS);
        }
    }

    ~JobClockTest() override
    {
        ns3::Simulator::Destroy();
    }

    std::function<void()> Note()
    {
        return [this] { donePs.push_back(clock.NowPs()); };
    }

    JobClock clock;
    std::vector<std::int64_t> donePs;
};

TEST_F(JobClockTest, HasThingsDoneInTime)
{
    clock.At(30, Note());
    clock.At(10, Note());
    EXPECT_EQ(clock.Awaited().size(), 2U);
    ns3::Simulator::Run();
    EXPECT_EQ(donePs, (std::vector<std::int64_t>{10, 30}));
    EXPECT_TRUE(clock.Awaited().empty());
    EXPECT_EQ(clock.Done(), 2U);
}

/* At 5 ps the network skips 20, so that it is 25 here: what is to be done at 47 comes 22 ps later, at 27 of
 * ns-3's. */
TEST_F(JobClockTest, IsAheadByWhatIsSkipped)
{
    ns3::Simulator::Schedule(ns3::TimeStep(5), [this] {
        clock.Skip(20);
        EXPECT_EQ(clock.NowPs(), 25);
        clock.At(47, Note());
    });
    ns3::Simulator::Run();
    EXPECT_EQ(donePs, std::vector<std::int64_t>{47});
    EXPECT_EQ(ns3::Simulator::Now().GetTimeStep(), 27);
}

} // namespace inca
