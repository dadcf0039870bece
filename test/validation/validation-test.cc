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
using testing::ThrowsMessage;

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

TEST(ValidationCatalog, FindsWhatItLists)
{
    for (const auto& validation : ValidationCatalog())
    {
        EXPECT_EQ(FindValidation(validation.name).name, validation.name);
        EXPECT_FALSE(validation.models.empty()) << validation.name;
    }
}

/** What is asked for, what must be run for it, and the first and last model of its figures. */
struct AskedCase
{
    const char* validation;
    std::vector<std::string> models;
    std::size_t runs;
    std::string figures;
};

/* inceptionn: 4 systems a model. switch: 1 run and 2 seeds at each of two rates; 3 pools of slots and 3 rings. */
TEST(Validate, RunsThePartsThatAreAskedForInItsOrder)
{
    const std::vector<AskedCase> cases{
        {"inceptionn", {}, 16, "alexnet to vgg-16"},
        {"inceptionn", {"vgg-16", "hdc", "vgg-16"}, 8, "hdc to vgg-16"},
        {"switch", {"switchml", "alexnet-a100"}, 12, "alexnet-a100 to switchml"}};
    for (const auto& [validation, models, runs, figures] : cases)
    {
        FakeRuns fake(AnyResults);
        const auto report = Validate(FindValidation(validation), fake.Request(models));
        EXPECT_EQ(fake.scenarios.size(), runs);
        EXPECT_EQ(report.name, validation);
        EXPECT_EQ(report.comparisons.front().model + " to " + report.comparisons.back().model,
                  figures);
    }
}

/* Four equal runs: the first is half done at 1/8, and ends at 2/8. */
TEST(Validate, ReportsHowFarTheWholeIs)
{
    FakeRuns fake(AnyResults);
    Validate(InceptionnValidation(), fake.Request({"hdc"}));
    EXPECT_THAT(fake.progress, ElementsAre(.125, .25, .375, .5, .625, .75, .875, 1));
}

TEST(Validate, ChangesWhatIsSetInEveryRun)
{
    for (const auto& [name, model] : {std::pair{"inceptionn", "hdc"}, {"switch", "switchml"}})
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

TEST(Validate, RefusesWhatItSetsItselfAndWhatItDoesNotKnow)
{
    FakeRuns fake(AnyResults);
    for (const auto& validation : ValidationCatalog())
    {
        for (const auto& key : validation.fixedKeys)
        {
            const auto request = fake.Request({}, {key + "=4"});
            EXPECT_THAT([&] { Validate(validation, request); },
                        ThrowsMessage<InputError>("--set: " + key +
                                                  ": the validation sets it in every run"));
        }
        const auto request = fake.Request({validation.models.front() + "t"});
        EXPECT_THAT([&] { Validate(validation, request); },
                    ThrowsMessage<InputError>(
                        HasSubstr("did you mean '" + validation.models.front() + "'?")));
    }
    EXPECT_THROW(Validate(InceptionnValidation(), fake.Request({"hdc"}, {"cluster.wrokers=4"})),
                 InputError);
    EXPECT_TRUE(fake.scenarios.empty());
}

} // namespace

} // namespace inca
