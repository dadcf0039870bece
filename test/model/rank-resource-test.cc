/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "model/rank-resource.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

#include <vector>

namespace inca
{

class RankResourceTest : public testing::Test
{
  protected:
    RankResourceTest()
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

    std::function<void()> Note()
    {
        return [this] { donePs.push_back(ns3::Simulator::Now().GetPicoSeconds()); };
    }

    Timeline timeline;
    RankResource resource{timeline};
    std::vector<std::int64_t> donePs;
};

/* 30 ps, then 20 ps behind it; at 100 ps it is idle and begins at once. */
TEST_F(RankResourceTest, DoesOneThingAfterTheOther)
{
    resource.Run(Activity::SUM, 30, Note());
    resource.Run(Activity::SUM, 20, Note());
    EXPECT_TRUE(resource.IsBusy());
    ns3::Simulator::Schedule(ns3::PicoSeconds(100), [this] {
        EXPECT_FALSE(resource.IsBusy());
        resource.Run(Activity::UPDATE, 5, Note());
    });
    ns3::Simulator::Run();
    EXPECT_EQ(donePs, (std::vector<std::int64_t>{30, 50, 105}));
}

/* Back to back work is one span; another activity has spans of its own; nothing has none. */
TEST_F(RankResourceTest, WritesTheTimeline)
{
    resource.Run(Activity::SUM, 30, Note());
    resource.Run(Activity::SUM, 20, Note());
    resource.Run(Activity::UPDATE, 7, Note());
    resource.Run(Activity::CODEC, 0, Note());
    ns3::Simulator::Run();
    ASSERT_EQ(timeline.Spans(Activity::SUM).size(), 1U);
    EXPECT_EQ(timeline.Spans(Activity::SUM)[0].endPs, 50);
    ASSERT_EQ(timeline.Spans(Activity::UPDATE).size(), 1U);
    EXPECT_EQ(timeline.Spans(Activity::UPDATE)[0].beginPs, 50);
    EXPECT_TRUE(timeline.Spans(Activity::CODEC).empty());
    EXPECT_EQ(donePs.size(), 4U);
}

/* Work of no duration is done in an event of its own, not within the call. */
TEST_F(RankResourceTest, IsNeverDoneAtOnce)
{
    resource.Run(Activity::SUM, 0, Note());
    EXPECT_TRUE(donePs.empty());
    ns3::Simulator::Run();
    EXPECT_EQ(donePs, std::vector<std::int64_t>{0});
}

} // namespace inca
