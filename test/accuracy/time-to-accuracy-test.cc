/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "accuracy/time-to-accuracy.h"

#include "accuracy/curve-text.h"
#include "scenario/scenario-reader.h"
#include "support/why-not.h"
#include "trace/trace-catalog.h"
#include "values/value-exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<std::uint64_t> g_tensors{6, 2};

TimedSystem
Timed(const std::string& label, const std::vector<std::string>& settings)
{
    auto all = settings;
    all.insert(all.end(), {"training.trace=tensor:32B", "cluster.workers=2"});
    auto scenario = ParseScenario("", "test", all).scenario;
    scenario.training.readTrace = std::make_shared<const GradientTrace>(MakeTensorTrace(32));
    return {label, {}, std::move(scenario), {}, ""};
}

std::string
PathOf(const TimedSystem& system)
{
    char text[17];
    std::snprintf(
        text, sizeof text, "%016lx", ValueExchange(system.scenario, g_tensors).Path().hash);
    return text;
}

/** Runs whose iterations take 1 s, and one more for each bit of a value that was asked for. */
PointOutcome
SecondsOfBits(const Scenario& scenario)
{
    RunRecord record;
    record.results.iterationTimePs =
        static_cast<std::int64_t>(1e12 * (1 + scenario.codec.bitsPerValue.value_or(0)));
    return {record, ""};
}

/** Rows of 10 and 20 steps with these bits and accuracies. */
std::string
Rows(const std::string& bits, const std::string& first, const std::string& second)
{
    const auto row =
        [&](const std::string& step, const std::string& accuracy, const std::string& of) {
            return step + ",1," + accuracy + ",1,1," + of + ",0,0,0,0\n";
        };
    const auto comma = bits.find(',');
    return "0,0,0.1,1,,,,,,\n" + row("10", first, bits.substr(0, comma)) +
           row("20", second, bits.substr(comma + 1));
}

} // namespace

/**
 * Of the codec, seed 1 has 2 bits for 10 steps and then 6, seed 2 has 4 and 8: in the mean 3 and 7. Iterations of 4 and 8 s
 * make 40 s and 120 s. The ring's take 1 s, whatever its curves' bits: 10 and 20 s.
 */
TEST(TimeToAccuracy, AddsIterationsThatTakeAsLongAsTheirBits)
{
    const std::vector<TimedSystem> systems{Timed("ring", {}),
                                           Timed("coded", {"codec.name=inceptionn"})};
    const Notes coded{{"value_path", PathOf(systems[1])}, {"codec", "inceptionn 2^-10"}};
    const auto with = [](Notes notes, const std::string& seed) {
        notes["seed"] = seed;
        return notes;
    };
    const Notes plain{{"value_path", PathOf(systems[0])}, {"lossless", "yes"}};
    const CurveFolder folder({{"a.csv", CurveText(with(coded, "1"), Rows("2,6", "0.5", "0.8"))},
                              {"b.csv", CurveText(with(coded, "2"), Rows("4,8", "0.8", "0.9"))},
                              {"c.csv", CurveText(with(coded, "3"), Rows("3,7", "0.2", "0.3"))},
                              {"d.csv", CurveText(with(plain, "1"), Rows("32,32", "0.8", "0.7"))}});
    const auto curves = ReadCurves(folder.Path());
    const auto trainings = JoinCurves(systems, curves, SecondsOfBits);
    EXPECT_THAT(trainings.warnings, IsEmpty());
    ASSERT_EQ(trainings.all.size(), 2U);
    EXPECT_EQ(trainings.all[0].name, "ring");
    EXPECT_EQ(trainings.all[0].wireSize, WireSize::FULL);
    EXPECT_DOUBLE_EQ(trainings.all[0].seconds.at(20), 20);
    EXPECT_EQ(trainings.all[1].wireSize, WireSize::OTHER);
    EXPECT_DOUBLE_EQ(trainings.all[1].seconds.at(10), 40);
    EXPECT_DOUBLE_EQ(trainings.all[1].seconds.at(20), 120);
    EXPECT_DOUBLE_EQ(trainings.all[1].IterationSeconds(), 6);

    // seeds come to 0.8 after 20 steps, 10 steps, and never: the one in the middle takes 120 s, 12 times the ring's 10
    const auto times = TimesTo(0.8, trainings);
    ASSERT_EQ(times.size(), 2U);
    ASSERT_TRUE(times[1].bySeed[0]);
    EXPECT_EQ(times[1].bySeed[0]->step, 20U);
    ASSERT_TRUE(times[1].bySeed[1]);
    EXPECT_EQ(times[1].bySeed[1]->step, 10U);
    EXPECT_FALSE(times[1].bySeed[2]);
    ASSERT_TRUE(times[1].median);
    EXPECT_DOUBLE_EQ(times[1].median->seconds, 120);
    EXPECT_DOUBLE_EQ(times[1].gainOverFull.value_or(0), 10.0 / 120);
    EXPECT_DOUBLE_EQ(times[0].gainOverFull.value_or(0), 1);
    EXPECT_FALSE(times[0].gainOverSixteen);

    // one of three comes to 0.9: the one in the middle does not
    EXPECT_FALSE(TimesTo(0.9, trainings)[1].median);

    std::vector<std::string> seconds;
    ForEachRow(systems, trainings, [&](const Row& row) {
        seconds.push_back(CellText(row, "training_time_s"));
    });
    EXPECT_THAT(seconds,
                ElementsAre("0", "10", "20", "0", "40", "120", "0", "40", "120", "0", "40", "120"));
}

TEST(TimeToAccuracy, TakesSumsOfAnotherOrderWithAWarning)
{
    const std::vector<TimedSystem> systems{
        Timed("aggregator", {"exchange.algorithm=worker-aggregator"})};
    const CurveFolder lossless({{"a.csv", CurveText({{"lossless", "yes"}})}});
    const auto curves = ReadCurves(lossless.Path());
    const auto trainings = JoinCurves(systems, curves, SecondsOfBits);
    ASSERT_EQ(trainings.all.size(), 1U);
    EXPECT_TRUE(trainings.all[0].isOfOtherOrder);
    EXPECT_THAT(trainings.warnings,
                ElementsAre(HasSubstr("sums that were added in another order")));
}

/** Snappy loses nothing: of two curves of the same arithmetic, each system takes that of its own codec. */
TEST(TimeToAccuracy, TakesTheCurveOfItsCodec)
{
    const std::vector<TimedSystem> systems{Timed("ring", {}),
                                           Timed("snappy",
                                                 {"codec.name=snappy",
                                                  "codec.placement=cpu",
                                                  "codec.encode_rate=1GBps",
                                                  "codec.decode_rate=1GBps",
                                                  "codec.bits_per_value=16"})};
    ASSERT_EQ(PathOf(systems[0]), PathOf(systems[1]));
    const Notes plain{{"value_path", PathOf(systems[0])}, {"lossless", "yes"}};
    auto coded = plain;
    coded["codec"] = "snappy";
    const CurveFolder folder({{"a.csv", CurveText(plain, Rows("32,32", "0.5", "0.6"))},
                              {"b.csv", CurveText(coded, Rows("9,9", "0.5", "0.6"))}});
    const auto curves = ReadCurves(folder.Path());
    const auto trainings = JoinCurves(systems, curves, SecondsOfBits);
    ASSERT_EQ(trainings.all.size(), 2U);
    EXPECT_DOUBLE_EQ(trainings.all[0].seconds.at(20), 20);
    EXPECT_DOUBLE_EQ(trainings.all[1].seconds.at(20), 200); // 1 + 9 s each
}

TEST(TimeToAccuracy, RefusesCurvesOfAnotherModel)
{
    const std::vector<TimedSystem> systems{Timed("ring", {})};
    const CurveFolder folder({{"a.csv", CurveText({{"tensors", "6 3"}})}});
    const auto curves = ReadCurves(folder.Path());
    EXPECT_THAT(WhyNot([&] { JoinCurves(systems, curves, SecondsOfBits); }),
                HasSubstr("ring: its trace has 8 values, and the model of " + folder.Path() +
                          "/a.csv has 9"));
}

/** A system that cannot be run takes no other with it. */
TEST(TimeToAccuracy, LeavesOutWhatIsRefused)
{
    std::vector<TimedSystem> systems{Timed("ring", {}), Timed("none", {})};
    systems[1].refusal = "cluster.workers: too few";
    const CurveFolder folder(
        {{"a.csv", CurveText({{"value_path", PathOf(systems[0])}, {"lossless", "yes"}})}});
    const auto curves = ReadCurves(folder.Path());
    const auto trainings = JoinCurves(systems, curves, SecondsOfBits);
    EXPECT_EQ(trainings.all.size(), 1U);
    EXPECT_THAT(trainings.warnings, ElementsAre("none: cluster.workers: too few"));
}

TEST(TimeToAccuracy, RefusesCurvesOfOtherArithmetic)
{
    const std::vector<TimedSystem> coded{Timed("coded", {"codec.name=inceptionn"})};
    const CurveFolder folder({{"a.csv", CurveText({{"lossless", "yes"}})}});
    const auto curves = ReadCurves(folder.Path());
    EXPECT_THAT(WhyNot([&] { JoinCurves(coded, curves, SecondsOfBits); }),
                HasSubstr("coded: no curve has its value path, " + PathOf(coded.front())));
    const CurveFolder four({{"a.csv", CurveText({{"workers", "4"}})}});
    const auto ofFour = ReadCurves(four.Path());
    EXPECT_THAT(WhyNot([&] { JoinCurves(coded, ofFour, SecondsOfBits); }),
                HasSubstr("coded: no curve is of 2 workers"));
}

} // namespace inca
