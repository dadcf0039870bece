/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/baselines.h"

#include "base/errors.h"
#include "experiment/run-experiment.h"
#include "sweep/compressing-scenario.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

namespace inca
{

namespace
{

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RunRecord
RunWithGains(const Settings& settings)
{
    const auto scenario = With(settings);
    auto record = RunExperiment(scenario, {});
    BaselineRuns().AddGainsTo(record, scenario);
    return record;
}

/** What each candidate takes. (ps) */
std::map<std::string, std::int64_t>
TimesOfAll(const Scenario& scenario, RunKind kind)
{
    std::map<std::string, std::int64_t> times;
    for (const auto& candidate : BaselineCandidates(scenario, kind))
    {
        times[candidate.exchange.algorithm] = RunExperiment(candidate, {}).results.iterationTimePs;
    }
    return times;
}

} // namespace

/* Bounds say what need not be run; what is found is the same. */
TEST(Baselines, AreTheFastestOfAllCandidates)
{
    for (const auto& settings : std::vector<Settings>{
             {"codec.name=truncate"},
             {"codec.name=truncate", "cluster.workers=6", "cluster.latency=50us"},
             {"codec.name=cast", "cluster.workers=8", "training.trace=tensor:2kB"},
             {"codec.name=inceptionn",
              "codec.bound=2^-8",
              "training.trace=hdc",
              "exchange.algorithm=worker-aggregator",
              "cluster.bandwidth=1Gbps"},
             {"codec.name=truncate",
              "exchange.algorithm=sharded-parameter-server",
              "cluster.workers=5",
              "host.message_cost=20us"}})
    {
        const auto scenario = With(settings);
        for (const auto kind : BASELINE_KINDS)
        {
            const auto found = RunOf(scenario, kind, {});
            const auto times = TimesOfAll(scenario, kind);
            const auto least =
                std::min_element(times.begin(), times.end(), [](const auto& a, const auto& b) {
                    return a.second < b.second;
                });
            EXPECT_EQ(found.results.iterationTimePs, least->second);
            EXPECT_EQ(times.at(found.results.gain->over), least->second);
            EXPECT_THAT(found.warnings, IsEmpty());
        }
    }
}

/* 2 workers exchange halves of 10 MB twice, whichever exchange: all that takes time is frames. Of 1538 bytes on the
 * wire 1460 are payload, of which truncation leaves half: 808 are left. There is one acknowledgement of 84 bytes in
 * the way of 16 frames at most, and what is left, a frame here and there of 3,425, is below 0.1 %. With gradients of 16
 * bits there are half as many frames of 1538. */
TEST(Baselines, GiveTheGainsOfClosedForms)
{
    const auto record = RunWithGains({"training.trace=tensor:10MB",
                                      "cluster.workers=2",
                                      "cluster.latency=0ns",
                                      "codec.name=truncate",
                                      "codec.drop_bits=16"});
    constexpr double ack = 84.0 / 16;
    constexpr double rest = 0.001;
    const auto& gain = record.results.gain.value();
    EXPECT_GT(gain.times, 1538 / (808 + ack) * (1 - rest));
    EXPECT_LT(gain.times, (1538 + ack) / 808 * (1 + rest));
    const auto& gain16Bit = record.results.gain16Bit.value();
    EXPECT_GT(gain16Bit.times, 1538 / (808 + ack) / 2 * (1 - rest));
    EXPECT_LT(gain16Bit.times, (1538 + ack) / 808 / 2 * (1 + rest));
}

TEST(Baselines, OfGradientsOf16BitsAreTheSame)
{
    const auto record = RunWithGains({"codec.name=truncate", "training.trace=gpt2-small-a100"});
    EXPECT_EQ(record.results.gain.value().times, record.results.gain16Bit.value().times);
    EXPECT_EQ(record.results.gain->over, record.results.gain16Bit->over);
    const auto keys = KeysOf({"codec.name=inceptionn", "training.gradient_type=bf16"});
    EXPECT_EQ(keys[0], keys[1]);
}

TEST(Baselines, AreThereForWhatCompresses)
{
    EXPECT_TRUE(HasBaselines(With({"codec.name=truncate"})));
    EXPECT_TRUE(HasBaselines(With({"sparsify.method=top-k"})));
    EXPECT_FALSE(HasBaselines(With({})));
    EXPECT_FALSE(
        HasBaselines(With({"codec.name=truncate", "simulation.max_baseline_cpu_time=none"})));
    EXPECT_THAT(KeysOf({}), Each(""));
    const auto record =
        RunWithGains({"codec.name=truncate", "simulation.max_baseline_cpu_time=none"});
    EXPECT_FALSE(record.results.gain);
    EXPECT_FALSE(record.results.gain16Bit);
}

/* Neither type of gradients can be simulated. */
TEST(BaselineRuns, SayOnceWhyThereIsNone)
{
    RunRecord record;
    record.results.iterationTimePs = 1;
    BaselineRuns().AddGainsTo(record, With({"codec.name=truncate", "simulation.max_cpu_time=1ps"}));
    EXPECT_FALSE(record.results.gain);
    EXPECT_FALSE(record.results.gain16Bit);
    ASSERT_EQ(record.warnings.size(), 1U);
    EXPECT_THAT(record.warnings[0],
                testing::StartsWith("gain: nothing uncompressed is there to compare with: ring: "));
}

/* Of all that take too long the one that takes least is tried, so that there is a gain. */
TEST(BaselineRuns, TryOneAtLeast)
{
    const Settings settings{"codec.name=truncate", "simulation.max_baseline_cpu_time=1ps"};
    const auto scenario = With(settings);
    std::string least;
    double leastSeconds = 0;
    for (const auto& candidate : BaselineCandidates(scenario, RunKind::BASELINE))
    {
        const auto seconds = CostOfRun(candidate, RunKind::ITSELF).cpuSeconds;
        if (least.empty() || seconds < leastSeconds)
        {
            least = candidate.exchange.algorithm;
            leastSeconds = seconds;
        }
    }
    const auto record = RunWithGains(settings);
    EXPECT_EQ(record.results.gain->over, least);
    EXPECT_EQ(CostOfRun(scenario, RunKind::BASELINE).cpuSeconds, leastSeconds);
    for (const auto& warning : record.warnings)
    {
        EXPECT_THAT(warning,
                    HasSubstr("take more CPU time than simulation.max_baseline_cpu_time (1ps)"));
    }
}

/* A result that goes through rows and stores has the gains of one that does not. */
TEST(AddGains, SaysInRowsWhatItSaysInRecords)
{
    const Settings settings{"codec.name=truncate", "exchange.algorithm=worker-aggregator"};
    const auto scenario = With(settings);
    auto result = DoneResult(RunExperiment(scenario, {}));
    BaselineResults baselines;
    for (std::size_t i = 0; i < baselines.size(); ++i)
    {
        baselines[i] = DoneResult(RunOf(scenario, BASELINE_KINDS[i], {}));
    }
    AddGains(baselines, result);
    const auto record = RunWithGains(settings);
    EXPECT_EQ(CsvRow(result.results), CsvRow(ResultCells(record)));
    EXPECT_EQ(result.warnings, record.warnings);
    EXPECT_EQ(CellText(result.results, "gain_baseline"), record.results.gain->over);
}

TEST(AddGains, LeavesAResultThatIsNotDone)
{
    auto refused = ResultWithout(PointStatus::REFUSED, "why", With({}));
    const auto before = CsvRow(refused.results);
    AddGains({DoneResult(RunExperiment(With({}), {})), std::nullopt}, refused);
    EXPECT_EQ(CsvRow(refused.results), before);
    EXPECT_THAT(refused.warnings, ElementsAre("why"));
}

} // namespace inca
