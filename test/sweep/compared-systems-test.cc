/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/compared-systems.h"

#include "base/errors.h"

#include <gmock/gmock.h>

#include <fstream>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

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
        return AnswerCrossover({{},
                                ParseNamedSettings(a, "--a"),
                                ParseNamedSettings(b, "--b"),
                                over,
                                Metrics().front()},
                               variants,
                               RunPoint);
    }

    std::string Refusal(const std::string& a, const std::string& b, const std::string& over) const
    {
        try
        {
            Answer(a, b, over);
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return "";
    }

  private:
    std::string m_path;
};

} // namespace

TEST(ParseNamedSettings, KnowsLabelsAndPathsOfAttributes)
{
    const auto named =
        ParseNamedSettings("ring + C: exchange.algorithm=ring, codec.bound=2^-8", "--a");
    EXPECT_EQ(named.label, "ring + C");
    EXPECT_THAT(named.settings, ElementsAre("exchange.algorithm=ring", "codec.bound=2^-8"));
    const auto plain = ParseNamedSettings("attributes.inca::Link::Delay=2us", "--a");
    EXPECT_EQ(plain.label, "attributes.inca::Link::Delay=2us");
    EXPECT_THAT(plain.settings, ElementsAre("attributes.inca::Link::Delay=2us"));
    EXPECT_THAT(ParseNamedSettings("as it is:", "--a").settings, IsEmpty());
    EXPECT_THROW(ParseNamedSettings("", "--a"), InputError);
    EXPECT_THROW(ParseNamedSettings(":", "--a"), InputError);
}

TEST(ParseNamedSettings, KnowsTheSystemsOfAFile)
{
    const System ring{
        "ring + C", {{"exchange.algorithm=ring", "f"}, {"codec.bound=2^-8", "f"}}, "f.toml:3:1"};
    const auto named = ParseNamedSettings(" ring + C ", "--a", {ring});
    EXPECT_EQ(named.label, "ring + C");
    EXPECT_EQ(named.origin, "f.toml:3:1");
    EXPECT_THAT(named.settings, ElementsAre("exchange.algorithm=ring", "codec.bound=2^-8"));
    EXPECT_THAT(ParseNamedSettings("codec.name=none", "--a", {ring}).settings,
                ElementsAre("codec.name=none"));
    EXPECT_THROW(ParseNamedSettings("rign + C", "--a", {ring}), InputError);
}

/* A message of 1 ms costs a ring of 2 as much per step; without it, and with links of half the rate, a step
 * of 2 MB takes as much longer as 2 MB take at the full rate: 16 Mbit / r = 1 ms at 16 Gb/s, and frames
 * of 1538 bytes carry 1460: 16.85. */
TEST_F(ComparedSystemsTest, CrossWhereTheClosedFormSays)
{
    const auto answer = Answer("slow host: host.message_cost=1ms, cluster.workers=2",
                               "twice the bytes: training.trace=tensor:8MB, cluster.workers=2",
                               "cluster.bandwidth=1Gbps..100Gbps");
    ASSERT_EQ(answer.crossover.crossings.size(), 1U);
    const auto& crossing = answer.crossover.crossings.front();
    EXPECT_NEAR(crossing.before.value.number, 16.85, 0.02 * 16.85);
    EXPECT_EQ(WinnerOf(Metrics().front(), crossing.before), Winner::A);
}

TEST_F(ComparedSystemsTest, RefuseWhatMakesNoSense)
{
    const std::string ring = "exchange.algorithm=ring";
    const std::string codec = "codec.name=truncate";
    EXPECT_THAT(Refusal(ring, codec, "cluster.bandwith=1Gbps..2Gbps"),
                HasSubstr("--over cluster.bandwith: unknown 'cluster.bandwith'; did you mean"));
    EXPECT_THAT(Refusal(ring, codec, "cluster.bandwidth"),
                HasSubstr("needs the form key=LOW..HIGH"));
    EXPECT_THAT(Refusal(ring, ring, "codec.bound=2^-4..2^-8"),
                HasSubstr("has no effect on either system: codec.name is none"));
    EXPECT_THAT(Refusal("exchange.algorithm=rign", codec, "cluster.workers=2..8"),
                HasSubstr("--a exchange.algorithm: unknown 'rign'; did you mean 'ring'?"));
    EXPECT_THAT(Refusal("cluster.workers=3", codec, "cluster.workers=2..8"),
                HasSubstr("is there as --a, too"));
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

} // namespace inca
