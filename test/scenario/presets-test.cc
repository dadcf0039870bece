/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/presets.h"

#include "scenario/keys.h"
#include "scenario/scenario-reader.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

/** A file whose table [host] has those lines. */
Scenario
WithHost(const std::string& lines, const std::vector<std::string>& settings = {})
{
    return ParseScenario("[training]\ntrace = \"hdc\"\n[host]\n" + lines, "ring.toml", settings)
        .scenario;
}

std::string
TextOf(const Scenario& scenario, const std::string& key)
{
    return FindKey(key)->text(scenario);
}

} // namespace

/* A key that the preset did not know would keep what an earlier preset said. */
TEST(Presets, ChooseTheDefaultsOfTheWholeTable)
{
    for (const std::string table : {"host", "switch"})
    {
        std::vector<std::string> others;
        for (const auto& key : ScenarioKeys())
        {
            if (TableOf(key.name) == table && key.name != table + ".preset")
            {
                others.push_back(key.name);
            }
        }
        for (const auto& other : others)
        {
            EXPECT_TRUE(ChoosesDefault(*FindKey(table + ".preset"), *FindKey(other))) << other;
        }
        for (const auto& preset : table == "host" ? HostPresets() : SwitchPresets())
        {
            Scenario scenario;
            SetKey(scenario, table + ".preset", preset.name);
            for (const auto& value : preset.values)
            {
                EXPECT_THAT(others, testing::Contains(value.key));
                Scenario alone;
                SetKey(alone, value.key, value.text);
                EXPECT_EQ(TextOf(scenario, value.key), TextOf(alone, value.key)) << preset.name;
                EXPECT_FALSE(value.source.empty()) << preset.name << " " << value.key;
            }
        }
    }
}

/* Keys of the table itself, and of programs. */
TEST(SwitchPresets, AreOverriddenAndReplaceEachOther)
{
    const std::string file = "[training]\ntrace = \"hdc\"\n[switch]\nslots = 4\n"
                             "preset = \"sharp-llt\"\n[exchange]\nalgorithm = \"switch-slots\"\n";
    const auto given = ParseScenario(file, "switch.toml", {}).scenario;
    EXPECT_EQ(TextOf(given, "switch.slots"), "4");
    EXPECT_EQ(TextOf(given, "switch.adder"), "fp32");
    EXPECT_EQ(TextOf(given, "switch.header_bytes"), "44");
    const auto again = ParseScenario(FormatScenario(given), "again.toml", {}).scenario;
    EXPECT_EQ(FormatScenario(again), FormatScenario(given));
    const auto other =
        ParseScenario(file, "switch.toml", {"switch.preset=tomahawk-ultra"}).scenario;
    EXPECT_EQ(TextOf(other, "switch.slots"), "4");
    EXPECT_EQ(TextOf(other, "switch.adder"), "int32");
    EXPECT_EQ(TextOf(other, "switch.header_bytes"), "8");
    EXPECT_EQ(other.inSwitch.latencyPs, 250'000);
}

TEST(HostPresets, SetWhatIsNotGiven)
{
    const auto scenario = WithHost("preset = \"inceptionn\"\n");
    EXPECT_TRUE(scenario.host.isHalfDuplex);
    EXPECT_EQ(scenario.host.byteBytesPerSecond, 2'400'000'000U);
    EXPECT_EQ(scenario.host.messageCostPs, 50'000'000);
    EXPECT_EQ(scenario.host.preset, "inceptionn");
}

/* What is given counts, though it is what the key has by default. */
TEST(HostPresets, AreOverriddenByKeysWhereverTheyStand)
{
    for (const auto& scenario :
         {WithHost("preset = \"inceptionn\"\nduplex = \"full\"\n"),
          WithHost("duplex = \"full\"\npreset = \"inceptionn\"\n"),
          WithHost("duplex = \"full\"\n", {"host.preset=inceptionn"}),
          WithHost("preset = \"inceptionn\"\n", {"host.duplex=full"}),
          WithHost("", {"host.duplex=full", "host.preset=inceptionn"}),
          WithHost("duplex = \"full\"\n", {"host.preset=tcp", "host.preset=inceptionn"})})
    {
        EXPECT_FALSE(scenario.host.isHalfDuplex);
        EXPECT_EQ(scenario.host.byteBytesPerSecond, 2'400'000'000U);
    }
}

TEST(HostPresets, ReplaceEachOther)
{
    const auto scenario = WithHost("preset = \"inceptionn\"\n", {"host.preset=none"});
    EXPECT_EQ(TextOf(scenario, "host.byte_rate"), "none");
    EXPECT_EQ(scenario.host.isHalfDuplex, HostSettings{}.isHalfDuplex);
}

/* duplex cannot matter where switches add: it is written all the same, as the preset has another. */
TEST(HostPresets, AreReadBack)
{
    const auto scenario = WithHost("duplex = \"full\"\npreset = \"inceptionn\"\n",
                                   {"exchange.algorithm=switch-slots"});
    const auto again = ParseScenario(FormatScenario(scenario), "again.toml", {}).scenario;
    EXPECT_EQ(FormatScenario(again), FormatScenario(scenario));
    for (const auto* key : {"host.preset", "host.duplex", "host.byte_rate", "host.sum_rate"})
    {
        EXPECT_EQ(TextOf(again, key), TextOf(scenario, key));
    }
}

} // namespace inca
