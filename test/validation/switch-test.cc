/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation-fixture.h"

#include <gmock/gmock.h>

#include <cmath>

namespace inca
{

namespace
{

std::vector<Comparison>
FiguresOfPart(const std::string& part, std::function<RunResults(const Scenario&)> results)
{
    FakeRuns fake(std::move(results));
    return Validate(SwitchValidation(), fake.Request({part})).comparisons;
}

/** Ten iterations end after 10 s, an exchange after 1 ps. */
RunResults
TenSeconds(const Scenario& /*any*/)
{
    RunResults results;
    results.iterationEndsPs = {10'000'000'000'000};
    results.exchangeTimePs = 1;
    return results;
}

/* Ten iterations take no longer at 100 Gb/s. */
TEST(SwitchPublished, TimesDoNotGrowWithTheRate)
{
    for (const auto* trace :
         {"alexnet-a100", "resnet101-a100", "resnet50-a100", "vgg11-a100", "vgg16-a100"})
    {
        const auto figures = FiguresOfPart(trace, TenSeconds);
        const auto published = [&figures](const std::string& rate) {
            return FindFigure(figures, rate, "10 iterations, mean times").published->to;
        };
        EXPECT_LE(published("100 Gb/s"), published("10 Gb/s")) << trace;
    }
}

/* Every scenario can be said in a file; that of ResNet-50 at 10 Gb/s is the example, whose jumbo frames are 82 + 4 x 2229 =
 * 8998 bytes. With random times jitter and seed alone differ. */
TEST(SwitchScenarios, AreWhatTheReaderTakesAndTheExampleSays)
{
    for (const auto* part : {"resnet50-a100", "switchml"})
    {
        FakeRuns fake(TenSeconds);
        Validate(SwitchValidation(), fake.Request({part}));
        for (const auto& scenario : fake.scenarios)
        {
            ExpectReadAsMade(scenario);
        }
        if (std::string(part) == "resnet50-a100")
        {
            const auto example =
                ReadScenario(INCA_SOURCE_DIR "/examples/switch/slots-resnet50.toml", {});
            EXPECT_EQ(SettingsText(example.scenario), SettingsText(fake.scenarios.front()));
            EXPECT_TRUE(example.warnings.empty());
            auto random = fake.scenarios.at(2);
            EXPECT_EQ(random.simulation.seed, 2U);
            random.training.jitter = Jitter::NONE;
            random.training.jitterSd = 0;
            random.simulation.seed = 1;
            EXPECT_EQ(SettingsText(random), SettingsText(fake.scenarios.front()));
        }
    }
}

/* 10,240,000 values in 1/282.5 s are 2892.8 million a second, beside 2830, 2820 and 2810: 2.2 to 2.95 % over. Rings are
 * shown only. */
TEST(SwitchMl, SlotsAreJudgedAndRingsAreNot)
{
    const auto figures = FiguresOfPart("switchml", [](const Scenario& scenario) {
        auto results = TenSeconds(scenario);
        results.exchangeTimePs = 10'000'000'000'000 / 2825;
        return results;
    });
    EXPECT_NEAR(figures[0].predicted, 2892.8, 0.01);
    std::string judged;
    for (const auto& figure : figures)
    {
        judged += figure.system + (IsJudged(figure) ? " judged, " : " shown, ");
        EXPECT_EQ(figure.published->publishedClass, PublishedClass::PUBLISHED);
    }
    EXPECT_EQ(judged,
              "4 workers judged, 8 workers judged, 16 workers judged, 4 workers shown, 8 workers "
              "shown, 16 workers shown, ");
    EXPECT_EQ(std::count_if(figures.begin(), figures.end(), Misses), 0);
    EXPECT_EQ(figures[2].published->from, 2810);
    EXPECT_EQ(figures[5].published->from, 970);
}

/* Over 4 seeds. AlexNet's reference takes 2.783 s at 10 Gb/s and 1.385 s at 100. Mean times are 1 % off, within 1.5 %; seed s
 * is 0.99 + 0.01 s of it: (1.00 + 1.01 + 1.02 + 1.03) / 4 = 1.015, beyond the 1 %. */
TEST(SwitchReplay, JudgesTenIterations)
{
    FakeRuns fake([](const Scenario& scenario) {
        const bool isSlow = scenario.cluster.bitsPerSecond == 10'000'000'000U;
        const auto seed = static_cast<double>(scenario.simulation.seed);
        const auto factor = scenario.training.jitter == Jitter::NONE ? 1.01 : 0.99 + 0.01 * seed;
        RunResults results;
        results.iterationEndsPs = {
            1, std::llround((isSlow ? 2.783059617631 : 1.384723404524) * factor * 1e12)};
        return results;
    });
    auto request = fake.Request({"alexnet-a100"});
    request.seeds = 4;
    const auto figures = Validate(SwitchValidation(), request).comparisons;
    ASSERT_EQ(fake.scenarios.size(), 10U);
    EXPECT_EQ(fake.scenarios[0].training.jitter, Jitter::NONE);
    EXPECT_EQ(fake.scenarios[4].simulation.seed, 4U);
    EXPECT_EQ(fake.scenarios[5].cluster.bitsPerSecond, 100'000'000'000U);
    EXPECT_EQ(fake.scenarios[9].training.jitter, Jitter::NORMAL);
    EXPECT_EQ(figures.size(), 4U);
    for (const std::string rate : {"10 Gb/s", "100 Gb/s"})
    {
        const auto& ten = FindFigure(figures, rate, "10 iterations, mean times");
        EXPECT_NEAR(*ErrorOf(ten), 0.01, 1e-9);
        EXPECT_EQ(ten.limit, 0.015);
        EXPECT_EQ(ten.published->publishedClass, PublishedClass::SIMULATED);
        const auto& mean = FindFigure(figures, rate, "10 iterations, mean of 4 seeds");
        EXPECT_NEAR(*ErrorOf(mean), 0.015, 1e-9);
        EXPECT_EQ(mean.limit, 0.01);
        EXPECT_TRUE(Misses(mean));
    }
}

} // namespace

} // namespace inca
