/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/rank-resource.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
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
    JobClock clock;
    ResourceWorkSink sink;
    RankResource resource{timeline, clock, sink};
    std::vector<std::int64_t> donePs;
};

/* 30 ps, then 20 ps behind it; at 100 ps it is idle and begins at once. */
TEST_F(RankResourceTest, DoesOneThingAfterTheOther)
{
    resource.Run(Activity::SUM, 30, Note());
    resource.Run(Activity::SUM, 20, Note());
    EXPECT_EQ(resource.BusyUntilPs(), 50);
    ns3::Simulator::Schedule(ns3::PicoSeconds(100), [this] {
        EXPECT_EQ(resource.BusyUntilPs(), 50);
        resource.Run(Activity::UPDATE, 5, Note());
    });
    ns3::Simulator::Run();
    EXPECT_EQ(donePs, (std::vector<std::int64_t>{30, 50, 105}));
}

/* 30 ps, then 20 ps behind it, told when they are queued, with the layer of the second. */
TEST_F(RankResourceTest, TellsItsWork)
{
    std::vector<ResourceWork> told;
    sink = [&told](const ResourceWork& work) { told.push_back(work); };
    resource.Run(Activity::SUM, 30, Note());
    resource.Run(Activity::UPDATE, 20, Note(), 7);
    ASSERT_EQ(told.size(), 2U);
    EXPECT_EQ(told[0].activity, Activity::SUM);
    EXPECT_FALSE(told[0].layer);
    EXPECT_EQ(told[1].span.beginPs, 30);
    EXPECT_EQ(told[1].span.endPs, 50);
    EXPECT_EQ(told[1].layer, 7U);
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

/* 0 to 30 and 50 to 60, then on another resource 20 to 55 and 80 to 90: of the first three one span, and
 * the fourth, though it is written before the fifth, which lies between. */
TEST_F(RankResourceTest, SharesAnActivityWithAnother)
{
    timeline.Add(Activity::COPY, {0, 30});
    timeline.Add(Activity::COPY, {50, 60});
    timeline.Add(Activity::COPY, {20, 55});
    timeline.Add(Activity::COPY, {80, 90});
    timeline.Add(Activity::COPY, {65, 70});
    const auto& spans = timeline.Spans(Activity::COPY);
    ASSERT_EQ(spans.size(), 3U);
    EXPECT_EQ(spans[0].beginPs, 0);
    EXPECT_EQ(spans[0].endPs, 60);
    EXPECT_EQ(spans[1].beginPs, 65);
    EXPECT_EQ(spans[2].endPs, 90);
}

/* Work of no duration is done in an event of its own, not within the call. */
TEST_F(RankResourceTest, IsNeverDoneAtOnce)
{
    resource.Run(Activity::SUM, 0, Note());
    EXPECT_TRUE(donePs.empty());
    ns3::Simulator::Run();
    EXPECT_EQ(donePs, std::vector<std::int64_t>{0});
}

/* Links between GPUs and copies to the host, say, are both copying: 0 to 10, 20 to 35 (and 25 to 30), 50 to 60
 * which comes last, though the other resource said so first; then 10 to 15 and 40 to 55 join what they touch. */
TEST(Timeline, CountsResourcesThatAreBusyWithTheSameOnce)
{
    Timeline both;
    const auto copy = [&both](std::int64_t beginPs, std::int64_t endPs) {
        both.Add(Activity::COPY, {beginPs, endPs});
    };
    copy(0, 10);
    copy(50, 60);
    copy(20, 35);
    copy(25, 30);
    copy(40, 40);
    const auto spans = [&both] {
        std::vector<std::pair<std::int64_t, std::int64_t>> all;
        for (const auto& span : both.Spans(Activity::COPY))
        {
            all.emplace_back(span.beginPs, span.endPs);
        }
        return all;
    };
    using Spans = decltype(spans());
    EXPECT_EQ(spans(), (Spans{{0, 10}, {20, 35}, {50, 60}}));
    copy(10, 15);
    copy(40, 55);
    EXPECT_EQ(spans(), (Spans{{0, 15}, {20, 35}, {40, 60}}));
    copy(14, 70);
    EXPECT_EQ(spans(), (Spans{{0, 70}}));
}

} // namespace inca
