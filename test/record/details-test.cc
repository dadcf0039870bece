/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/details.h"

#include "record/example-record.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(DetailTables, ListsLayers)
{
    EXPECT_EQ(LayersCsv(ExampleRecord()),
              "worker,layer,elements,first_bucket,last_bucket,ready_s,start_s,end_s,"
              "exposed_communication_s,weights_wait_s,plain_bytes,wire_bytes\n"
              "3,conv1,34944,1,2,1,1,2,0.5,0.25,139776,20000\n");
}

TEST(DetailTables, ListsLinksWithAColumnForEachReason)
{
    EXPECT_EQ(LinksCsv(ExampleRecord()),
              "link,from,to,bandwidth_gbps,wire_bytes,frames,utilisation,largest_queue_bytes,"
              "ecn_marked_frames,drops_buffer_full,drops_link_error,drops_no_link,drops_over_mtu\n"
              "worker 0 -> switch,worker 0,switch,10,1048576,700,0.25,4096,0,1,0,0,0\n"
              "switch -> worker 0,switch,worker 0,2.5,2097152,1400,0.5,2048,5,0,2,0,0\n");
}

TEST(DetailTables, ListsSwitchesThatAdd)
{
    EXPECT_EQ(SwitchesCsv(ExampleRecordOfSwitches()),
              "switch,packets_in,combined,forwarded,answered,dropped_duplicate,dropped_late,"
              "dropped_no_slot,dropped_foreign,packets_made,slots_peak,slots,memory_bytes\n"
              "leaf 0,301,200,100,0,1,0,0,0,300,64,128,65536\n"
              "spine 0,100,99,0,0,0,0,0,1,99,32,128,65000\n");
}

/* A third is 0.333333333 in nine digits. */
TEST(DetailTables, ListsErrorsByBucketAndHop)
{
    EXPECT_EQ(ErrorsCsv(ExampleRecordOfErrors()),
              "bucket,hop,values,vnmse,cosine,largest_error\n"
              "1,,800,0.0625,0.96875,0.5\n"
              "1,1,200,0.03125,0.984375,0.25\n"
              "1,2,800,0.0625,0.96875,0.5\n"
              "2,,400,0.333333333,1,2\n");
}

} // namespace inca
