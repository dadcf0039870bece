/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/worker-lanes.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

LayerRow
Layer(std::uint32_t worker, std::int64_t endPs)
{
    LayerRow row;
    row.worker = worker;
    row.layer = "fc";
    row.endPs = endPs;
    return row;
}

/** Two workers with one layer each, the second of which ends later. */
WorkerLanes
TwoLanes()
{
    return LanesOf({Layer(0, 10), Layer(1, 20)});
}

} // namespace

TEST(WorkerLanes, AreThoseOfWorkersThatDiffer)
{
    const auto lanes =
        LanesOf({Layer(0, 10), Layer(1, 20), Layer(2, 10), Layer(3, 10), Layer(4, 20)});
    ASSERT_EQ(lanes.size(), 2U);
    EXPECT_EQ(lanes[0].workers, "0, 2 to 3");
    EXPECT_EQ(lanes[1].workers, "1, 4");
    EXPECT_EQ(lanes[1].layers.front().endPs, 20);
    EXPECT_TRUE(LanesOf({}).empty());
}

TEST(WorkerLanes, OfMoreLayersAreAnother)
{
    EXPECT_EQ(LanesOf({Layer(0, 10), Layer(1, 10), Layer(1, 10)}).size(), 2U);
}

TEST(WorkerLanes, ReadLayersToThePicosecond)
{
    const auto layers = LayersOf(ParseCsvTable(
        "layers.csv",
        "worker,layer,elements,first_bucket,last_bucket,ready_s,start_s,end_s,"
        "exposed_communication_s,plain_bytes,wire_bytes\n"
        "1,\"a,b\",23296,2,3,0.394770409867,0.396965695201,0.402534523888,0.0046867944,139776,"
        "24986\n"));
    ASSERT_EQ(layers.size(), 1U);
    EXPECT_EQ(layers[0].worker, 1U);
    EXPECT_EQ(layers[0].layer, "a,b");
    EXPECT_EQ(layers[0].elements, 23296U);
    EXPECT_EQ(layers[0].firstBucket, 2U);
    EXPECT_EQ(layers[0].lastBucket, 3U);
    EXPECT_EQ(layers[0].readyPs, 394770409867);
    EXPECT_EQ(layers[0].startPs, 396965695201);
    EXPECT_EQ(layers[0].endPs, 402534523888);
    EXPECT_EQ(layers[0].exposedCommunicationPs, 4686794400);
    EXPECT_EQ(layers[0].wireBytes, 24986U);
}

TEST(WorkerLanes, RefuseWhatIsNoLayer)
{
    try
    {
        LayersOf(ParseCsvTable("layers.csv", "worker,layer\n0,fc\n"));
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(),
                     "layers.csv:2: is no row of a layers.csv: needs a number as elements");
    }
}

/* 3 runs of 2 lanes of 1 layer are 6 layers. */
TEST(WorkerLanes, AreAllKeptWhereThereIsRoom)
{
    LaneCollection lanes(6);
    for (int run = 0; run < 3; ++run)
    {
        lanes.Add(TwoLanes());
    }
    EXPECT_EQ(lanes.LeftOut(), "");
    EXPECT_EQ(lanes.Runs()[2].size(), 2U);
}

/* With room for 3 layers, the second run makes 4: from there on each run has 1, and the third fits. With room for
 * 2 it does not. */
TEST(WorkerLanes, ThatEndLastAreKeptWhereThereIsNoRoomForAll)
{
    LaneCollection three(3);
    LaneCollection two(2);
    for (int run = 0; run < 3; ++run)
    {
        three.Add(TwoLanes());
        two.Add(TwoLanes());
    }
    EXPECT_EQ(three.LeftOut(), "timelines show the workers that end last alone");
    for (const auto& run : three.Runs())
    {
        ASSERT_EQ(run.size(), 1U);
        EXPECT_EQ(run.front().workers, "1");
    }
    EXPECT_EQ(two.LeftOut(), "timelines show the workers that end last alone; 1 points have none");
    EXPECT_EQ(two.Runs()[1].size(), 1U);
    EXPECT_TRUE(two.Runs()[2].empty());
}

} // namespace inca
