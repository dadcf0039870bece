/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/switches-seen.h"

#include "base/errors.h"
#include "experiment/run-experiment.h"
#include "experiment/switch-fixture.h"
#include "scenario/keys.h"

namespace inca
{

class SwitchesSeen : public SwitchFixture
{
  protected:
    static constexpr std::uint64_t PACKETS{40};
};

/* No loss: 2 workers, 40 packets each are all added, and 40 sums are made. */
TEST_F(SwitchesSeen, AreCounted)
{
    Install(Slots(PACKETS));
    ns3::Simulator::Run();
    const auto rows = SwitchesOf(cluster, JobId());
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].name, "switch");
    EXPECT_EQ(rows[0].packetsIn, 80U);
    EXPECT_EQ(rows[0].combined, 80U);
    EXPECT_EQ(rows[0].forwarded + rows[0].answered, 0U);
    EXPECT_EQ(rows[0].slots, 128U);
    EXPECT_EQ(rows[0].memoryBytes, 128U * 2 * 256 * 4);
}

/* A worker that ended without its sums would be found. */
TEST_F(SwitchesSeen, AWorkerWithoutItsSumsIsABrokenInvariant)
{
    Install(Slots(PACKETS));
    EXPECT_THROW(CheckSwitches(cluster, *plan.Job().prepared.job), InvariantError);
    ns3::Simulator::Run();
    EXPECT_NO_THROW(CheckSwitches(cluster, *plan.Job().prepared.job));
}

/* Leaves take 80 contributions and 40 sums, and send 40 up and 80 down; the spine takes 80. */
TEST_F(SwitchesSeen, OfATreeAddAndForward)
{
    const auto record = RunExperiment(Tree(PACKETS), {});
    ASSERT_EQ(record.switches.size(), 3U);
    for (const auto& row : record.switches)
    {
        const bool leaf = row.name.rfind("leaf", 0) == 0;
        EXPECT_EQ(row.packetsIn, leaf ? 120U : 80U) << row.name;
        EXPECT_EQ(row.combined, 80U) << row.name;
        EXPECT_EQ(row.forwarded, leaf ? 40U : 0U) << row.name;
        EXPECT_EQ(row.packetsMade, leaf ? 120U : 80U) << row.name;
    }
}

/* Worker 1 is 54 us late: by then worker 0 has a packet in each of 8 slots. */
TEST_F(SwitchesSeen, SlotsPeakIsTheFullestSwitchs)
{
    auto scenario = Slots(PACKETS);
    SetKey(scenario, "switch.slots", "8");
    scenario.training.trace = WriteTrace(
        "late-layer", "layer,elements,forward_ns,backward_ns,update_ns", "a,10240,2000,4000,0\n");
    scenario.cluster.overrides = {{1, {}, 10.0}};
    EXPECT_EQ(RunExperiment(scenario, {}).results.slotsPeak, 8U);
    scenario.exchange.algorithm = "ring";
    EXPECT_FALSE(RunExperiment(scenario, {}).results.slotsPeak);
}

/* Worker 0's packet 1 is lost, and of its sums the 3rd, that of packet 3. A timeout later both workers send
 * packet 1 again, worker 0 first: it completes the sum, so that worker 1's is answered, as is packet 3. */
TEST_F(SwitchesSeen, RepeatedPacketsAreCounted)
{
    Install(Slots(PACKETS));
    Lose(cluster.links[0], 0, {1});
    Lose(cluster.links[0], 1, {2});
    ns3::Simulator::Run();
    EXPECT_EQ(ClientsOf(cluster, JobId()).retransmittedFrames, 3U);
    const auto row = SwitchesOf(cluster, JobId()).front();
    EXPECT_EQ(row.packetsIn, 2 * PACKETS - 1 + 3);
    EXPECT_EQ(row.combined, 2 * PACKETS);
    EXPECT_EQ(row.answered, 2U);
    EXPECT_EQ(row.droppedDuplicate, 0U);
    EXPECT_EQ(row.packetsMade, 2 * PACKETS + 2); // each sum to both, and the answers
}

} // namespace inca
