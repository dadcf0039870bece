/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Switches that add for workers of which each keeps a part, and hand on what these have made of it.
#include "experiment/switch-fixture.h"

#include <string>
#include <utility>

namespace inca
{

/**
 * F is a packet with values, E one without, d a link. A reduce-scatter of P packets is (P - 1) F and a round trip of
 * 2 (F + d) for the owner of the last one, worker W-1; the others have their word of it F - E sooner. In an all-gather
 * a worker sends one packet of W with values, and gets the others: P / W ((W - 1) F + E) on its link.
 */
class SwitchSharding : public SwitchFixture
{
  protected:
    static constexpr std::int64_t ROUND_TRIP_PS{2 * (PACKET_PS + LINK_PS)};

    static Scenario Sharded(const Scenario& scenario)
    {
        return With(scenario, "training.sharding=optimizer");
    }

    /** Of four workers, P / 4 turns in an all-gather. */
    static std::int64_t TurnsPs(std::int64_t packets)
    {
        return packets / 4 * (3 * PACKET_PS + EMPTY_PS);
    }
};

/* Worker 3 ends the reduce-scatter at t = (P - 1) F + 2 (F + d), the others F - E before. The first packet to be
 * gathered is worker 0's: it has left at t + E, as has worker 3's word that it wants it. From its arrival on every
 * worker's link is busy, as packets come to the switch faster than they go: t + E + d + P/4 (3 F + E) + d. However
 * many packets there are: a worker's next one waits for a slot, not for its link. */
TEST_F(SwitchSharding, TakesAReduceScatterAndAnAllGather)
{
    for (const std::int64_t packets : {40, 400, 4000})
    {
        const auto outcome = Run(Sharded(Slots(static_cast<std::uint64_t>(packets), 4)));
        const auto expectedPs =
            (packets - 1) * PACKET_PS + ROUND_TRIP_PS + EMPTY_PS + 2 * LINK_PS + TurnsPs(packets);
        EXPECT_EQ(outcome.Job().seen->iterationEndPs.back(), expectedPs) << packets;
        EXPECT_LE(outcome.plan.Job().alone.iterationPs, expectedPs) << packets;
    }
}

TEST_F(SwitchSharding, TakesTheTimesOfItsPackets)
{
    struct TableRow
    {
        Scenario scenario;
        const char* settings;
        std::int64_t endPs;
    };

    const auto gatherPs = EMPTY_PS + 2 * LINK_PS + TurnsPs(40);
    const auto scatterPs = 39 * PACKET_PS + ROUND_TRIP_PS;
    const TableRow rows[] = {
        // Two leaves of two workers. Reduce-scatter: two hops more each way, t = (P - 1) F + 4 (F + d) on
        // worker 3. Workers 0 and 1 have their last word of it 2 (F - E) before, worker 2 F - E. To the spine
        // go two packets of four with values from either leaf. Worker 0's first is there F after it is at its
        // leaf, at t - 2 (F - E) + F + d: at t + 2 E + 2 d; worker 3's first word at t + 2 (E + d), too. In
        // leaf 1 it is F later, and d, on the trunk, and workers 2 and 3 get one packet after the other from
        // then on: P/4 (3 F + E), and d. Workers 0 and 1 get it E after the spine, but the second one, from
        // leaf 0 as well, comes F later than the first: they have a pause of F - E, and end when the others
        // do.
        {Tree(40),
         "",
         39 * PACKET_PS + 4 * (PACKET_PS + LINK_PS) + 2 * EMPTY_PS + PACKET_PS + 4 * LINK_PS +
             TurnsPs(40)},
        // With exponents ahead: 40 packets of 67.2 ns before the values, as without sharding. Nothing is
        // added of weights, so none go before them.
        {Slots(40, 4), "switch.scaling=block", 40 * EMPTY_PS + scatterPs + gatherPs},
        // One slot: every packet waits for the one before it. Gradients: a round trip each, of F up and F to
        // its owner. Weights: as much, from the owner to the others. The first packet of weights is worker
        // 0's, which has had its last word F - E before worker 3 had its sums.
        {Slots(8, 4), "switch.slots=1", 16 * ROUND_TRIP_PS - (PACKET_PS - EMPTY_PS)},
        // 256 million values per second: 4 workers' packets take 4 us, longer than they take to come.
        // Weights take nothing: worker 3 has its last sum F + d after it is added, and then all is as above.
        {Slots(40, 4),
         "switch.adder_rate=256000000values/s",
         40 * 4'000'000 + ROUND_TRIP_PS + gatherPs},
        // Two values of 16 bits in a word: 20 packets of weights instead of 40, of which a worker sends 5
        // and gets 15.
        {Slots(40, 4),
         "training.gradient_type=bf16",
         scatterPs + EMPTY_PS + 2 * LINK_PS + TurnsPs(20)},
    };
    for (const auto& row : rows)
    {
        EXPECT_EQ(EndPs(With(Sharded(row.scenario), row.settings)), row.endPs) << row.settings;
    }
}

/* Of 40 packets of 1106 bytes, 84 without values. Up: all gradients, a quarter of the weights; down: a quarter of the
 * gradients, the others' weights. */
TEST_F(SwitchSharding, LinksCarryPartsAndWords)
{
    const auto record = RunExperiment(Sharded(Slots(40, 4)), {});
    for (const auto& link : record.links)
    {
        const bool isUp = link.ends.from.rfind("worker", 0) == 0;
        const auto full = isUp ? 40U + 10 : 10U + 30;
        EXPECT_EQ(link.port.out.wireBytes, full * 1106 + (80 - full) * 84) << link.ends.name;
    }
    // what workers get: 10 packets of sums, 30 of weights
    EXPECT_EQ(record.results.plainBytes, 4U * 40 * 1024);
}

/* Layers that take 10 times as long as what they exchange, two workers: only the first weights and the last sums are
 * waited for. Two packets each: worker 0's and worker 1's. At once weights take F + E up and down, 2 F + E + 2 d on
 * either worker. Sums take 3 F + 2 d on worker 1, and its updates, 250 ns each, begin then. The next iteration of worker
 * 0 begins F - E before that of worker 1; it has its weights F - E after worker 1, and begins its last sums so much
 * later: t + E + 2 F + 2 d, and passes, and 3 F + 2 d again. */
TEST_F(SwitchSharding, FullShardingHidesAllButTheFirstAndTheLast)
{
    auto scenario =
        With(Slots(1), "training.send=layer training.sharding=full training.iterations=3");
    scenario.training.trace = WriteTrace("switch-units",
                                         "layer,elements,forward_ns,backward_ns,update_ns",
                                         "in,100,10000,20000,500\nout,100,10000,20000,500\n");
    const auto results = RunExperiment(scenario, {}).results;
    const std::int64_t passesPs = 60'000'000;
    const std::int64_t updatePs = 2 * 250'000;
    const auto waitedPs = 5 * PACKET_PS + EMPTY_PS + 4 * LINK_PS;
    EXPECT_EQ(results.iterationTimePs, passesPs + waitedPs + updatePs);
    EXPECT_LE(*results.lowerBoundPs, results.iterationTimePs);
}

/* Two layers of 100 values, 4 workers. A worker gets 75 of each for forward, 75 of the first for backward, and the
 * sums of 25 of each. */
TEST_F(SwitchSharding, FullShardingMovesEachPhaseOnce)
{
    for (const auto* topology : {"star", "leaf-spine", "fat-tree", "rack-pair"})
    {
        auto scenario = With(Slots(1, 4),
                             "exchange.algorithm=switch-tree training.send=layer "
                             "training.sharding=full training.trace=" +
                                 TwoLayers());
        scenario.cluster.topology = topology;
        const auto record = RunExperiment(scenario, {});
        EXPECT_EQ(record.results.plainBytes, 4U * 4 * (2 * 75 + 75 + 2 * 25)) << topology;
    }
}

/* Beside random runs (drawn-runs-test.cc), lost packets, and several exchanges at a time in few slots. What every worker ends
 * with is what a replay without a clock makes of it, to the bit; with fp32 adders the same on all workers, and a sum in some
 * order. Layers are filled up to 4005 and 700 values, for shards of one size, and 5 workers have all of each after every
 * iteration. With full sharding each sum is on its owner alone, and each gather on all: of all layers before forward, of all
 * but the last one, which is kept, before backward. */
TEST_F(SwitchSharding, ValuesSurviveLosses)
{
    constexpr std::uint64_t all = 4005 + 700;
    const std::pair<const char*, std::uint64_t> ways[] = {
        {"training.sharding=full cluster.loss_rate=0.001", 5 * (all + all - 700) + all},
        {"exchange.concurrent=3 switch.slots=5 cluster.loss_rate=0.002 switch.timeout=200us",
         5 * all},
    };
    const auto trace = WriteTrace("switch-shards",
                                  "layer,elements,forward_ns,backward_ns,update_ns,exponents",
                                  "a,4003,1000,2000,300,121:1\nd,700,100,300,4000,121:1\n");
    for (const auto& [settings, compared] : ways)
    {
        for (const std::string adder : {"int32", "int32-saturating", "fp32"})
        {
            SCOPED_TRACE(settings + adder);
            const auto outcome =
                Run(With(Sharded(Tree(1, 5)),
                         "training.send=layer training.values=true training.iterations=2 "
                         "training.gradient_type=bf16 switch.values_per_packet=64 switch.adder=" +
                             adder + " training.trace=" + trace + " " + settings));
            EXPECT_EQ(outcome.Job().comparedValues, 2 * compared);
            EXPECT_GT(outcome.Job().errors->largest, 0);
        }
    }
}

/* Weights wait before a worker's link, up to a window of them: with a buffer of 8 frames, some are dropped, and sent
 * again; of 8 slots no more are on their way. */
TEST_F(SwitchSharding, SmallBuffersDropFrames)
{
    const auto scenario =
        With(Sharded(Slots(400, 4)), "cluster.buffer=12800B switch.timeout=200us");
    EXPECT_GT(RunExperiment(scenario, {}).results.retransmitted, 0U);
    EXPECT_EQ(RunExperiment(With(scenario, "switch.slots=8"), {}).results.retransmitted, 0U);
}

/* 64 chunks of P = 64 packets, 4 workers, four at a time. A worker's link carries all gradients up, 64 P F, and in between
 * its own weights and its word of the others', 64 P (F + 3 E) / 4; weights come down the other way meanwhile, less than
 * that. A chunk's packets fill a half of the 128 slots, so a worker hands all of them to its NIC at once, and the weights of
 * the chunk before wait behind them: those of the last two chunks come when all gradients have gone. Then there are both ways
 * of the first packets and of the last ones. One at a time, weights come down after the gradients of each. */
TEST_F(SwitchSharding, GradientsGoUpWhileWeightsComeDown)
{
    constexpr std::int64_t chunks = 64;
    constexpr std::int64_t packets = 64;
    auto scenario = With(Sharded(Slots(chunks * packets, 4)), "training.update=bucket");
    scenario.exchange.chunkBytes = packets * 1024;
    EXPECT_GE(EndPs(scenario), chunks * (packets * PACKET_PS + TurnsPs(packets)));
    scenario.exchange.concurrent = 4;
    const auto upPs = chunks * packets * (PACKET_PS + (PACKET_PS + 3 * EMPTY_PS) / 4);
    const auto lastPs = 2 * TurnsPs(packets) + 2 * ROUND_TRIP_PS;
    for (const bool priority : {false, true})
    {
        scenario.exchange.priority = priority;
        const auto outcome = Run(scenario);
        const auto endPs = outcome.Job().seen->iterationEndPs.back();
        EXPECT_GE(endPs, upPs) << priority;
        EXPECT_LE(endPs, upPs + lastPs) << priority;
        EXPECT_LE(outcome.plan.Job().alone.iterationPs, endPs) << priority;
    }
}

} // namespace inca
