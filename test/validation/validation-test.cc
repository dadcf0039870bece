/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/validation.h"

#include "base/errors.h"
#include "validation-fixture.h"

#include <gmock/gmock.h>

#include <cstdint>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

/** A second of communication; an exchange takes a millisecond, iterations end 100 ms after each other. */
RunResults
AnyResults(const Scenario& scenario)
{
    RunResults results;
    results.shares.communicationPs = 1'000'000'000'000;
    results.exchangeTimePs = 1'000'000'000;
    for (std::int64_t i = 1; i <= 10; ++i)
    {
        const auto seed = static_cast<std::int64_t>(scenario.simulation.seed);
        results.iterationEndsPs.push_back(i * 100'000'000'000 + seed);
    }
    return results;
}

std::string
ErrorOfCall(const std::function<void()>& call)
{
    try
    {
        call();
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "no error";
}

TEST(ValidationCatalog, FindsWhatItLists)
{
    for (const auto& validation : ValidationCatalog())
    {
        EXPECT_EQ(FindValidation(validation.name).name, validation.name);
        EXPECT_FALSE(validation.models.empty()) << validation.name;
    }
    EXPECT_THAT(ErrorOfCall([] { FindValidation("inception"); }),
                HasSubstr("unknown 'inception'; did you mean 'inceptionn'?"));
}

TEST(ChosenModels, KeepTheKnownOrderAndStandOnce)
{
    EXPECT_THAT(ChosenModels({}, {"b", "a", "c"}), ElementsAre("b", "a", "c"));
    EXPECT_THAT(ChosenModels({"c", "b", "c"}, {"b", "a", "c"}), ElementsAre("b", "c"));
}

/** What is asked for, and what must be run for it. */
struct AskedCase
{
    const char* validation;
    std::vector<std::string> models;
    std::size_t runs;
    const char* firstTrace;
    const char* lastTrace;
    const char* firstModel; ///< of the figures
    const char* lastModel;
};

class ValidateTest : public testing::TestWithParam<AskedCase>
{
};

TEST_P(ValidateTest, RunsThePartsThatAreAskedForInItsOrder)
{
    const auto& asked = GetParam();
    FakeRuns fake(AnyResults);
    const auto report = Validate(FindValidation(asked.validation), fake.Request(asked.models));
    ASSERT_EQ(fake.scenarios.size(), asked.runs);
    EXPECT_EQ(fake.scenarios.front().training.trace, asked.firstTrace);
    EXPECT_EQ(fake.scenarios.back().training.trace, asked.lastTrace);
    EXPECT_EQ(report.name, asked.validation);
    EXPECT_EQ(report.comparisons.front().model, asked.firstModel);
    EXPECT_EQ(report.comparisons.back().model, asked.lastModel);
}

/* inceptionn: 4 systems a model. switch: twice 1 run without a reference, twice 1 + 2 seeds with one; 4 line
 * rates, then 3 pools of slots and 3 rings. */
INSTANTIATE_TEST_SUITE_P(
    All,
    ValidateTest,
    testing::Values(AskedCase{"inceptionn", {}, 16, "alexnet", "vgg-16", "alexnet", "vgg-16"},
                    AskedCase{"inceptionn", {"vgg-16", "hdc"}, 8, "hdc", "vgg-16", "hdc", "vgg-16"},
                    AskedCase{"switch",
                              {"googlenet-a100", "alexnet-a100"},
                              8,
                              "alexnet-a100",
                              "googlenet-a100",
                              "alexnet-a100",
                              "googlenet-a100"},
                    AskedCase{"switch",
                              {"switchml", "line-rate"},
                              10,
                              "tensor:40960000B",
                              "tensor:40960000B",
                              "line-rate",
                              "switchml"}));

/* Four equal runs: the first is half done at 1/8, and ends at 2/8. */
TEST(Validate, ReportsHowFarTheWholeIs)
{
    FakeRuns fake(AnyResults);
    Validate(InceptionnValidation(), fake.Request({"hdc"}));
    EXPECT_THAT(fake.progress, ElementsAre(.125, .25, .375, .5, .625, .75, .875, 1));
}

TEST(Validate, ChangesWhatIsSetInEveryRun)
{
    for (const auto& [name, model] : {std::pair{"inceptionn", "hdc"}, {"switch", "line-rate"}})
    {
        FakeRuns fake(AnyResults);
        const auto report =
            Validate(FindValidation(name), fake.Request({model}, {"cluster.latency=3us"}));
        EXPECT_THAT(report.title,
                    EndsWith("\n  with cluster.latency=3us\n  with simulation.mode=auto"));
        EXPECT_FALSE(fake.scenarios.empty());
        for (const auto& scenario : fake.scenarios)
        {
            EXPECT_EQ(scenario.cluster.latencyPs, 3'000'000) << name;
        }
    }
}

TEST(Validate, NamesTheSweepOfWhatIsComparedWithNothing)
{
    FakeRuns fake(AnyResults);
    const auto request = fake.Request({"lstm"});
    EXPECT_THAT(ErrorOfCall([&] { Validate(HomomorphicValidation(), request); }),
                HasSubstr("`inca sweep examples/homomorphic/models.toml`"));
}

TEST(Validate, RefusesWhatItSetsItselfAndWhatItDoesNotKnow)
{
    FakeRuns fake(AnyResults);
    for (const auto& validation : ValidationCatalog())
    {
        for (const auto& key : validation.fixedKeys)
        {
            const auto request = fake.Request({}, {key + "=4"});
            EXPECT_EQ(ErrorOfCall([&] { Validate(validation, request); }),
                      "--set: " + key + ": the validation sets it in every run");
        }
        const auto request = fake.Request({validation.models.front() + "t"});
        EXPECT_THAT(ErrorOfCall([&] { Validate(validation, request); }),
                    HasSubstr("did you mean '" + validation.models.front() + "'?"));
    }
    EXPECT_THROW(Validate(InceptionnValidation(), fake.Request({"hdc"}, {"cluster.wrokers=4"})),
                 InputError);
    EXPECT_TRUE(fake.scenarios.empty());
}

} // namespace

} // namespace inca
