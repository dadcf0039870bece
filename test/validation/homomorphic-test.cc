/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-scheme.h"
#include "validation-fixture.h"
#include "validation/homomorphic.h"
#include "validation/switch.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>

namespace inca
{

namespace
{

using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t g_psPerMs = 1'000'000'000;
constexpr std::int64_t g_psPerSecond = 1'000 * g_psPerMs;

TEST(HomomorphicScenarios, AreWhatTheReaderTakes)
{
    for (const auto* exchange : g_homomorphicExchanges)
    {
        const ModelNetwork network{"ncf", exchange, 25};
        for (const bool overlap : {false, true})
        {
            ExpectReadAsMade(ModelBaseline(network, overlap));
            for (const auto& sparsity : HomomorphicSparsities())
            {
                ExpectReadAsMade(ModelCompressed(network, sparsity, overlap));
            }
        }
    }
    ExpectReadAsMade(BenchmarkBaseline(40));
    for (const auto& setup : BenchmarkSetups())
    {
        ExpectReadAsMade(BenchmarkCompressed(setup, 8));
    }
}

/* The example's GPUs add at host.sum_rate; the validation's hosts cost nothing. */
TEST(HomomorphicScenarios, BenchmarkIsWhatTheExampleSaysButForHosts)
{
    auto example =
        ReadScenario(INCA_SOURCE_DIR "/examples/homomorphic/benchmark.toml", {}).scenario;
    example.host.sumBytesPerSecond = 0;
    EXPECT_EQ(SettingsText(example),
              SettingsText(BenchmarkCompressed({"bits-4", "dependent", 100}, 10)));
}

/* 2229 values and headers are 8998 on the wire. */
TEST(HomomorphicScenarios, FillJumboFramesAndSayTheirSparsity)
{
    const auto slots = ModelBaseline({"lstm", "switch-slots", 100}, true);
    EXPECT_EQ(slots.cluster.mtu, 9000U);
    EXPECT_EQ(SlotFrameBytes(ReadSlotSettings(slots.aggregation).valuesPerPacket), 8998U);
    const auto& sparsities = HomomorphicSparsities();
    ASSERT_EQ(sparsities.size(), 5U);
    const auto natural = ModelCompressed({"lstm", "ring", 10}, sparsities[0], true);
    EXPECT_FALSE(natural.training.density.has_value());
    EXPECT_EQ(natural.training.unionExponent, 1.0);
    const auto sparse = ModelCompressed({"lstm", "ring", 10}, sparsities[3], true);
    EXPECT_EQ(sparse.training.density, 0.05);
    EXPECT_EQ(sparse.training.unionExponent, 0.0);
    EXPECT_FALSE(sparse.codec.ratio.has_value()) << "the safe one";
    EXPECT_EQ(ModelCompressed({"lstm", "ring", 10}, sparsities[4], true).codec.ratio, 10.0);
}

/* 1 bit: 4 / (1/8 + 4/r) = 6.33 => r = 4 / (4/6.33 - 1/8) = 7.891; 4 bits: 4 / (4/6.33 - 1/2) = 30.32.
 * Counter rows are whole: 131,072 rows at 30 are 4369.07, so a row more or less is 0.02 %. An index of 4 bits
 * alone is an eighth of the values. */
TEST(RatioByBytes, SolvesIndexAndCounters)
{
    EXPECT_NEAR(RatioByBytes("bits-1", 6.33).value(), 7.891, 0.002);
    EXPECT_NEAR(RatioByBytes("bits-4", 6.33).value(), 30.32, 0.01);
    EXPECT_TRUE(RatioByBytes("bits-4", 7.9).has_value());
    EXPECT_FALSE(RatioByBytes("bits-4", 8.1).has_value());
}

/* 2^27 values are 131,072 rows: at ratio 10 13,108 counter rows (131,072 / 10 = 13,107.2) of 1024, and
 * 2^27 / 8 index words of 4 bits. Load: 0.05 x 131,072 / 13,108 = 0.49997. */
TEST(SketchesOf, CountTheBenchmark)
{
    const auto sketches = SketchesOf(BenchmarkCompressed({"bits-4", "dependent", 10}, 10));
    constexpr std::uint64_t values = 1ULL << 27U;
    EXPECT_EQ(sketches.values, values);
    EXPECT_EQ(sketches.indexWords, values / 8);
    EXPECT_EQ(sketches.otherWords, 13'108U * 1024U);
    EXPECT_NEAR(sketches.load, 0.49997, 1e-5);
    EXPECT_NEAR(sketches.ratio.value(), 131'072.0 / 13'108, 1e-9);
    EXPECT_LT(sketches.estimatedShare, 1e-3);
    const double words = 131'072.0 * 128 + 13'108.0 * 1024;
    EXPECT_DOUBLE_EQ(sketches.Reduction(), static_cast<double>(values) / words);
    EXPECT_DOUBLE_EQ(sketches.IndexShare(), 131'072.0 * 128 / words);
}

/* VGG-19: 68 % set in each of four workers leave 1 % zeros in their union; no ratio is safe. */
TEST(SketchesOf, LeaveDenseUnionsUncoded)
{
    const auto sketches = SketchesOf(ModelCompressed({"vgg-19", "ring", 10}, {{}, false}, true));
    EXPECT_FALSE(sketches.ratio.has_value());
    EXPECT_EQ(sketches.indexWords, 0U);
    EXPECT_EQ(sketches.otherWords, sketches.values);
    EXPECT_EQ(sketches.Reduction(), 1);
    EXPECT_EQ(sketches.estimatedShare, 0);
}

/* Seven parts that tell each other apart: compute 1 + 2 + 32, rounds 8, hosts 4 + 16, communication 64. A third
 * of 64 is 21.3: what rounding takes from one it gives the other. */
TEST(PartsOf, AddUpToTheShares)
{
    TimeShares shares;
    shares.forwardPs = 1;
    shares.backwardPs = 2;
    shares.copyPs = 4;
    shares.codecPs = 8;
    shares.sumPs = 16;
    shares.updatePs = 32;
    shares.communicationPs = 64;
    EXPECT_EQ(PartsOf(shares, 0.25), (HomomorphicParts{35, 8, 16, 48, 20}));
    EXPECT_EQ(PartsOf(shares, 1.0 / 3), (HomomorphicParts{35, 8, 21, 43, 20}));
}

TEST(LargestPart, IsTheFirstOfEqualOnes)
{
    EXPECT_STREQ(LargestPart({2, 2, 2, 2, 2}), "compute");
    EXPECT_STREQ(LargestPart({1, 2, 2, 2, 1}), "rounds");
    EXPECT_STREQ(LargestPart({4, 3, 5, 2, 1}), "index");
    EXPECT_STREQ(LargestPart({4, 3, 2, 5, 1}), "density");
    EXPECT_STREQ(LargestPart({4, 3, 2, 1, 5}), "hosts");
}

/**
 * Exchanges alone take 1 s, or 0.2 s where they are compressed; iterations that overlap with them 3 s and
 * 2 s. The other times, 9 s, must not show.
 */
RunResults
ModelResults(const Scenario& scenario)
{
    const bool coded = scenario.codec.name == "homomorphic";
    RunResults results;
    results.exchangeTimePs = 9 * g_psPerSecond;
    results.iterationEndsPs = {9 * g_psPerSecond};
    results.shares.communicationPs = 1000;
    if (scenario.training.overlap)
    {
        results.iterationEndsPs = {(coded ? 2 : 3) * g_psPerSecond};
        results.shares.forwardPs = 5000;
    }
    else
    {
        results.exchangeTimePs = coded ? g_psPerSecond / 5 : g_psPerSecond;
        results.shares.codecPs = 3000;
    }
    return results;
}

/* BERT-base has 109,482,240 values: 3.5034 Gbit. Each of 80 predictions has nine numbers, and five parts of an
 * exchange and of an iteration, which add up to 100 %. */
TEST(ValidateHomomorphic, PutsEachModelBesideItsBaseline)
{
    FakeRuns fake(ModelResults);
    const auto report = Validate(HomomorphicValidation(), fake.Request({"bert-base"}));
    const auto& figures = report.comparisons;
    ASSERT_EQ(figures.size(), 80U * 19U);
    const auto value = [&figures](const std::string& figure) {
        return FindFigure(figures, "ring at 25 Gb/s", figure + ", density 0.05, identical")
            .predicted;
    };
    EXPECT_NEAR(value("throughput uncompressed"), 3.5034, 1e-4);
    EXPECT_DOUBLE_EQ(value("throughput gain"), 5);
    EXPECT_DOUBLE_EQ(value("iteration uncompressed"), 3);
    EXPECT_DOUBLE_EQ(value("iteration gain"), 1.5);
    EXPECT_DOUBLE_EQ(value("exchange: rounds"), 75);
    EXPECT_DOUBLE_EQ(value("exchange: compute"), 0);
    EXPECT_NEAR(value("exchange: index") + value("exchange: density"), 25, 1e-9);
    EXPECT_NEAR(value("iteration: compute"), 100 * 5.0 / 6, 1e-9);
    EXPECT_EQ(figures.front().figure, "throughput uncompressed, natural density, independent");
    EXPECT_EQ(figures.back().figure, "iteration: hosts, density 0.05, identical, ratio 10");
    EXPECT_EQ(figures.back().system, "switch-slots at 100 Gb/s");
    for (const auto& figure : figures)
    {
        EXPECT_TRUE(figure.onlyInCsv && !figure.published) << figure.figure;
    }
    EXPECT_LT(report.tables.find("\nbert-base"), report.tables.find("\nlargest gains"));
    EXPECT_THAT(report.tables, Not(HasSubstr("\nbenchmark")));
    EXPECT_THAT(report.tables, HasSubstr("  1.50x  compute"));
    EXPECT_THAT(report.title, HasSubstr("nothing here is reproduced"));
}

/** Uncompressed exchanges take as many ms as their rate has Gb/s, compressed ones 1 ms; 10 ms in front. */
RunResults
BenchmarkResults(const Scenario& scenario)
{
    const auto rate = static_cast<std::int64_t>(scenario.cluster.bitsPerSecond / 1'000'000'000);
    const auto ms = scenario.codec.name == "none" ? rate : 1;
    RunResults results;
    results.exchangeTimePs = ms * g_psPerMs;
    results.iterationTimePs = (ms + 10) * g_psPerMs;
    results.iterationEndsPs = {(ms + 10) * g_psPerMs};
    results.shares.copyPs = 10 * g_psPerMs;
    results.shares.communicationPs = ms * g_psPerMs;
    return results;
}

/* A gain is the rate's number of ms over 1 ms; of the whole (rate + 10) / 11. 4 bits of index are 1/2 byte a
 * value, counters 0.4: the index is more. 1 bit is 1/8. The 16 set-ups are of 4 rates,
 * each with a baseline. */
TEST(ValidateHomomorphic, PutsTheBenchmarkBesideItsRatesBaseline)
{
    FakeRuns fake(BenchmarkResults);
    const auto report = Validate(HomomorphicValidation(), fake.Request({"benchmark"}));
    EXPECT_EQ(fake.scenarios.size(), 20U);
    ASSERT_EQ(report.comparisons.size(), 16U * 8U);
    for (const auto rate : g_homomorphicRates)
    {
        for (const std::string setup : {"bits-4, dependent", "bits-1, overlapped"})
        {
            const auto system = std::to_string(rate) + " Gb/s";
            const auto& gain = FindFigure(report.comparisons, system, "throughput gain, " + setup);
            EXPECT_NEAR(gain.predicted, static_cast<double>(rate), 1e-9);
            EXPECT_EQ(gain.model, "benchmark");
            const auto& whole = FindFigure(report.comparisons, system, "whole gain, " + setup);
            EXPECT_NEAR(whole.predicted, (static_cast<double>(rate) + 10) / 11, 1e-9);
        }
    }
    EXPECT_THAT(report.tables, HasSubstr("x  index "));
    EXPECT_THAT(report.tables, HasSubstr("x  density "));
}

/** The ratio part where an exchange's time follows bytes per value: 4 of an uncompressed one. */
ValidationReport
FindRatios(std::function<double(const Scenario&)> bytesPerValue,
           std::vector<double>* shares = nullptr)
{
    FakeRuns fake([bytesPerValue = std::move(bytesPerValue)](const Scenario& scenario) {
        const double bytes = scenario.codec.name == "none" ? 4 : bytesPerValue(scenario);
        RunResults results;
        results.exchangeTimePs = std::llround(1e12 * bytes / 4);
        results.iterationEndsPs = {*results.exchangeTimePs};
        return results;
    });
    auto report = Validate(HomomorphicValidation(), fake.Request({"ratio"}));
    if (shares != nullptr)
    {
        *shares = fake.progress;
    }
    return report;
}

/* By bytes alone 6.33 is reached at 7.891 and 30.32, as RatioByBytes says. Halving 7..8 and 20..32 ten times
 * leaves 0.001 and 0.012, and the ratio found is the upper end. The load is 0.05 x ratio: 15.5 is the largest
 * ratio that is run below 0.78. */
TEST(ValidateHomomorphic, FindsTheRatioThatReachesTheClaim)
{
    std::vector<double> shares;
    const auto report = FindRatios(
        [](const Scenario& scenario) {
            return (scenario.codec.index == "bits-4" ? 0.5 : 0.125) + 4 / *scenario.codec.ratio;
        },
        &shares);
    ASSERT_EQ(report.comparisons.size(), 16U * 5U);
    for (const auto& setup : BenchmarkSetups())
    {
        const auto value = [&](const std::string& figure) {
            return FindFigure(report.comparisons,
                              std::to_string(setup.gigabitsPerSecond) + " Gb/s",
                              figure + ", " + setup.index + ", " + setup.rounds)
                .predicted;
        };
        const bool nibbles = setup.index == "bits-4";
        EXPECT_NEAR(
            value("ratio that reaches 6.33x"), nibbles ? 30.32 : 7.891, nibbles ? 0.015 : 0.0015);
        EXPECT_GE(value("throughput gain"), 6.33);
        EXPECT_EQ(value("its ratio"), 15.5);
    }
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_NEAR(shares.back(), 1, 0.05);
}

/* A time that is shortest at ratio 9: bytes fall until there, and rise again. */
TEST(ValidateHomomorphic, SaysTheBestRatioWhereNoneReachesTheClaim)
{
    const auto report = FindRatios(
        [](const Scenario& scenario) { return 1 + std::abs(*scenario.codec.ratio - 9); });
    EXPECT_EQ(report.comparisons[0].figure, "ratio of the largest gain, bits-4, dependent");
    EXPECT_EQ(report.comparisons[0].predicted, 9);
    EXPECT_DOUBLE_EQ(report.comparisons[1].predicted, 4);
    EXPECT_THAT(report.tables, HasSubstr("not, best"));
}

/* Two ratios, then each model with the reported zeros, then each as in its trace: not judged. */
TEST(ValidateHomomorphic, JudgesBytesAloneAndNoTrace)
{
    FakeRuns fake(ModelResults);
    const auto figures = Validate(HomomorphicValidation(), fake.Request({"bytes"})).comparisons;
    EXPECT_TRUE(fake.scenarios.empty());
    ASSERT_EQ(figures.size(), 10U);
    for (std::size_t i = 0; i < figures.size(); ++i)
    {
        EXPECT_EQ(IsJudged(figures[i]), i < 6) << figures[i].figure;
        EXPECT_FALSE(Misses(figures[i])) << figures[i].figure;
        EXPECT_EQ(figures[i].published->publishedClass, PublishedClass::DERIVED);
    }
}

/** From 10 to 20 Gb/s, and from 3 s to 1.5 s: gains of 2; a quarter of the bytes are the index's. */
HomomorphicPrediction
Twice()
{
    HomomorphicPrediction twice;
    twice.model = "ncf";
    twice.system = "ring at 10 Gb/s";
    twice.variant = "natural density, independent";
    twice.rowHead = "    natural  independent    7.25";
    twice.asked = 8.5;
    twice.plainGbps = 10;
    twice.codedGbps = 20;
    twice.plainSeconds = 3;
    twice.codedSeconds = 1.5;
    twice.exchangeParts = {0, 1, 0, 0, 0};
    twice.iterationParts = {1, 0, 0, 0, 0};
    twice.sketches.load = 0.5;
    twice.sketches.estimatedShare = 0.00125;
    twice.sketches.values = 200;
    twice.sketches.indexWords = 25;
    twice.sketches.otherWords = 75;
    return twice;
}

/** 4 times as fast. */
HomomorphicPrediction
Faster()
{
    auto faster = Twice();
    faster.variant = "density 0.05, identical";
    faster.rowHead = "    0.05     identical         -";
    faster.codedGbps = 80;
    faster.codedSeconds = 0.375;
    faster.exchangeParts = {0, 0, 0, 1, 0};
    return faster;
}

TEST(ModelTable, HasALinePerSparsityUnderItsBaseline)
{
    EXPECT_EQ(ModelTable({Twice(), Faster()}), R"(
ncf (predicted; 4 workers, 1-bit index; largest safe ratio, then ratio 10)
    density  positions     ratio  bytes     Gb/s   gain  limit          ms   gain  limit   estimated
  ring at 10 Gb/s: uncompressed 10.00 Gb/s, 3000.00 ms
    natural  independent    7.25  2.00x    20.00  2.00x  rounds    1500.00  2.00x  compute   0.125 %
    0.05     identical         -  2.00x    80.00  8.00x  density    375.00  8.00x  compute   0.125 %
)");
}

TEST(BestText, PutsTheLargestGainsBesideThePapers)
{
    EXPECT_EQ(BestText({Twice(), Faster()}), R"(
largest gains above
  throughput 8.00x: ncf, ring at 10 Gb/s, density 0.05, identical
             the paper: up to 6.33x; 1 of 2 are as large or larger
  iteration  8.00x: ncf, ring at 10 Gb/s, density 0.05, identical
             the paper: up to 3.74x; 1 of 2 are as large or larger
  limits of throughput: rounds 1, density 1
  limits of iterations: compute 2
)");
}

TEST(RatioTable, TellsReachedFromBest)
{
    auto at = Twice();
    at.rowHead = "  bits-1 overlapped   25";
    EXPECT_EQ(RatioTable({{true, at, at}, {false, at, at}}), R"(
ratio (predicted; where the benchmark's throughput gain reaches the paper's 6.33x)
  index  rounds     rate            at ratio    gain   load   estimated  largest at load < 0.78
  bits-1 overlapped   25                8.50   2.00x   0.50     0.125 %      2.00x at 8.5
  bits-1 overlapped   25  not, best     8.50   2.00x   0.50     0.125 %      2.00x at 8.5
)");
}

} // namespace

} // namespace inca
