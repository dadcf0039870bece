/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/crossover.h"

#include "base/errors.h"
#include "base/units.h"
#include "scenario/keys.h"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>
#include <map>

namespace inca
{

namespace
{

using testing::HasSubstr;

constexpr const char* g_tensor = "[training]\ntrace = \"tensor:4MB\"\n"
                                 "[host]\nsum_rate = \"none\"\n";

class ComparedSystemsTest : public testing::Test
{
  protected:
    ComparedSystemsTest()
        : m_path(testing::TempDir() + "inca-compared-" +
                 testing::UnitTest::GetInstance()->current_test_info()->name() + ".toml")
    {
        std::ofstream(m_path) << g_tensor;
    }

    CrossoverAnswer Answer(const std::string& a,
                           const std::string& b,
                           const std::string& over) const
    {
        ScenarioVariants variants(m_path);
        return AnswerCrossover(
            {{}, ParseComparedSystem(a, "--a"), ParseComparedSystem(b, "--b"), over},
            variants,
            RunPoint);
    }

  private:
    std::string m_path;
};

/** Two systems whose times are functions of the bandwidth in Gbit/s; below 0: refused. */
class CrossoverTest : public testing::Test
{
  protected:
    using Time = std::function<double(double gbps)>;

    Crossover Find(const Time& a, const Time& b)
    {
        const auto compare = [&](const ScaledValue& value) {
            ++runs;
            CrossoverSample sample{value,
                                   a(value.number),
                                   b(value.number),
                                   std::abs(value.number - 100) < openWithin,
                                   {}};
            if (*sample.a < 0)
            {
                sample.a.reset();
                sample.refusal = "no";
            }
            return sample;
        };
        return FindCrossover(scale, compare);
    }

    /** The ends of the i-th crossing in Gbit/s. */
    static std::pair<double, double> Ends(const Crossover& found, std::size_t i = 0)
    {
        return {found.stretches[i].last.value.number, found.stretches[i + 1].first.value.number};
    }

    KeyScale scale{*FindKey("cluster.bandwidth"), "1Gbps..400Gbps"};
    int runs{0};
    double openWithin{0}; ///< of 100 Gbit/s: there a preset leaves open which is faster
};

KeyScale
ScaleOf(const std::string& key, const std::string& range)
{
    return {*FindKey(key), range};
}

std::vector<std::string>
TextsOf(const std::string& key, const std::string& range, std::size_t count)
{
    std::vector<std::string> texts;
    for (const auto& value : ScaleOf(key, range).Points(count))
    {
        texts.push_back(value.text);
    }
    return texts;
}

} // namespace

/* 500 / x and 5 are the same at x = 100, and between 50 and 150 a preset's ranges overlap. */
TEST_F(CrossoverTest, LeavesOpenWhereRangesOverlap)
{
    openWithin = 50;
    const auto found = Find([](double x) { return 500 / x; }, [](double) { return 5.0; });
    ASSERT_EQ(found.stretches.size(), 3U);
    EXPECT_EQ(found.stretches[0].winner, Winner::B);
    EXPECT_EQ(found.stretches[1].winner, Winner::OPEN);
    EXPECT_EQ(found.stretches[2].winner, Winner::A);
    EXPECT_NEAR(found.stretches[1].first.value.number, 50, 0.5);
    EXPECT_NEAR(found.stretches[1].last.value.number, 150, 1.5);
}

/* 100 / x + 1 and 5 are the same at x = 25. */
TEST_F(CrossoverTest, IsNarrowedToTheTolerance)
{
    const auto found = Find([](double x) { return 100 / x + 1; }, [](double) { return 5.0; });
    ASSERT_EQ(found.stretches.size(), 2U);
    const auto [before, after] = Ends(found);
    EXPECT_LE(before, 25);
    EXPECT_GE(after, 25);
    EXPECT_LE(after - before, 0.01 * after);
    EXPECT_EQ(found.stretches[1].winner, Winner::A);
    EXPECT_EQ(found.scan.size(), 17U);
    EXPECT_LE(runs, 17 + 6); // neighbours are 45 % apart: 0.45 / 2^6 < 0.01
}

TEST_F(CrossoverTest, MayBeThereTwice)
{
    const auto found =
        Find([](double x) { return (x - 10) * (x - 100); }, [](double) { return 0.0; });
    EXPECT_EQ(found.stretches.size(), 1U); // below 0 is refused: only the outer values are left
    const auto shifted =
        Find([](double x) { return (x - 10) * (x - 100) + 1e6; }, [](double) { return 1e6; });
    ASSERT_EQ(shifted.stretches.size(), 3U);
    EXPECT_LE(Ends(shifted, 0).first, 10);
    EXPECT_GE(Ends(shifted, 1).second, 100);
}

TEST_F(CrossoverTest, IsNowhereIfOneAlwaysWins)
{
    const auto found = Find([](double x) { return 2 / x; }, [](double x) { return 1 / x; });
    EXPECT_EQ(found.stretches.size(), 1U);
    EXPECT_EQ(runs, 17);
}

/* The winner changes at 25, and nothing from 20 to 30 can be compared: the neighbours are told. */
TEST_F(CrossoverTest, IsNotNarrowedWhereSomethingIsRefused)
{
    const auto found = Find([](double x) { return x > 14 && x < 40 ? -1 : 100 / x + 1; },
                            [](double) { return 5.0; });
    ASSERT_EQ(found.stretches.size(), 2U);
    EXPECT_FALSE(found.stretches[1].narrowed);
    const auto [before, after] = Ends(found);
    EXPECT_LE(before, 14);
    EXPECT_GE(after, 40);
}

/* What is as good from 50 on: the change is where it becomes so. */
TEST_F(CrossoverTest, KnowsWhereNeitherIsBetter)
{
    const auto found =
        Find([](double x) { return std::max(50 / x, 1.0); }, [](double) { return 1.0; });
    ASSERT_EQ(found.stretches.size(), 2U);
    EXPECT_EQ(found.stretches[0].winner, Winner::B);
    EXPECT_EQ(found.stretches[1].winner, Winner::NEITHER);
}

TEST(Advantage, IsHowMuchBetterTheBetterIs)
{
    EXPECT_DOUBLE_EQ(Advantage(1.0, 1.25), 0.25);  // 1.25 times as fast
    EXPECT_DOUBLE_EQ(Advantage(1.25, 1.0), -0.25); // takes a quarter longer
}

TEST(ParseComparedSystem, KnowsLabelsPathsOfAttributesAndSystemsOfAFile)
{
    const System ring{"ring + C", {{"codec.bound=2^-8", "f"}}, "f.toml:3:1"};
    const std::map<std::string, std::pair<std::string, std::vector<std::string>>> cases{
        {"ring: exchange.algorithm=ring, codec.bound=2^-8",
         {"ring", {"exchange.algorithm=ring", "codec.bound=2^-8"}}},
        {"attributes.inca::Link::Delay=2us",
         {"attributes.inca::Link::Delay=2us", {"attributes.inca::Link::Delay=2us"}}},
        {"as it is:", {"as it is", {}}},
        {" ring + C ", {"ring + C", {"codec.bound=2^-8"}}},
        {"codec.name=none", {"codec.name=none", {"codec.name=none"}}},
    };
    for (const auto& [text, named] : cases)
    {
        const auto system = ParseComparedSystem(text, "--a", {ring});
        EXPECT_EQ(system.label, named.first);
        std::vector<std::string> settings;
        for (const auto& setting : system.settings)
        {
            settings.push_back(setting.text);
        }
        EXPECT_EQ(settings, named.second) << text;
    }
    for (const auto* text : {"", ":", "rign + C"})
    {
        EXPECT_THROW(ParseComparedSystem(text, "--a", {ring}), InputError) << text;
    }
}

/* A message of 1 ms costs a ring of 2 as much per step; without it, and with links of half the rate, a step
 * of 2 MB takes as much longer as 2 MB take at the full rate: 16 Mbit / r = 1 ms at 16 Gb/s, and frames
 * of 1538 bytes carry 1460: 16.85. */
TEST_F(ComparedSystemsTest, CrossWhereTheClosedFormSays)
{
    const auto answer = Answer("slow host: host.message_cost=1ms, cluster.workers=2",
                               "twice the bytes: training.trace=tensor:8MB, cluster.workers=2",
                               "cluster.bandwidth=1Gbps..100Gbps");
    ASSERT_EQ(answer.crossover.stretches.size(), 2U);
    const auto& first = answer.crossover.stretches.front();
    EXPECT_NEAR(first.last.value.number, 16.85, 0.02 * 16.85);
    EXPECT_EQ(first.winner, Winner::A);
}

/* Groups need an even number of workers: at others there is nothing to compare. */
TEST_F(ComparedSystemsTest, SayWhatWasRefused)
{
    const auto answer =
        Answer("ring:", "exchange.algorithm=hierarchical-ring", "cluster.workers=4..7");
    ASSERT_EQ(answer.crossover.scan.size(), 4U);
    EXPECT_TRUE(answer.crossover.scan[0].IsWhole());
    EXPECT_FALSE(answer.crossover.scan[1].IsWhole());
    EXPECT_THAT(answer.crossover.scan[1].refusal, HasSubstr("equal groups"));
}

/* Where values span decades, each is the one before times a factor: 10 to 1000 Gb/s in 4 steps of sqrt(10). Whole numbers come
 * once: from 2 to 8 there are 7, not 17. Of 100.01 to 100.02 four digits tell nothing apart: the ends are all that is left. */
TEST(KeyScale, SpacesValues)
{
    struct Case
    {
        const char* key;
        const char* range;
        std::size_t count;
        std::vector<std::string> texts;
    };

    const std::vector<Case> cases{
        {"cluster.bandwidth",
         "10Gbps..1Tbps",
         5,
         {"10Gbps", "31.62Gbps", "100Gbps", "316.2Gbps", "1Tbps"}},
        {"cluster.latency", "500ns..50us", 3, {"500ns", "5us", "50us"}},
        {"host.sum_rate", "1GBps..10GBps", 3, {"1GBps", "3.162GBps", "10GBps"}},
        {"training.jitter_sd", "0..1", 5, {"0", "0.25", "0.5", "0.75", "1"}},
        {"cluster.bandwidth", "10Gbps..20Gbps", 3, {"10Gbps", "15Gbps", "20Gbps"}},
        {"cluster.workers", "2..8", 17, {"2", "3", "4", "5", "6", "7", "8"}},
        {"transport.window", "16..64", 3, {"16", "40", "64"}},
        {"codec.bound", "2^-12..2^-4", 3, {"2^-4", "2^-8", "2^-12"}},
        {"cluster.bandwidth", "100.01Gbps..100.02Gbps", 17, {"100.01Gbps", "100.02Gbps"}},
        {"exchange.bucket_bytes", "1MiB..16MiB", 3, {"1MiB", "4MiB", "16MiB"}},
    };
    for (const auto& [key, range, count, texts] : cases)
    {
        EXPECT_EQ(TextsOf(key, range, count), texts) << key;
    }
}

TEST(KeyScale, SizesAreWholeValues)
{
    for (const auto& value : ScaleOf("exchange.chunk_bytes", "1KiB..1MB").Points(17))
    {
        EXPECT_EQ(static_cast<std::uint64_t>(value.number) % 4, 0U) << value.text;
    }
}

TEST(KeyScale, HalvesUntilTheToleranceIsReached)
{
    const auto scale = ScaleOf("cluster.bandwidth", "1Gbps..100Gbps");
    const auto ends = scale.Points(2);
    const auto middle = scale.Between(ends[0], ends[1]);
    ASSERT_TRUE(middle);
    EXPECT_EQ(middle->text, "10Gbps");
    EXPECT_FALSE(scale.Between({99.5, "99.5Gbps"}, ends[1]));
    const auto workers = ScaleOf("cluster.workers", "2..64");
    EXPECT_FALSE(workers.Between({7, "7"}, {8, "8"}));
}

} // namespace inca
