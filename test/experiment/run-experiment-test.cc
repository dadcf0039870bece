/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// From a scenario to its record: rows, layers, sketches and inputs.
#include "base/errors.h"
#include "experiment/input-checksums.h"
#include "experiment/record-parts.h"
#include "experiment/scenario-fixture.h"
#include "plan/planned-sketches.h"
#include "record/result-row.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <numeric>

namespace inca
{

class RunExperimentTest : public ScenarioFixture
{
  protected:
    static Scenario Of(const std::string& settings)
    {
        return With(Bare(TwoLayers()), "training.send=layer " + settings);
    }

    static RunRecord Record(const Scenario& scenario)
    {
        return RunExperiment(scenario, {});
    }
};

/* Every iteration takes 14980.8 ns (simulation-test.cc): 8 samples on each of 2 workers. */
TEST_F(RunExperimentTest, MeansAreOverTheMeasuredIterations)
{
    const auto results = Record(Of("training.iterations=5 simulation.warmup=2")).results;
    EXPECT_EQ(results.measuredIterations, 3U);
    EXPECT_EQ(results.iterationTimePs, 14'980'800);
    EXPECT_EQ(results.iterationTimeMinPs, 14'980'800);
    EXPECT_EQ(results.iterationTimeP50Ps, 14'980'800);
    EXPECT_EQ(results.iterationTimeP99Ps, 14'980'800);
    EXPECT_EQ(results.shares.TotalPs(), 3 * 14'980'800);
    EXPECT_DOUBLE_EQ(*results.samplesPerSecond, 16 / 14.9808e-6);
    // a worker computes 2 * (1 + 2 + 0.5) us
    EXPECT_DOUBLE_EQ(*results.scalingEfficiency, 7 / 14.9808);
}

/* With jitter the iterations differ; of 4, the 2nd shortest is the median (nearest rank) and the
 * longest the 99th percentile; all lie around the mean. */
TEST_F(RunExperimentTest, PercentilesAreIterationsOfTheRun)
{
    const auto scenario = Of("training.jitter=normal training.jitter_sd=0.3 training.iterations=4");
    const auto ends = Run(scenario).Job().seen->iterationEndPs;
    std::vector<std::int64_t> durations(ends.size());
    std::adjacent_difference(ends.begin(), ends.end(), durations.begin());
    std::sort(durations.begin(), durations.end());
    const auto results = Record(scenario).results;
    EXPECT_EQ(results.iterationEndsPs, ends);
    EXPECT_EQ(results.iterationTimeMinPs, durations[0]);
    EXPECT_EQ(results.iterationTimeP50Ps, durations[1]);
    EXPECT_EQ(results.iterationTimeP99Ps, durations[3]);
    EXPECT_EQ(results.iterationTimePs, (ends.back() + 2) / 4);
}

/* Of 4 GPUs a worker, 3/4 of the 400 bytes take 300 ns before and 300 ns after the exchange, and are of it. busbw is algbw times
 * 2 (n - 1) / n = 7/4 with all 8 GPUs. */
TEST_F(RunExperimentTest, ThroughputsAreOfAllGpus)
{
    const auto results =
        Record(With(Bare("tensor:400B"),
                    "cluster.gpus=4 cluster.gpu_bandwidth=1GBps sparsify.method=threshold "
                    "sparsify.rate=none"))
            .results;
    EXPECT_EQ(results.exchangeTimePs, 4'956'800 + 600'000);
    EXPECT_DOUBLE_EQ(*results.algbwGbps, 3200 / 5556.8);
    EXPECT_DOUBLE_EQ(*results.busbwGbps, 3200 / 5556.8 * 7 / 4);
}

/* One tensor of 400 bytes in a ring of 2: X = 4956.8 ns. 3200 bits in that time; busbw is algbw times
 * 2 (N - 1) / N = 1. */
TEST_F(RunExperimentTest, ThroughputsAreOfTheExchangeAlone)
{
    const auto results = Record(Bare("tensor:400B")).results;
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
    const auto scenario = With(Bare("tensor:400B"), "codec.name=truncate");
    const auto sizes = Record(scenario);
    EXPECT_EQ(sizes.results.achievedRatio, 2.0);
    EXPECT_TRUE(sizes.steps.empty());
    EXPECT_TRUE(sizes.warnings.empty());
    const auto values = Record(With(scenario, "training.values=true"));
    EXPECT_EQ(values.warnings.size(), 1U);
    ASSERT_EQ(values.steps.size(), 2U);
    EXPECT_EQ(values.steps[1].plainBytes, 400U);
    EXPECT_EQ(values.steps[1].wireBytes, 200U);
    EXPECT_TRUE(values.results.sumErrorMax);
}

/* 4 messages of 50 values, each acknowledged (84 bytes). At 8 bits a value they are 50 bytes long, a quarter, and at 64
 * bits 400; 0.1 bits of 50 values are 5 bits, no byte, and their frame is as short as can be, 84 bytes. It is so of any codec,
 * in the NIC or on the host; values that travel are counted, 16 bits each. */
TEST_F(RunExperimentTest, AValueTakesWhatIsGivenWhereOnlySizesTravel)
{
    const std::string onHost =
        "codec.placement=cpu codec.encode_rate=1GBps codec.decode_rate=1GBps ";
    for (const auto& placement : {std::string("codec.placement=nic "), onHost})
    {
        const auto wireBytes = [&](const std::string& settings) {
            return Record(With(Bare("tensor:400B"), placement + settings)).results.wireBytes;
        };
        EXPECT_EQ(wireBytes("codec.name=inceptionn codec.bits_per_value=8"), 4U * (50 + 78 + 84));
        EXPECT_EQ(wireBytes("codec.name=truncate codec.bits_per_value=64"), 4U * (400 + 78 + 84));
        EXPECT_EQ(wireBytes("codec.name=cast codec.bits_per_value=0.1"), 4U * (84 + 84));
        EXPECT_EQ(wireBytes("codec.name=cast codec.bits_per_value=8 training.values=true"),
                  4U * (100 + 78 + 84));
    }
}

/* Both workers' frames meet at the port to the aggregator, 278 bytes each: the largest queue of a
 * switch, not the longer one of a NIC that holds what its worker sends. */
TEST_F(RunExperimentTest, TheLargestQueueIsASwitchPorts)
{
    const auto scenario = With(Bare("tensor:200B"), "exchange.algorithm=worker-aggregator");
    EXPECT_EQ(Record(scenario).results.largestQueueBytes, 2U * 278);
    // 7 frames per message, of which the NIC holds all at once; at the switch the last, shorter one
    // comes before the one before it has left
    EXPECT_LE(Record(Bare("tensor:20kB")).results.largestQueueBytes, 2U * 1538);
}

/* A link row per direction and host; the first one carries worker 0's data and acknowledgements, of which
 * the last leaves when the run has ended. */
TEST_F(RunExperimentTest, LinksTellTheirShareOfTheRun)
{
    const auto links = Record(Bare("tensor:400B")).links;
    ASSERT_EQ(links.size(), 4U);
    EXPECT_EQ(links[0].ends.name, "worker 0 -> switch");
    EXPECT_EQ(links[0].port.frames, 4U);
    EXPECT_EQ(links[0].port.out.wireBytes, 2U * 278 + 2 * 84);
    EXPECT_DOUBLE_EQ(links[0].utilisation, 640 * 0.8 / 4956.8);
}

/* The same scenario twice, and after another one that has everything else: the same rows. */
TEST_F(RunExperimentTest, TheSameScenarioGivesTheSameRow)
{
    const auto scenario =
        Of("training.iterations=3 training.jitter=lognormal training.jitter_sd=0.1");
    const auto first = Record(scenario);
    const auto again = Record(scenario);

    auto other = With(Bare("tensor:40kB", 4),
                      "exchange.algorithm=hierarchical-ring exchange.group_size=2 "
                      "codec.name=inceptionn training.values=true host.duplex=half "
                      "cluster.latency=7us transport.window=3");
    other.attributes = {{"inca::Transport::TxRing", "3"}};
    RunExperiment(other, {});
    const auto after = Record(scenario);

    EXPECT_EQ(CsvRow(again), CsvRow(first));
    EXPECT_EQ(CsvRow(after), CsvRow(first));
    EXPECT_EQ(LayersCsv(after), LayersCsv(first));
    EXPECT_EQ(LinksCsv(after), LinksCsv(first));
}

/* It is told after every 65,536 events: 280,000 frames go over two links each. */
TEST_F(RunExperimentTest, TellsWhichShareOfItsTimeIsOver)
{
    std::vector<double> shares;
    RunExperiment(With(Bare("tensor:200MB"), "simulation.mode=packet"),
                  [&shares](double share) { shares.push_back(share); });
    EXPECT_GT(shares.size(), 2U);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_GE(shares.front(), 0.0);
    EXPECT_LT(shares.back(), 1.0);
}

/* By a preset with two explanations there are three runs alike: the first is over at a third, and all shares ascend to the last. */
TEST_F(RunExperimentTest, TellsHowFarItIsWithTheRunsOfItsRange)
{
    auto scenario = With(Bare("tensor:100MB"), "simulation.mode=packet");
    const Explanation one{"", "sizes", 1, {}, {0, 0, 0, 0, 0, 0}};
    scenario.cluster.calibrated =
        std::make_shared<const CalibratedRange>(CalibratedRange{1, 1U << 30U, {2}, {one, one}});
    EXPECT_EQ(MakePlan(scenario).explained.size(), 2U);
    std::vector<double> shares;
    RunExperiment(scenario, [&shares](double share) { shares.push_back(share); });
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_LT(shares.front(), 1.0 / 3);
    EXPECT_GT(shares.back(), 2.0 / 3);
    EXPECT_LT(shares.back(), 1.0);
}

using LayerRowsTest = ScenarioFixture;

/* Two layers of 100 elements, each exchanged by itself (X = 4956.8 ns, then 67.2 ns): "out" is ready
 * at 4 us, "in" at 6 us, and the exchange of "in" ends at 4 us + 2 X + 67.2 ns. */
TEST_F(LayerRowsTest, TellWhenEachLayersExchangeWentOn)
{
    const auto rows = LayerRows(Run(With(Bare(TwoLayers()), "training.send=layer")));
    ASSERT_EQ(rows.size(), 4U);
    const auto x = RingOfTwoPs(100);
    EXPECT_EQ(rows[0].layer, "in");
    EXPECT_EQ(rows[0].worker, 0U);
    EXPECT_EQ(rows[0].elements, 100U);
    EXPECT_EQ(rows[0].readyPs, 6'000'000);
    EXPECT_EQ(rows[0].startPs, 4'000'000 + x);
    EXPECT_EQ(rows[0].endPs, 4'000'000 + 2 * x + ACK_PS);
    EXPECT_EQ(rows[1].readyPs, 4'000'000);
    EXPECT_EQ(rows[1].startPs, 4'000'000);
    EXPECT_EQ(rows[1].endPs, 4'000'000 + x);
    EXPECT_EQ(rows[3].worker, 1U);
    EXPECT_EQ(rows[3].layer, "out");
    EXPECT_EQ(rows[0].plainBytes, 400U); // two blocks of 200 bytes came
    EXPECT_EQ(rows[1].firstBucket, 1U);
    EXPECT_EQ(rows[0].firstBucket, 2U);
    EXPECT_EQ(rows[0].lastBucket, 2U);
}

/* "out" has tensors of 60 and 40, "in" of 70 and 30: with 160 bytes = 40 elements to the first bucket and
 * 400 = 100 to the others, the buckets are 40, 60 + 30 + 70. "out" (ready at 4 us) lies in both, and its
 * exchange ends with the second, which starts when "in" is ready at 6 us. A ring of two moves 20 elements a
 * hop, then 80. */
TEST_F(LayerRowsTest, ALayerEndsWithTheLastOfItsBuckets)
{
    const auto scenario =
        Bare(WriteTrace("two-tensors",
                        "layer,elements,tensors,forward_ns,backward_ns,update_ns",
                        "in,100,70 30,1000,2000,500\nout,100,60 40,1000,2000,500\n"));
    const auto outcome =
        Run(With(scenario, "exchange.first_bucket_bytes=160B exchange.bucket_bytes=400B"));
    const auto rows = LayerRows(outcome);
    EXPECT_EQ(rows[0].firstBucket, 2U);
    EXPECT_EQ(rows[0].lastBucket, 2U);
    EXPECT_EQ(rows[1].firstBucket, 1U);
    EXPECT_EQ(rows[1].lastBucket, 2U);
    EXPECT_EQ(rows[1].startPs, 4'000'000);
    EXPECT_EQ(rows[0].startPs, std::max<std::int64_t>(6'000'000, 4'000'000 + RingOfTwoPs(40)));
    EXPECT_EQ(rows[0].endPs, rows[1].endPs);
    EXPECT_EQ(rows[0].plainBytes, 400U);
    EXPECT_EQ(rows[1].plainBytes, 400U);
    // Each layer is updated once, when all of it is there: one after the other.
    EXPECT_EQ(outcome.Job().seen->iterationEndPs.back(), rows[0].endPs + 2 * 500'000);
}

/* From the end of backward (6 us) until the last update; "in" is the last, and is needed first, so
 * all of it is its exposure, less two updates of 0.5 us. With priority and without overlap "out" adds
 * what comes after; each waits for its own update, which is no communication. */
TEST_F(LayerRowsTest, ExposuresAddUpToTheCommunicationAfterBackward)
{
    const auto scenario = With(Bare(TwoLayers()), "training.send=layer");
    const auto late = LayerRows(Run(scenario));
    EXPECT_EQ(late[0].exposedCommunicationPs, 14'980'800 - 6'000'000 - 2 * 500'000);
    EXPECT_EQ(late[1].exposedCommunicationPs, 0);

    const auto outcome = Run(
        With(scenario, "training.overlap=false exchange.order=priority training.update=bucket"));
    const auto rows = LayerRows(outcome);
    const auto x = RingOfTwoPs(100);
    EXPECT_EQ(rows[0].exposedCommunicationPs, x);
    EXPECT_EQ(rows[1].exposedCommunicationPs, x + ACK_PS - 500'000);
    EXPECT_EQ(rows[0].exposedCommunicationPs + rows[1].exposedCommunicationPs,
              outcome.Job().seen->iterationEndPs.back() - outcome.Job().seen->backwardEndPs[0] -
                  2 * 500'000);
}

/* One bucket of 200 elements in chunks of 30: what reached a worker (2 (N - 1) / N of 800 bytes, and
 * half of that per layer, truncated to half on the wire) is split by elements and adds up. */
TEST_F(LayerRowsTest, BytesOfSharedChunksAddUp)
{
    const auto rows =
        LayerRows(Run(With(Bare(TwoLayers()), "exchange.chunk_bytes=120B codec.name=truncate")));
    EXPECT_EQ(rows[0].plainBytes + rows[1].plainBytes, 800U);
    EXPECT_EQ(rows[0].wireBytes + rows[1].wireBytes, 400U);
    EXPECT_EQ(rows[0].plainBytes, 400U);
    EXPECT_EQ(rows[0].wireBytes, 200U);
}

namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string>
WarningsOf(const std::vector<PlannedSketch>& sketches, const CountedValues& counted)
{
    Warnings warnings;
    WarnOfDensities(sketches, counted, warnings);
    return TextsOf(warnings);
}

} // namespace

/* 300 rows in 100 counter rows; the largest load, and with it rounds, is the second's; 40 + 60 marked. What was counted
 * goes before what was planned. Of none there is nothing to say, of none that is coded no ratio. */
TEST(SketchResultsOf, SumsExchangesUp)
{
    const auto results = *SketchResultsOf(
        {Sketch(100, 50, 0.5, 40, 1), Sketch(200, 50, 0.75, 60, 2), Uncoded()}, std::nullopt);
    EXPECT_EQ(results.exchanges, 3U);
    EXPECT_EQ(results.coded, 2U);
    EXPECT_EQ(*results.ratio, 3);
    EXPECT_EQ(results.load, 0.75);
    EXPECT_EQ(results.rounds, 7.5);
    EXPECT_EQ(results.markedValues, 100);
    EXPECT_EQ(results.estimatedValues, 3);
    EXPECT_FALSE(results.counted);
    const auto counted = *SketchResultsOf({Sketch(100, 50, 0.5, 40, 1)}, CountedValues{50, 7});
    EXPECT_EQ(counted.markedValues, 50);
    EXPECT_EQ(counted.estimatedValues, 7);
    EXPECT_TRUE(counted.counted);
    EXPECT_FALSE(SketchResultsOf({}, std::nullopt));
    EXPECT_FALSE(SketchResultsOf({Uncoded()}, std::nullopt)->ratio);
}

/* 20000 expected, 10 % off is 2000. Of few, 1000 more or less are nothing to speak of. */
TEST(WarnOfDensities, SaysThatValuesAreOtherwise)
{
    const std::vector<PlannedSketch> sketches{Sketch(100, 50, 0.5, 20000, 0)};
    EXPECT_THAT(WarningsOf(sketches, CountedValues{22000, 0}), IsEmpty());
    EXPECT_THAT(WarningsOf(sketches, CountedValues{22001, 0}),
                ElementsAre(testing::HasSubstr("have 22001 set positions")));
    EXPECT_THAT(WarningsOf({Sketch(100, 50, 0.5, 100, 0)}, CountedValues{1100, 0}), IsEmpty());
}

/* CRC-32's check value is that of "123456789"; nothing at all has 0. A file of all workers is read once, and none where
 * there are no values. */
TEST(InputChecksums, AreOfTheTraceAndOfEveryFileOfValues)
{
    const auto folder = testing::TempDir() + "inputs-" + std::to_string(getpid()) + "-";
    std::ofstream(folder + "values-0") << "123456789";
    std::ofstream(folder + "values-1") << "";
    auto scenario = With({}, "training.trace=some.csv training.values=true cluster.workers=2");
    GradientTrace trace;
    trace.checksum = 7;
    scenario.training.valuesFile = folder + "values-{worker}";
    const auto inputs = InputChecksums(scenario, trace);
    ASSERT_EQ(inputs.size(), 3U);
    EXPECT_EQ(inputs[0].path, "some.csv");
    EXPECT_EQ(inputs[0].crc32, 7U);
    EXPECT_EQ(inputs[1].path, folder + "values-0");
    EXPECT_EQ(inputs[1].crc32, 0xCBF43926U);
    EXPECT_EQ(inputs[2].crc32, 0U);
    scenario.training.valuesFile = folder + "values-0";
    EXPECT_EQ(InputChecksums(scenario, trace).size(), 2U);
    scenario.training.valuesFile = folder + "no-such-values";
    EXPECT_THROW(InputChecksums(scenario, trace), InputError);
    scenario.training.values = false;
    EXPECT_EQ(InputChecksums(scenario, trace).size(), 1U);
}

} // namespace inca
