/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/units.h"
#include "scenario/grid.h"
#include "scenario/keys.h"
#include "scenario/scenario-reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

using testing::HasSubstr;

namespace
{

std::string
ColumnOf(const Scenario& scenario, const std::string& name)
{
    for (const auto& column : SettingColumns(scenario))
    {
        if (column.name == name)
        {
            return column.text;
        }
    }
    return "no such column";
}

std::string
TextOf(const Scenario& scenario, const char* key)
{
    return FindKey(key)->text(scenario);
}

void
Set(Scenario& scenario, const char* key, const char* text)
{
    FindKey(key)->set(scenario, text);
}

/** A lone tensor's scenario with @p line in its table [codec]. */
Scenario
WithCodec(const std::string& line, const std::vector<std::string>& settings = {})
{
    const auto text = "[training]\ntrace = \"tensor:1MB\"\n[codec]\nname = \"homomorphic\"\n"
                      "placement = \"gpu\"\n" +
                      line + "\n";
    return ParseScenario(text, "a.toml", settings).scenario;
}

} // namespace

TEST(HomomorphicKeys, MatterToNoOtherCodec)
{
    Scenario scenario;
    const auto why = [&scenario](const char* name) { return IdleReason(*FindKey(name), scenario); };
    for (const auto* name : {"codec.ratio",
                             "codec.index",
                             "codec.bloom_bits",
                             "codec.bloom_hashes",
                             "codec.rounds",
                             "codec.skip_density"})
    {
        scenario.codec.name = "truncate";
        scenario.codec.index = "bloom";
        EXPECT_EQ(why(name), "codec.name is truncate") << name;
        scenario.codec.name = "homomorphic";
        EXPECT_EQ(why(name), "") << name;
    }
    scenario.codec.index = "bits-4";
    EXPECT_EQ(why("codec.bloom_bits"), "codec.index is bits-4");
    EXPECT_EQ(why("codec.bloom_hashes"), "codec.index is bits-4");
}

TEST(HomomorphicKeys, ARatioIsANumberOrSafe)
{
    EXPECT_EQ(WithCodec("ratio = 16").codec.ratio, 16.0);
    EXPECT_EQ(WithCodec("ratio = 0.5").codec.ratio, 0.5);
    EXPECT_EQ(WithCodec("ratio = \"safe\"").codec.ratio, std::nullopt);
    EXPECT_EQ(WithCodec("", {"codec.ratio=safe"}).codec.ratio, std::nullopt);
    EXPECT_EQ(WithCodec("ratio = \"safe\"", {"codec.ratio=2.5"}).codec.ratio, 2.5);
    EXPECT_THROW(WithCodec("ratio = true"), InputError);
    Scenario scenario;
    for (const auto* text : {"0.4", "1000001", "Safe", "inf", "10 "})
    {
        EXPECT_THROW(Set(scenario, "codec.ratio", text), UnitError) << text;
    }
    EXPECT_EQ(scenario.codec.ratio, 10.0);
}

TEST(HomomorphicKeys, ARatioIsWrittenAsItIsRead)
{
    auto scenario = WithCodec("ratio = \"safe\"");
    EXPECT_EQ(TextOf(scenario, "codec.ratio"), "safe");
    EXPECT_EQ(ColumnOf(scenario, "ratio"), "safe");
    EXPECT_THAT(FormatScenario(scenario), HasSubstr("\nratio = 'safe'\n"));
    scenario.codec.ratio = 12.5;
    EXPECT_EQ(ColumnOf(scenario, "ratio"), "12.5");
    EXPECT_THAT(FormatScenario(scenario), HasSubstr("\nratio = 12.5\n"));
}

TEST(HomomorphicKeys, ARatioIsSweptByNumberAndName)
{
    const auto points = ExpandGrid({{}, {}, {{"codec.ratio=safe,2..8:x2", "--vary"}}, {}});
    ASSERT_EQ(points.size(), 4U);
    EXPECT_EQ(points[0].varied[0].text, "codec.ratio=safe");
    EXPECT_EQ(points[3].varied[0].text, "codec.ratio=8");
    EXPECT_THROW(ExpandGrid({{}, {}, {{"codec.ratio=10,10.0", "--vary"}}, {}}),
                 InputError); // the same twice
}

TEST(HomomorphicKeys, OfAnIndexHaveTheirRanges)
{
    Scenario scenario;
    for (const auto* name : {"bits-1", "bits-4", "bloom"})
    {
        Set(scenario, "codec.index", name);
        EXPECT_EQ(scenario.codec.index, name);
    }
    EXPECT_THROW(Set(scenario, "codec.index", "bits-2"), UnitError);
    Set(scenario, "codec.bloom_bits", "1");
    Set(scenario, "codec.bloom_hashes", "16");
    EXPECT_EQ(scenario.codec.bloomBits, 1);
    EXPECT_EQ(scenario.codec.bloomHashes, 16U);
    EXPECT_THROW(Set(scenario, "codec.bloom_bits", "0"), UnitError);
    EXPECT_THROW(Set(scenario, "codec.bloom_bits", "1.01"), UnitError);
    EXPECT_THROW(Set(scenario, "codec.bloom_hashes", "0"), UnitError);
    EXPECT_THROW(Set(scenario, "codec.bloom_hashes", "17"), UnitError);
}

TEST(HomomorphicKeys, SayHowRoundsGoAndWhatIsLeftOut)
{
    Scenario scenario;
    scenario.codec.name = "homomorphic";
    EXPECT_EQ(ColumnOf(scenario, "skip_density"), "");
    Set(scenario, "codec.skip_density", "0.25");
    EXPECT_EQ(ColumnOf(scenario, "skip_density"), "0.25");
    EXPECT_THROW(Set(scenario, "codec.skip_density", "0"), UnitError);
    Set(scenario, "codec.rounds", "overlapped");
    EXPECT_EQ(ColumnOf(scenario, "rounds"), "overlapped");
    EXPECT_THROW(Set(scenario, "codec.rounds", "own"), UnitError);
}

} // namespace inca
