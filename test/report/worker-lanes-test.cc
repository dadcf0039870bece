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

/* There is room for 3 layers: for both lanes of the first run, for the last lane of the second, then for none. */
TEST(WorkerLanes, ThatEndLastAreKeptWhereThereIsNoRoomForAll)
{
    std::size_t room = 3;
    const std::vector<std::string> kept{"0 1", "1", ""};
    for (const auto& workers : kept)
    {
        auto lanes = TwoLanes();
        const bool areAll = FitLanes(lanes, room);
        EXPECT_EQ(areAll, lanes.size() == 2);
        std::string names;
        for (const auto& lane : lanes)
        {
            names += (names.empty() ? "" : " ") + lane.workers;
        }
        EXPECT_EQ(names, workers);
    }
}

} // namespace inca
