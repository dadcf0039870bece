/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Times of the exchanges that collective libraries run, from closed forms.
#include "experiment/scenario-fixture.h"

#include <cstdint>
#include <string>

namespace inca
{

class Collectives : public ScenarioFixture
{
  protected:
    static constexpr std::int64_t FRAME_PS{1'230'400};   ///< 1538 bytes at 10 Gbit/s: a full frame
    static constexpr std::int64_t LATENCY_PS{2'000'000}; ///< of two links
    static constexpr std::uint64_t FRAME_BYTES{1460};

    /** Nothing but the wire takes time, and a message's end is acknowledged. */
    static Scenario Of(const std::string& exchange, std::uint32_t workers, std::uint64_t bytes)
    {
        return With(Bare("tensor:" + std::to_string(bytes) + "B", workers),
                    "transport.ack_every=64 tree.chunk_bytes=1MB exchange.algorithm=" + exchange);
    }
};

TEST_F(Collectives, TakeTheirClosedForms)
{
    struct Row
    {
        const char* exchange;
        std::uint32_t workers;
        std::int64_t endPs;
    };

    const auto ofTwoPs = 2 * (21 * FRAME_PS + LATENCY_PS) + ACK_PS;
    const Row rows[] = {
        // 40 frames, 4 workers: each sends and receives 20, 10, 10 and 20 at the same time. F frames arrive
        // after F + 1 frame times (the last one crosses two links) and two latencies; the acknowledgement of
        // what came goes before the next step's first frame. 4 (F + 1) times, F = 20 + 10 + 10 + 20 in all.
        {"halving-doubling", 4, (60 + 4) * FRAME_PS + 4 * LATENCY_PS + 3 * ACK_PS},
        // 5 workers: before that, worker 0 gives all 40 to worker 1, and gets 40 after: 41 frame times each.
        // The members 2 and 3 do not wait for that: the 20 and the 10 that they have for worker 1 come over
        // its link among the 40. Acknowledgements go before the first frames of the 5 steps after.
        {"halving-doubling",
         5,
         (40 + 20 + 10 + 1) * FRAME_PS + (60 + 4) * FRAME_PS + (40 + 1) * FRAME_PS +
             6 * LATENCY_PS + 5 * ACK_PS},
        // Of two workers each adds one half and gets the other, whatever it is called: 2 steps of 20 frames. A
        // tree of two hands its half up and gets the sum down, the other tree the other way round.
        {"ring", 2, ofTwoPs},
        {"halving-doubling", 2, ofTwoPs},
        {"tree", 2, ofTwoPs},
    };
    for (const auto& row : rows)
    {
        EXPECT_EQ(EndPs(Of(row.exchange, row.workers, 40 * FRAME_BYTES)), row.endPs)
            << row.exchange << " of " << row.workers;
    }
}

/* A value for each tree: 4 levels up and 4 down, where a ring of 16 takes 30 steps. A step takes two
 * smallest frames (84 bytes) and two latencies; beside them a worker's link carries, in a step, at most two
 * frames of its children, one of its parent, one of the other tree, and their acknowledgements: 8 more. */
TEST_F(Collectives, ATreeTakesTheLogarithmOfSteps)
{
    const auto timePs = EndPs(Of("tree", 16, 8));
    EXPECT_GE(timePs, 8 * (2 * ACK_PS + LATENCY_PS));
    EXPECT_LE(timePs, 8 * (2 * ACK_PS + LATENCY_PS + 8 * ACK_PS));
    EXPECT_GE(EndPs(Of("ring", 16, 8)), 30 * (2 * ACK_PS + LATENCY_PS));
}

/* Channels add while others are on the wire: a ring of 8 takes what 7/8 of 10 MB
 * twice take on the wire, at 1538 for 1460 bytes, within 1 %; alone it waits for 7 additions of 1.25 MB
 * more. The window never waits for an acknowledgement. */
TEST_F(Collectives, ChannelsHideAdditions)
{
    Scenario scenario;
    SetKeys(scenario, "training.trace=tensor:10MB cluster.workers=8 host.sum_rate=2GBps");
    const double wirePs = 1e7 * 2 * 7 / 8 * 1538 / 1460 * 800;
    const double addingPs = 7 * 1.25e6 / 2e9 * 1e12;
    EXPECT_GE(static_cast<double>(EndPs(scenario)), wirePs + addingPs);
    SetKeys(scenario, "ring.channels=4");
    const auto results = RunExperiment(scenario, {}).results;
    EXPECT_LE(static_cast<double>(results.iterationTimePs), wirePs * 1.01);
    EXPECT_EQ(results.limitedBy, "link");
    SetKeys(scenario, "ring.chunk_bytes=100kB");
    EXPECT_LE(static_cast<double>(EndPs(scenario)), wirePs * 1.01);
}

/* Inside a machine 8 GPUs at 12 GB/s add up, and share, 7/8 of the tensor each, before and after. */
TEST_F(Collectives, MachinesOfGpusAddUpFirst)
{
    for (const auto* exchange : {"tree", "halving-doubling", "ring"})
    {
        const auto scenario = Of(exchange, 4, 40 * FRAME_BYTES);
        const auto bytes = 40 * FRAME_BYTES / 8 * 7;
        const auto sharingPs =
            static_cast<std::int64_t>(bytes * 1000 / 12 + (bytes * 1000 % 12 > 0));
        EXPECT_EQ(EndPs(With(scenario, "cluster.gpus=8")) - EndPs(scenario), 2 * sharingPs)
            << exchange;
    }
}

} // namespace inca
