/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-experiment.h"

#include "experiment/scenario-fixture.h"
#include "record/detail-tables.h"
#include "record/result-row.h"

#include <numeric>

namespace inca
{

class RunExperimentTest : public ScenarioFixture
{
  protected:
    RunExperimentTest()
    {
        scenario = Bare(TwoLayers());
        scenario.training.send = "layer";
    }

    RunRecord Record() const
    {
        return RunExperiment(scenario, {});
    }

    Scenario scenario;
};

/* Every iteration takes 14480.8 ns (simulation-test.cc): 8 samples on each of 2 workers. */
TEST_F(RunExperimentTest, MeansAreOverTheMeasuredIterations)
{
    scenario.training.iterations = 5;
    scenario.simulation.warmup = 2;
    const auto results = Record().results;
    EXPECT_EQ(results.measuredIterations, 3U);
    EXPECT_EQ(results.iterationTimePs, 14'480'800);
    EXPECT_EQ(results.iterationTimeMinPs, 14'480'800);
    EXPECT_EQ(results.iterationTimeP50Ps, 14'480'800);
    EXPECT_EQ(results.iterationTimeP99Ps, 14'480'800);
    EXPECT_EQ(results.shares.TotalPs(), 3 * 14'480'800);
    EXPECT_DOUBLE_EQ(*results.samplesPerSecond, 16 / 14.4808e-6);
    // alone: 2 * (1 + 2) us of compute, and the lower layer's update of 0.5 us; the upper layer's is
    // done while the lower one's backward pass goes on
    EXPECT_DOUBLE_EQ(*results.scalingEfficiency, 6.5 / 14.4808);
}

/* With jitter the iterations differ; of 4, the 2nd shortest is the median (nearest rank) and the
 * longest the 99th percentile; all lie around the mean. */
TEST_F(RunExperimentTest, PercentilesAreIterationsOfTheRun)
{
    scenario.training.jitter = "normal";
    scenario.training.jitterSd = 0.3;
    scenario.training.iterations = 4;
    const auto ends = Run(scenario).seen->iterationEndPs;
    std::vector<std::int64_t> durations(ends.size());
    std::adjacent_difference(ends.begin(), ends.end(), durations.begin());
    std::sort(durations.begin(), durations.end());
    const auto results = Record().results;
    EXPECT_EQ(results.iterationEndsPs, ends);
    EXPECT_EQ(results.iterationTimeMinPs, durations[0]);
    EXPECT_EQ(results.iterationTimeP50Ps, durations[1]);
    EXPECT_EQ(results.iterationTimeP99Ps, durations[3]);
    EXPECT_EQ(results.iterationTimePs, (ends.back() + 2) / 4);
}

/* One tensor of 400 bytes in a ring of 2: X = 4956.8 ns. 3200 bits in that time; busbw is algbw times
 * 2 (N - 1) / N = 1. */
TEST_F(RunExperimentTest, ThroughputsAreOfTheExchangeAlone)
{
    scenario = Bare("tensor:400B");
    const auto results = Record().results;
    EXPECT_EQ(results.exchangeTimePs, 4'956'800);
    EXPECT_DOUBLE_EQ(*results.aggregationThroughputGbps, 3200 / 4956.8);
    EXPECT_DOUBLE_EQ(*results.algbwGbps, 3200 / 4956.8);
    EXPECT_DOUBLE_EQ(*results.busbwGbps, 3200 / 4956.8);
    EXPECT_EQ(results.plainBytes, 800U);
    EXPECT_EQ(results.wireBytes, 4U * (200 + 78) + 4 * 84); // 4 messages, each acknowledged
    EXPECT_EQ(results.achievedRatio, 1.0);
    EXPECT_FALSE(results.scalingEfficiency); // it computes nothing
    EXPECT_FALSE(results.samplesPerSecond);
    EXPECT_FALSE(results.sumErrorMax);
}

/* 16 of 32 bits stay, whatever the values: ratio 2. With values each hop is told, and that a lone
 * tensor's values are assumed. */
TEST_F(RunExperimentTest, RatiosArePerHopOnlyWithValues)
{
    scenario = Bare("tensor:400B");
    scenario.codec.name = "truncate";
    const auto sizes = Record();
    EXPECT_EQ(sizes.results.achievedRatio, 2.0);
    EXPECT_TRUE(sizes.steps.empty());
    EXPECT_TRUE(sizes.warnings.empty());
    scenario.training.values = true;
    const auto values = Record();
    EXPECT_EQ(values.warnings.size(), 1U);
    ASSERT_EQ(values.steps.size(), 2U);
    EXPECT_EQ(values.steps[1].plainBytes, 400U);
    EXPECT_EQ(values.steps[1].wireBytes, 200U);
    EXPECT_TRUE(values.results.sumErrorMax);
}

/* Both workers' frames meet at the port to the aggregator, 278 bytes each: the largest queue of a
 * switch, not the longer one of a NIC that holds what its worker sends. */
TEST_F(RunExperimentTest, TheLargestQueueIsASwitchPorts)
{
    scenario = Bare("tensor:200B");
    scenario.exchange.algorithm = "worker-aggregator";
    EXPECT_EQ(Record().results.largestQueueBytes, 2U * 278);
    // 7 frames per message, of which the NIC holds all at once; at the switch the last, shorter one
    // comes before the one before it has left
    scenario = Bare("tensor:20kB");
    EXPECT_LE(Record().results.largestQueueBytes, 2U * 1538);
}

/* A link row per direction and host; the first one carries worker 0's data and acknowledgements, of which
 * the last leaves when the run has ended. */
TEST_F(RunExperimentTest, LinksTellTheirShareOfTheRun)
{
    scenario = Bare("tensor:400B");
    const auto links = Record().links;
    ASSERT_EQ(links.size(), 4U);
    EXPECT_EQ(links[0].link, "worker 0 -> switch");
    EXPECT_EQ(links[0].frames, 4U);
    EXPECT_EQ(links[0].wireBytes, 2U * 278 + 2 * 84);
    EXPECT_DOUBLE_EQ(links[0].utilisation, 640 * 0.8 / 4956.8);
}

/* The same scenario twice, and after another one that has everything else: the same rows. */
TEST_F(RunExperimentTest, TheSameScenarioGivesTheSameRow)
{
    scenario.training.iterations = 3;
    scenario.training.jitter = "lognormal";
    scenario.training.jitterSd = 0.1;
    const auto first = Record();
    const auto again = Record();

    auto other = Bare("tensor:40kB", 4);
    other.exchange.algorithm = "hierarchical-ring";
    other.exchange.groupSize = 2;
    other.codec.name = "inceptionn";
    other.training.values = true;
    other.host.duplex = "half";
    other.attributes = {{"inca::Link::Delay", "7us"}, {"inca::Transport::Window", "3"}};
    RunExperiment(other, {});
    const auto after = Record();

    EXPECT_EQ(CsvRow(again), CsvRow(first));
    EXPECT_EQ(CsvRow(after), CsvRow(first));
    EXPECT_EQ(LayersCsv(after), LayersCsv(first));
    EXPECT_EQ(LinksCsv(after), LinksCsv(first));
}

/* What is left is estimated anew each time, so that a share may be less than the one before. */
TEST_F(RunExperimentTest, TellsWhichShareOfItsTimeIsOver)
{
    scenario.training.iterations = 50;
    std::vector<double> shares;
    RunExperiment(scenario, [&shares](double share) { shares.push_back(share); });
    EXPECT_GT(shares.size(), 10U);
    EXPECT_GE(*std::min_element(shares.begin(), shares.end()), 0.0);
    EXPECT_LT(*std::max_element(shares.begin(), shares.end()), 1.0);
}

} // namespace inca
