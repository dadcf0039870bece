/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/explanation.h"

#include "experiment/drawn-scenario.h"
#include "experiment/key-trials.h"
#include "experiment/scenario-fixture.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>

namespace inca
{

namespace
{

class ExplanationTest : public ScenarioFixture
{
  protected:
    static std::int64_t PathPs(const RunRecord& record)
    {
        return std::accumulate(record.path.begin(),
                               record.path.end(),
                               std::int64_t{0},
                               [](std::int64_t ps, const auto& row) { return ps + row.ps; });
    }

    static const KeyEffect& EffectOf(const RunRecord& record, const std::string& key)
    {
        const auto found = std::find_if(record.effects.begin(),
                                        record.effects.end(),
                                        [&key](const auto& effect) { return effect.key == key; });
        EXPECT_NE(found, record.effects.end()) << key;
        return *found;
    }

    /** Parts add up to what is measured, to the picosecond; nothing is left that no key, nor layer, decides. */
    static void ExpectWhole(const RunRecord& record, const std::string& what)
    {
        EXPECT_EQ(PathPs(record), record.results.shares.TotalPs()) << what;
        EXPECT_TRUE(std::none_of(record.path.begin(), record.path.end(), [](const auto& row) {
            return row.kind == "repeated" || row.ps <= 0;
        })) << what;
    }
};

} // namespace

/* Of scenarios of all kinds that are drawn; what is skipped and folded is as it is frame by frame. */
TEST_F(ExplanationTest, PartsAddUp)
{
    const DrawnTraces traces(testing::TempDir());
    for (const std::string kind : {"scenarios",
                                   "networks",
                                   "gradients",
                                   "codecs",
                                   "collectives",
                                   "two shots",
                                   "host shards",
                                   "hybrids",
                                   "sharding",
                                   "switch shards",
                                   "sketches",
                                   "overflow"})
    {
        for (std::uint32_t number = 0; number < 6; ++number)
        {
            const auto scenario = DrawnOf(kind, number, traces);
            const auto what = kind + ": " + SettingsOf(scenario);
            const auto record = RunExperiment(scenario, {});
            ExpectWhole(record, what);
            EXPECT_EQ(record.results.limitedBy, AtPacketLevel(scenario).results.limitedBy) << what;
        }
    }
}

TEST_F(ExplanationTest, PartsAddUpOverOtherTransportsAndWithLosses)
{
    for (const std::string settings :
         {"transport.name=tcp",
          "transport.name=tcp transport.sockets=4 cluster.loss_rate=0.001",
          // an acknowledgement leaves while the host works on what it acknowledges
          "transport.name=tcp host.duplex=half host.byte_rate=1GBps cluster.latency=0us",
          "cluster.loss_rate=0.01",
          "cluster.loss_rate=0.01 exchange.algorithm=switch-slots",
          "simulation.mode=flow exchange.algorithm=tree cluster.topology=leaf-spine",
          "simulation.mode=flow exchange.algorithm=switch-tree cluster.topology=leaf-spine",
          "training.jitter=normal training.jitter_sd=0.2 training.trace=hdc training.iterations=3 "
          "simulation.warmup=1"})
    {
        ExpectWhole(RunExperiment(With(Bare("tensor:1MB"), settings), {}), settings);
    }
}

/* A ring of n has 2 (n - 1) steps, each over two links: the time grows by 2 (n - 1) * 2 latencies' change. Hosts cost nothing,
 * so the latency and the rate of links are all that there is: the sum of key times derivative is the time. */
TEST_F(ExplanationTest, CountsLatenciesOfARing)
{
    for (const std::uint32_t workers : {2U, 5U, 8U})
    {
        const auto record = RunExperiment(
            With(Bare("tensor:1MB"), "cluster.workers=" + std::to_string(workers)), {});
        const auto& latency = EffectOf(record, "cluster.latency");
        const auto& rate = EffectOf(record, "cluster.bandwidth");
        EXPECT_NEAR(latency.SecondsPerUnit(), 2.0 * (workers - 1) * 2, 1e-9);
        constexpr double psOfSecond = 1e12;
        const auto timePs = psOfSecond * (latency.value * latency.SecondsPerUnit() -
                                          rate.value * rate.SecondsPerUnit());
        EXPECT_NEAR(timePs, static_cast<double>(record.results.iterationTimePs), 1);
    }
}

/* With other values of keys a run takes what the path says: rates that are a tenth higher, and costs that are a tenth
 * lower. On 10 Gb/s a frame of 1538 bytes takes 1,230,400 ps, a thousandth of which is whole to 4 in 10^4. */
TEST_F(ExplanationTest, SaysWhatSimulationsSay)
{
    const auto scenario = With(Bare("tensor:1MB"),
                               "host.sum_rate=2GBps switch.latency=500ns "
                               "cluster.latency=3us host.message_cost=7us");
    auto record = RunExperiment(scenario, {});
    const auto vary = [this, &scenario](const std::string& setting) {
        return With(scenario, setting);
    };
    SimulateEffects(
        vary, 10, [](double) {}, record);
    for (const auto* key : {"cluster.bandwidth",
                            "cluster.latency",
                            "switch.latency",
                            "host.sum_rate",
                            "host.message_cost"})
    {
        const auto& effect = EffectOf(record, key);
        ASSERT_TRUE(effect.savedPs && effect.holdsUntil) << key;
        EXPECT_NEAR(*effect.savedPs / effect.SavesPs(BETTER), 1, 1e-3) << key;
        EXPECT_NE(*effect.holdsUntil, effect.value) << key;
        EXPECT_FALSE(effect.isOffAtOnce) << key;
    }
}

/*
 * As flows, too. NICs at 10 Gb/s are what GPUs' links of 300 GB/s wait for: all but the bytes of frames that messages begin and end with is in
 * proportion to their rate. Where a window or slots let no more go than a few frames, each of which has four latencies, time is in proportion
 * to those and to frames.
 */
TEST_F(ExplanationTest, NamesWhatFlowsWaitFor)
{
    struct Row
    {
        std::string settings;
        const char* limit;
        const char* key;
    };

    const std::string nodes = "cluster.workers=2 cluster.gpus=2 cluster.nics=2 "
                              "cluster.gpu_bandwidth=300GBps exchange.algorithm=";
    for (const auto& [settings, limit, key] :
         {Row{nodes + "ring", "link", "cluster.bandwidth"},
          Row{nodes + "switch-slots switch.adder=fp32 switch.slots=512",
              "link",
              "cluster.bandwidth"},
          Row{nodes + "switch-slots group.node.algorithm=switch-slots switch.slots=512 "
                      "host.message_cost=50us",
              "link",
              "cluster.bandwidth"},
          Row{"transport.window=4 cluster.latency=5us", "window", "cluster.latency"},
          Row{"exchange.algorithm=switch-slots switch.slots=2 cluster.latency=3us",
              "slots",
              "cluster.latency"},
          Row{"exchange.algorithm=switch-slots switch.slots=2 cluster.latency=0us "
              "switch.latency=9us",
              "slots",
              "switch.latency"},
          Row{"transport.window=4 cluster.latency=0us switch.latency=9us",
              "window",
              "switch.latency"}})
    {
        const auto scenario = With(Bare("tensor:8MB"), settings + " simulation.mode=flow");
        auto record = RunExperiment(scenario, {});
        ExpectWhole(record, settings);
        EXPECT_EQ(record.results.limitedBy, limit) << settings;
        const auto vary = [this, &scenario](const std::string& setting) {
            return With(scenario, setting);
        };
        SimulateEffects(
            vary, 10, [](double) {}, record);
        const auto& effect = EffectOf(record, key);
        ASSERT_TRUE(effect.savedPs) << settings;
        EXPECT_NEAR(*effect.savedPs / effect.SavesPs(BETTER), 1, 0.01) << settings;
    }
}

/* A value of 0 takes no time, whatever flows wait for: others in the NIC of a tree's rank, say. */
TEST_F(ExplanationTest, LetsNoTimeBeOfZero)
{
    for (const std::string settings :
         {"exchange.algorithm=tree cluster.workers=6",
          "exchange.algorithm=tree cluster.workers=6 cluster.latency=0us transport.window=4",
          "exchange.algorithm=switch-tree cluster.latency=0us switch.latency=2us switch.slots=1"})
    {
        const auto record =
            RunExperiment(With(Bare("tensor:1MB"), settings + " simulation.mode=flow"), {});
        for (const auto& effect : record.effects)
        {
            EXPECT_TRUE(effect.value > 0 || effect.ps == 0) << settings << ": " << effect.key;
        }
    }
}

/* A worker computes twice as long as the others, and its link is half as fast: both are keys of its own. */
TEST_F(ExplanationTest, KnowsWorkersOfTheirOwn)
{
    auto scenario = With({}, "training.trace=hdc");
    scenario.cluster.overrides = {{2, 5'000'000'000, 2.0}};
    const auto record = RunExperiment(scenario, {});
    EXPECT_GT(EffectOf(record, "cluster.worker.2.bandwidth").ps, 0);
    EXPECT_GT(EffectOf(record, "cluster.worker.2.compute_scale").ps, 0);
}

/* One frame at a time: each next one waits for the answer to the one before. */
TEST_F(ExplanationTest, TellsWaitsForAnswers)
{
    const auto has = [](const RunRecord& record, const std::string& kind) {
        return std::any_of(record.path.begin(), record.path.end(), [&kind](const auto& row) {
            return row.kind == kind;
        });
    };
    const auto window =
        RunExperiment(With(Bare("tensor:100kB"), "transport.window=1 transport.ack_every=1"), {});
    EXPECT_TRUE(has(window, "window"));
    EXPECT_EQ(window.results.limitedBy, "window");
    const auto slots = RunExperiment(
        With(Bare("tensor:100kB"), "exchange.algorithm=switch-slots switch.slots=1"), {});
    EXPECT_TRUE(has(slots, "slots"));
    EXPECT_EQ(slots.results.limitedBy, "slots");
}

/* Nobody asks: nothing is remembered, and the row says nothing. */
TEST_F(ExplanationTest, IsLeftOut)
{
    const auto record = RunExperiment(With(Bare("tensor:1MB"), "simulation.explain=false"), {});
    EXPECT_TRUE(record.path.empty());
    EXPECT_EQ(record.results.limitedBy + record.results.communicationLimitedBy, "");
}

} // namespace inca
