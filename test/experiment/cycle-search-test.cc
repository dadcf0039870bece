/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/cycle-search.h"
#include "experiment/record-parts.h"
#include "experiment/scenario-fixture.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** Four layers of 100 elements: 1 us forward, 2 us backward, 0.5 us update each. Cycles of 5 us. */
class CycleSearch : public ScenarioFixture
{
  protected:
    /**
     * Two workers need one round: an empty frame of 84 bytes (67.2 ns) goes there and back, each time over two
     * links of 1 us.
     */
    static constexpr std::int64_t ROUND_PS{4 * LINK_PS + 4 * ACK_PS};

    static Scenario FourLayers(const std::string& settings = "")
    {
        const auto trace = WriteTrace("four-layers",
                                      "layer,elements,forward_ns,backward_ns,update_ns",
                                      "a,100,1000,2000,500\nb,100,1000,2000,500\n"
                                      "c,100,1000,2000,500\nd,100,1000,2000,500\n");
        return With(Bare(trace), "training.send=fused exchange.cycle_time=5us " + settings);
    }

    static Plan PlanOf(const Scenario& scenario)
    {
        return MakePlanOfRun(scenario, [](double) {});
    }

    static Outcome RunInCycles(const Scenario& scenario)
    {
        return Simulate(PlanOf(scenario), [](double) {});
    }

    static std::vector<std::size_t> Begins(const Scenario& scenario)
    {
        return PlanOf(scenario).Settings().cycleBegins;
    }

    /** resnet-50 on 4 workers that copy and add at no cost, at 25 Gb/s with frames of 9038 bytes. */
    static Scenario ResNet(const std::string& settings)
    {
        return With(Bare("resnet-50", 4),
                    "training.send=fused exchange.bucket_bytes=128MiB cluster.bandwidth=25Gbps "
                    "cluster.mtu=9000 " +
                        settings);
    }
};

/* Backward begins at 4 us; layers are ready at 6, 8, 10 and 12 us. The cycle at 9 us finds two. Their ring ends
 * at 9 us + round + ring of 200 elements = 18.87 us, after the cycle that was due at 14 us, so the next one
 * begins then and finds the other two. Four updates follow. The second iteration is like the first. */
TEST_F(CycleSearch, FusesWhatIsReadyWhenACycleBegins)
{
    EXPECT_EQ(Begins(FourLayers()), (std::vector<std::size_t>{3, 1}));
    const auto exchangePs = ROUND_PS + RingOfTwoPs(200);
    const auto iterationPs = 9'000'000 + 2 * exchangePs + 4 * 500'000;
    const auto outcome = RunInCycles(FourLayers("training.iterations=2"));
    EXPECT_THAT(outcome.Job().seen->iterationEndPs,
                testing::ElementsAre(iterationPs, 2 * iterationPs));
}

/* A host's cost of 1 us for each message is paid there and back: 2 us more of each round, and 1 us of each hop. */
TEST_F(CycleSearch, ARoundCostsHostsTheirMessages)
{
    const auto scenario = FourLayers("host.message_cost=1us exchange.cycle_time=10us");
    const auto job = MakePlan(scenario).Job().job;
    EXPECT_EQ(job->cycleRoundPs, ROUND_PS + 2'000'000);
}

/* 5 to 8 workers take 3 rounds up and down a binomial tree. */
TEST_F(CycleSearch, RoundsGoUpAndDownATree)
{
    for (const auto* const workers : {"5", "8"})
    {
        const auto scenario = FourLayers(std::string("cluster.workers=") + workers);
        EXPECT_EQ(MakePlan(scenario).Job().job->cycleRoundPs, 3 * ROUND_PS) << workers;
    }
}

/* 400 bytes are one layer: the cycle at 9 us starts two buckets one after the other, and so does the next one. */
TEST_F(CycleSearch, ACycleStartsAsManyBucketsAsItNeeds)
{
    const auto outcome = RunInCycles(FourLayers("exchange.bucket_bytes=400B"));
    const auto rows = LayerRows(outcome); // worker 0 first, from the first layer
    EXPECT_EQ(outcome.plan.Job().job->buckets.size(), 4U);
    EXPECT_EQ(rows[3].startPs, 9'000'000 + ROUND_PS);
    EXPECT_EQ(rows[2].startPs, rows[3].endPs);
    EXPECT_EQ(rows[1].startPs, rows[2].endPs + ROUND_PS);
    EXPECT_EQ(rows[0].startPs, rows[1].endPs);
}

/* Gradients are copied when their cycle has begun: 800 bytes at 0.8 GB/s take 1 us. */
TEST_F(CycleSearch, CopiesComeAfterTheRound)
{
    const auto rows = LayerRows(RunInCycles(FourLayers("host.copy_rate=0.8GBps")));
    EXPECT_EQ(rows[3].startPs, 9'000'000 + ROUND_PS + 1'000'000);
}

/* Worker 1 takes twice as long: it begins backward at 8 us, and is ready at 12, 16, 20 and 24 us. The cycle at 13 us
 * finds one layer, whose ring ends at 13 us + round + ring of 100 = 22.2 us; the next cycle finds two, the third one. */
TEST_F(CycleSearch, FollowsTheSlowestWorker)
{
    const auto scenario = FourLayers("cluster.worker.1.compute_scale=2 simulation.mode=packet");
    EXPECT_EQ(Begins(scenario), (std::vector<std::size_t>{3, 2, 0}));
    const auto rows = LayerRows(RunInCycles(scenario));
    EXPECT_EQ(rows[3].startPs, 13'000'000 + ROUND_PS);
    EXPECT_EQ(rows[2].startPs, 13'000'000 + 2 * ROUND_PS + RingOfTwoPs(100));
}

/* In each bucket is what the slowest of 3 workers had when its cycle began, and no more: a bucket starts a round
 * after that. Workers' factors differ from layer to layer. */
TEST_F(CycleSearch, FollowsTheSlowestWorkerOfEachLayer)
{
    const auto scenario =
        With(FourLayers(), "cluster.workers=3 training.jitter=normal training.jitter_sd=0.4");
    const auto outcome = RunInCycles(scenario);
    const auto& seen = *outcome.Job().seen;
    const auto& job = *outcome.plan.Job().job;
    const auto readyPs = [&](std::size_t layer) {
        std::int64_t lastPs = 0;
        for (const auto& layers : seen.layers)
        {
            lastPs = std::max(lastPs, layers[layer].readyPs);
        }
        return lastPs;
    };
    ASSERT_GT(job.chunks.size(), 1U);
    for (std::size_t chunk = 0; chunk < job.chunks.size(); ++chunk)
    {
        const auto begunPs = seen.chunks[0][chunk].startPs - job.cycleRoundPs;
        const auto lowest = job.chunks[chunk].firstLayer;
        EXPECT_LE(readyPs(lowest), begunPs);
        EXPECT_TRUE(lowest == 0 || readyPs(lowest - 1) > begunPs) << lowest;
    }
}

/* 1600 bytes are one bucket, which nobody has to look for. */
TEST_F(CycleSearch, WithoutCyclesBucketsAreBytes)
{
    const auto scenario = FourLayers("exchange.cycle_time=0");
    EXPECT_EQ(Begins(scenario), std::vector<std::size_t>{});
    EXPECT_EQ(PlanOf(scenario).Job().job->buckets.size(), 1U);
}

/* Buckets are searched by the first iteration, whatever is measured, and the bound is one then. */
TEST_F(CycleSearch, TheBoundHoldsOnceBucketsAreFound)
{
    const auto scenario = FourLayers("training.iterations=3 simulation.warmup=1");
    EXPECT_FALSE(MakePlan(scenario).Job().alone.isProven);
    const auto plan = PlanOf(scenario);
    EXPECT_TRUE(plan.Job().alone.isProven);
    EXPECT_LE(plan.Job().alone.iterationPs, RunExperiment(scenario, {}).results.iterationTimePs);
}

/* A search of two runs at least, and the run, each of which may take half as much again as it does, may not take as much
 * together: all are one run. Shares only grow. */
TEST_F(CycleSearch, TakesNoMoreThanOneRunMayTake)
{
    constexpr double psPerSecond = 1e12;
    auto scenario = FourLayers();
    const auto alone = MakePlan(scenario).cost;
    std::vector<double> shares{0};
    const auto cost =
        MakePlanOfRun(scenario, [&shares](double share) { shares.push_back(share); }).cost;
    EXPECT_GE(cost.searchSeconds, 2 * alone.cpuSeconds * 0.9);
    EXPECT_GT(cost.cpuSeconds, cost.searchSeconds);
    EXPECT_GT(shares.size(), 1U);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_LT(shares.back(), 1);
    scenario.simulation.maxCpuPs =
        static_cast<std::uint64_t>(std::llround(1.5 * alone.cpuSeconds * psPerSecond));
    EXPECT_EQ(MakePlan(scenario).cost.cpuSeconds, alone.cpuSeconds);
    EXPECT_THROW(PlanOf(scenario), InputError);
}

/* The path to the end has 5 - 1 us of waiting for the first cycle, from when layer c is ready at 8 us to 9 us, and two rounds. */
TEST_F(CycleSearch, ThePathSaysWhatCyclesTake)
{
    const auto record = RunExperiment(FourLayers(), {});
    std::int64_t sumPs = 0;
    std::int64_t cyclesPs = 0;
    for (const auto& row : record.path)
    {
        sumPs += row.ps;
        cyclesPs += row.kind == "cycle" ? row.ps : 0;
    }
    EXPECT_EQ(sumPs, record.results.iterationTimePs);
    EXPECT_EQ(cyclesPs, 1'000'000 + 2 * ROUND_PS);
}

/* By hand, with a ring of n bytes on the wire alone, which takes 1.5 n at 25 Gb/s, n being the gradients' 4 bytes
 * each and 78 bytes of headers to every 8960, and no rounds: forward takes 26.3 ms, and the cycle of 1 ms at 27.3 ms finds
 * 4 layers of 12.4 MB. Each ends after the next one was due, so four more follow without a pause, at 33.3, 52.6, 73.7
 * and 76.8 ms. All 102.2 MB take 49.497 ms, and the update 15.5 ms: 92.297 ms. Of 5 ms, cycles begin at 31.3, 50.5
 * and 76.1 ms: 31.3 + 49.497 + 15.5 = 96.297 ms.
 *
 * INCA adds to that acknowledgements, 84 bytes to 16 frames of 9038, 0.058 % or 0.029 ms of all; for each exchange 6
 * steps, at the end of which a frame passes the switch, 2.892 us, and two links, 2 us; and for each a round, 2 * 4.108
 * us: 5 * (29.35 + 8.22) or 3 * (29.35 + 8.22) us. */
TEST_F(CycleSearch, FusesResNetAsByHand)
{
    const auto timeUs = [](const char* cycle, std::uint64_t buckets) {
        const auto results =
            RunExperiment(ResNet(std::string("exchange.cycle_time=") + cycle), {}).results;
        EXPECT_EQ(results.buckets, buckets);
        return static_cast<double>(results.iterationTimePs) * 1e-6;
    };
    EXPECT_NEAR(timeUs("1ms", 5), 92'297 + 29 + 5 * (29.35 + 8.22), 2);
    EXPECT_NEAR(timeUs("5ms", 3), 96'297 + 29 + 3 * (29.35 + 8.22), 2);
}

/* To the picosecond, whatever is exchanged by whom; and about, as flows. Layers of hdc are ready after 5, 276 and 700 us of
 * backward. */
TEST_F(CycleSearch, IsTheSameInAllModes)
{
    const std::string rows[] = {
        "",
        "exchange.algorithm=tree cluster.workers=3",
        "exchange.algorithm=worker-aggregator host.message_cost=500ns",
        "exchange.algorithm=switch-slots",
        "exchange.bucket_bytes=1MB exchange.chunk_bytes=200kB exchange.concurrent=2",
        "exchange.cycle_time=1us training.update=bucket host.copy_rate=1GBps",
        "training.jitter=lognormal training.jitter_sd=0.3 training.iterations=3",
        "training.accumulation=2 cluster.gpus=2 simulation.warmup=1",
        "training.values=true codec.name=truncate codec.placement=cpu",
        "transport.name=tcp",
    };
    for (const auto& row : rows)
    {
        const auto scenario =
            With(Bare("hdc", 4),
                 "training.send=fused exchange.cycle_time=100us training.iterations=2 " + row);
        const auto record = RunExperiment(scenario, {});
        ExpectSameRows(record, AtPacketLevel(scenario));
        EXPECT_GT(record.results.buckets, 1U) << row;
    }
    const auto frames = RunExperiment(ResNet("exchange.cycle_time=5ms"), {}).results;
    const auto flows =
        RunExperiment(ResNet("exchange.cycle_time=5ms simulation.mode=flow"), {}).results;
    EXPECT_EQ(flows.buckets, frames.buckets);
    EXPECT_NEAR(static_cast<double>(flows.iterationTimePs) /
                    static_cast<double>(frames.iterationTimePs),
                1,
                1e-3);
}

} // namespace inca
