/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "scenario/keys.h"
#include "scenario/resolve.h"
#include "scenario/scenario-reader.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Attributes = std::vector<std::pair<std::string, std::string>>;

constexpr const char* g_compressed = "[training]\ntrace = \"hdc\"\n[codec]\nname = \"truncate\"\n";
constexpr const char* g_width = "attributes.inca::CompressionEngine::Width=";
constexpr const char* g_otherWidth = "attributes.inca::DecompressionEngine::Width=";

LoadedScenario
Parse(const std::vector<std::string>& settings)
{
    return ParseScenario(g_compressed, "ring.toml", settings);
}

std::vector<std::string>
ComplaintsOf(const std::vector<std::string>& settings)
{
    try
    {
        Parse(settings);
    }
    catch (const InputError& error)
    {
        return error.Complaints();
    }
    return {};
}

std::vector<std::uint64_t>
Widths(const Scenario& scenario)
{
    return {EngineOf(scenario, "inca::CompressionEngine").widthBits,
            EngineOf(scenario, "inca::DecompressionEngine").widthBits};
}

} // namespace

TEST(EngineKeys, SetBothDirections)
{
    const auto engine =
        Parse({"engine.width=512", "engine.clock=265MHz", "engine.latency=40"}).scenario.engine;
    EXPECT_EQ(engine.widthBits, 512U);
    EXPECT_EQ(engine.hertz, 265'000'000U);
    EXPECT_EQ(engine.latencyCycles, 40U);
    EXPECT_THAT(Widths(Parse({"engine.width=512"}).scenario), ElementsAre(512U, 512U));
    EXPECT_THAT(ComplaintsOf({"engine.clock=0Hz"}), ElementsAre(HasSubstr("1Hz to 1000GHz")));
    EXPECT_THAT(ComplaintsOf({"engine.width=7"}), ElementsAre(HasSubstr("8..1000000, got '7'")));
}

TEST(EngineKeys, AreColumnsWhereThereAreEngines)
{
    auto scenario = Parse({"engine.clock=265MHz"}).scenario;
    const auto& clock = *FindKey("engine.clock");
    EXPECT_EQ(clock.columnText(scenario), "265");
    EXPECT_EQ(IdleReason(clock, scenario), "");
    scenario.codec.name = "none";
    EXPECT_EQ(IdleReason(clock, scenario), "codec.name is none");
}

/* An attribute is of one direction, and stays one: the other has what the key says. */
TEST(EngineKeys, LeaveAnAttributeOfOneDirectionToIt)
{
    const auto scenario = Parse({std::string(g_width) + "64"}).scenario;
    EXPECT_THAT(Widths(scenario), ElementsAre(64U, 256U));
    EXPECT_EQ(scenario.engine.widthBits, 256U);
    EXPECT_EQ(scenario.attributes.size(), 1U);
    const auto both =
        Parse({std::string(g_width) + "64", std::string(g_otherWidth) + "128"}).scenario;
    EXPECT_THAT(Widths(both), ElementsAre(64U, 128U));
}

TEST(EngineKeys, AreWhatAttributesOfBothDirectionsSay)
{
    const auto scenario =
        Parse({std::string(g_width) + "64", std::string(g_otherWidth) + "64"}).scenario;
    EXPECT_EQ(scenario.engine.widthBits, 64U);
    EXPECT_THAT(scenario.attributes, IsEmpty());
    EXPECT_THAT(Widths(Resolved(scenario)), ElementsAre(64U, 64U));
}

/* Which of the two is meant, only who wrote them knows. */
TEST(EngineKeys, ContradictNoAttribute)
{
    EXPECT_THAT(
        ComplaintsOf({"engine.width=512", std::string(g_width) + "64"}),
        ElementsAre("--set attributes.inca::CompressionEngine::Width: sets engine.width to 64, but "
                    "--set engine.width sets it to 512; leave one of them out"));
    EXPECT_THAT(ComplaintsOf({"engine.width=64", std::string(g_width) + "64"}), IsEmpty());
    EXPECT_THAT(ComplaintsOf({"attributes.inca::CompressionEngine::Clock=fast"}),
                ElementsAre(HasSubstr("sets engine.clock: 'fast'")));
}

} // namespace inca
