/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/validation.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

using testing::Each;
using testing::HasSubstr;
using testing::Not;

/** Remembers what was run; an exchange takes a millisecond, an iteration two. */
class FakeRuns
{
  public:
    ValidationRequest Request(std::vector<std::string> models,
                              std::vector<std::string> settings = {})
    {
        ValidationRequest request;
        request.models = std::move(models);
        request.settings = std::move(settings);
        request.run = [this](const Scenario& scenario, const RunProgress&) {
            traces.push_back(scenario.training.trace);
            latencies.push_back(scenario.cluster.latencyPs);
            RunRecord record;
            record.results.exchangeTimePs = 1'000'000'000;
            record.results.iterationTimePs = 2'000'000'000;
            record.results.iterationEndsPs = {2'000'000'000};
            record.results.shares.communicationPs = 2'000'000'000;
            return record;
        };
        return request;
    }

    std::vector<std::string> traces;
    std::vector<std::int64_t> latencies;
};

TEST(ValidateHomomorphic, SaysFirstThatNothingIsReproduced)
{
    FakeRuns fake;
    const auto report = ValidateHomomorphic(fake.Request({"bytes"}));
    EXPECT_EQ(report.name, "homomorphic");
    EXPECT_THAT(report.title, HasSubstr("PREDICTIONS"));
    EXPECT_THAT(report.title, HasSubstr("nothing here is reproduced"));
    EXPECT_TRUE(fake.traces.empty());
}

/* 192 runs of a model, and 20 of the benchmark behind them. */
TEST(ValidateHomomorphic, RunsThePartsThatAreAskedForInItsOrder)
{
    FakeRuns fake;
    const auto report = ValidateHomomorphic(fake.Request({"benchmark", "bert-base"}));
    ASSERT_EQ(fake.traces.size(), 212U);
    EXPECT_EQ(fake.traces.front(), "bert-base");
    EXPECT_EQ(fake.traces.back(), "tensor:512MiB");
    EXPECT_LT(report.tables.find("\nbert-base"), report.tables.find("\nlargest gains"));
    EXPECT_LT(report.tables.find("\nlargest gains"), report.tables.find("\nbenchmark"));
    EXPECT_THAT(report.tables, Not(HasSubstr("\nratio")));
}

TEST(ValidateHomomorphic, JudgesNoPrediction)
{
    FakeRuns fake;
    const auto report = ValidateHomomorphic(fake.Request({"bert-base", "benchmark", "ratio"}));
    EXPECT_THAT(report.tables, HasSubstr("\nratio"));
    EXPECT_FALSE(report.comparisons.empty());
    for (const auto& figure : report.comparisons)
    {
        EXPECT_FALSE(IsJudged(figure)) << figure.figure;
    }
}

TEST(ValidateHomomorphic, ChangesWhatIsSetInEveryRun)
{
    FakeRuns fake;
    const auto report =
        ValidateHomomorphic(fake.Request({"benchmark", "ratio"}, {"cluster.latency=3us"}));
    EXPECT_THAT(report.title, HasSubstr("\n  with cluster.latency=3us"));
    EXPECT_THAT(fake.latencies, Each(3'000'000));
}

TEST(ValidateHomomorphic, RefusesWhatItSetsItself)
{
    FakeRuns fake;
    for (const auto* setting : {"codec.ratio=4", "training.density=0.1", "cluster.gpus=4"})
    {
        EXPECT_THROW(ValidateHomomorphic(fake.Request({"benchmark"}, {setting})), InputError);
    }
    EXPECT_TRUE(fake.traces.empty());
}

TEST(ValidateHomomorphic, HasFourModelsAndThreeParts)
{
    EXPECT_THAT(
        HomomorphicPartNames(),
        testing::ElementsAre("ncf", "lstm", "vgg-19", "bert-base", "benchmark", "ratio", "bytes"));
}

} // namespace

} // namespace inca
