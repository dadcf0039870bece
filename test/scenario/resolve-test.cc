/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/resolve.h"

#include "exchange/slot-scheme.h"
#include "scenario-settings.h"
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

Scenario
With(const Attributes& attributes)
{
    Scenario scenario;
    scenario.attributes = attributes;
    return scenario;
}

std::vector<std::string>
ComplaintsOf(const Scenario& scenario)
{
    return ComplaintsIn([&scenario] { Resolved(scenario); });
}

constexpr const char* g_width = "attributes.inca::CompressionEngine::Width=64";
constexpr const char* g_otherWidth = "attributes.inca::DecompressionEngine::Width=64";

LoadedScenario
Parse(const std::vector<std::string>& settings)
{
    return ParseScenario(
        "[training]\ntrace = \"hdc\"\n[codec]\nname = \"truncate\"\n", "ring.toml", settings);
}

std::vector<std::uint64_t>
Widths(const Scenario& scenario)
{
    return {EngineOf(scenario, "inca::CompressionEngine").widthBits,
            EngineOf(scenario, "inca::DecompressionEngine").widthBits};
}

} // namespace

TEST(Resolved, ReadsAnAttributeAsTheKeyThatSetsIt)
{
    const auto scenario = Resolved(With({{"inca::Transport::Window", "32"},
                                         {"inca::Link::Delay", "+2000.0ns"},
                                         {"inca::Nic::DataRate", "40Gb/s"},
                                         {"inca::SwitchPort::Buffer", "1048576"},
                                         {"inca::RankApplication::SumRate", "0"},
                                         {"inca::SlotClient::FixedExponent", "-6"},
                                         {"inca::SlotProgram::Adder", "fp32"}}));
    EXPECT_TRUE(scenario.attributes.empty());
    EXPECT_EQ(scenario.transport.window, 32U);
    EXPECT_EQ(scenario.cluster.latencyPs, 2'000'000);
    EXPECT_EQ(scenario.cluster.bitsPerSecond, 40'000'000'000U);
    EXPECT_EQ(scenario.cluster.bufferBytes, 1'048'576U);
    EXPECT_EQ(scenario.host.sumBytesPerSecond, 0U);
    EXPECT_EQ(ReadSlotSettings(scenario.aggregation).fixedExponent, -6);
    EXPECT_EQ(ReadSlotSettings(scenario.aggregation).adder, "fp32");
}

TEST(Resolved, LeavesOthersToNs3InTheirOrder)
{
    const Attributes others{{"inca::Nic::Buffer", "7"}, {"a", "b"}, {"ns3::X::Y", "1"}};
    auto all = others;
    all.insert(all.begin() + 1, {"inca::Transport::Window", "3"});
    EXPECT_EQ(Resolved(With(all)).attributes, others);
}

TEST(Resolved, LeavesAResolvedScenarioAsItIs)
{
    const auto once = Resolved(With({{"inca::Transport::Window", "3"}}));
    EXPECT_EQ(Resolved(once).transport.window, 3U);
}

TEST(Resolved, TakesBothSidesOfOneKey)
{
    const Attributes same{{"inca::SlotProgram::Slots", "7"}, {"inca::SlotClient::Slots", "7"}};
    EXPECT_EQ(ReadSlotSettings(Resolved(With(same)).aggregation).slots, 7U);
    const Attributes other{{"inca::SlotProgram::Slots", "7"}, {"inca::SlotClient::Slots", "8"}};
    EXPECT_THAT(ComplaintsOf(With(other)),
                ElementsAre("attributes.\"inca::SlotClient::Slots\": sets switch.slots to "
                            "8, but attributes.\"inca::SlotProgram::Slots\" sets it to 7; "
                            "leave one of them out"));
}

TEST(Resolved, RefusesAnAttributeThatContradictsItsKey)
{
    auto scenario = With({{"inca::Transport::Window", "32"}});
    scenario.transport.window = 32;
    EXPECT_TRUE(ComplaintsOf(scenario).empty());
    scenario.transport.window = 33;
    EXPECT_THAT(ComplaintsOf(scenario),
                ElementsAre("attributes.\"inca::Transport::Window\": sets "
                            "transport.window to 32, but transport.window sets it to 33; "
                            "leave one of them out"));
}

TEST(Resolved, RefusesWhatTheKeyDoesNotTake)
{
    const auto one = [](const char* path, const char* text) {
        const auto complaints = ComplaintsOf(With({{path, text}}));
        return complaints.size() == 1 ? complaints[0] : "";
    };
    EXPECT_EQ(one("inca::Transport::Window", "0"),
              "attributes.\"inca::Transport::Window\": sets transport.window: must be a whole "
              "number of 1..65536, got '0'");
    EXPECT_THAT(one("inca::Transport::Window", "-1"), HasSubstr("1..65536, got '-1'"));
    EXPECT_THAT(one("inca::Link::Delay", "soon"), HasSubstr("sets cluster.latency: 'soon'"));
    EXPECT_THAT(one("inca::Nic::DataRate", "0Gbps"), HasSubstr("1kbps to 100Tbps"));
    EXPECT_THAT(one("inca::SlotClient::Scaling", "some"), HasSubstr("known are block, fixed"));
}

TEST(Resolved, RefusesAllThatIsWrongAtOnce)
{
    EXPECT_EQ(ComplaintsOf(With({{"inca::Nic::Mtu", "1"}, {"inca::Link::Delay", "soon"}})).size(),
              2U);
}

/* 12 GB/s for 3 GPUs side by side are 4 GB/s each. */
TEST(Resolved, SharesACopyRateAmongGpus)
{
    auto scenario = With({{"inca::WorkerApplication::CopyRate", "12000000000"}});
    scenario.cluster.gpus = 3;
    EXPECT_EQ(Resolved(scenario).host.copyBytesPerSecond, 4'000'000'000U);
    scenario.attributes[0].second = "12000000001";
    EXPECT_THAT(ComplaintsOf(scenario),
                ElementsAre(HasSubstr("must be a multiple of cluster.gpus (3)")));
}

/* What a key says of its attributes, its attributes say of the key. */
TEST(KeyAttributes, LeadBackToTheirKeys)
{
    Scenario standard;
    standard.codec.encodeBytesPerSecond = 1; // a rate that is not given cannot be set
    standard.codec.decodeBytesPerSecond = 1;
    standard.training.trace = "hdc";
    for (const auto& key : ScenarioKeys())
    {
        for (const auto& path : key.attributes.paths)
        {
            EXPECT_EQ(FindKeyOfAttribute(path), &key) << path; // no other key's
            const auto text = key.attributes.text(standard);
            EXPECT_EQ(key.attributes.keyText(standard, text), key.text(standard)) << path;
        }
    }
}

TEST(EngineKeys, SetBothDirections)
{
    const auto engine =
        Parse({"engine.width=512", "engine.clock=265MHz", "engine.latency=40"}).scenario.engine;
    EXPECT_EQ(engine.widthBits, 512U);
    EXPECT_EQ(engine.hertz, 265'000'000U);
    EXPECT_EQ(engine.latencyCycles, 40U);
    EXPECT_THAT(Widths(Parse({"engine.width=512"}).scenario), ElementsAre(512U, 512U));
}

/* An attribute is of one direction, and stays one: the other has what the key says. */
TEST(EngineKeys, LeaveAnAttributeOfOneDirectionToIt)
{
    const auto scenario = Parse({g_width}).scenario;
    EXPECT_THAT(Widths(scenario), ElementsAre(64U, 256U));
    EXPECT_EQ(scenario.engine.widthBits, 256U);
    EXPECT_EQ(scenario.attributes.size(), 1U);
    const auto both = Parse({g_width, std::string(g_otherWidth) + "0"}).scenario;
    EXPECT_THAT(Widths(both), ElementsAre(64U, 640U));
}

TEST(EngineKeys, AreWhatAttributesOfBothDirectionsSay)
{
    const auto scenario = Parse({g_width, g_otherWidth}).scenario;
    EXPECT_EQ(scenario.engine.widthBits, 64U);
    EXPECT_THAT(scenario.attributes, IsEmpty());
    EXPECT_THAT(Widths(Resolved(scenario)), ElementsAre(64U, 64U));
}

/* Which of the two is meant, only who wrote them knows. */
TEST(EngineKeys, ContradictNoAttribute)
{
    const auto complaints = [](const std::vector<std::string>& settings) {
        return ComplaintsIn([&settings] { Parse(settings); });
    };
    EXPECT_THAT(
        complaints({"engine.width=512", g_width}),
        ElementsAre("--set attributes.inca::CompressionEngine::Width: sets engine.width to 64, but "
                    "--set engine.width sets it to 512; leave one of them out"));
    EXPECT_THAT(complaints({"engine.width=64", g_width}), IsEmpty());
    EXPECT_THAT(complaints({"attributes.inca::CompressionEngine::Clock=fast"}),
                ElementsAre(HasSubstr("sets engine.clock: 'fast'")));
}

} // namespace inca
