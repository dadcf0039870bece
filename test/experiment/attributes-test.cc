/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/attributes.h"

#include "aggregation/slot-client.h"
#include "aggregation/slot-program.h"
#include "base/errors.h"
#include "device/engine.h"
#include "device/link.h"
#include "device/nic.h"
#include "device/switch.h"
#include "experiment/scenario-fixture.h"
#include "helper/time-resolution.h"

#include "ns3/config.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace inca
{

class AttributesTest : public ScenarioFixture
{
  protected:
    AttributesTest()
    {
        SetPicosecondResolution();
    }

    ~AttributesTest() override
    {
        ns3::Config::Reset();
    }

    static std::string Complaint(const std::string& path, const std::string& value)
    {
        Scenario scenario;
        scenario.attributes = {{path, value}};
        try
        {
            SetAttributeDefaults(scenario);
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return "";
    }
};

TEST_F(AttributesTest, KeysBecomeDefaults)
{
    Scenario scenario;
    scenario.cluster.mtu = 9000;
    scenario.cluster.latencyPs = 1'234'567;
    SetAttributeDefaults(scenario);
    EXPECT_EQ(ns3::CreateObject<Nic>()->GetMtu(), 9000);
    ns3::TimeValue delay;
    ns3::CreateObject<Link>()->GetAttribute("Delay", delay);
    EXPECT_EQ(delay.Get().GetPicoSeconds(), 1'234'567);
}

TEST_F(AttributesTest, AttributesWinOverKeys)
{
    Scenario scenario;
    scenario.cluster.mtu = 9000;
    scenario.attributes = {{"inca::Nic::Mtu", "1400"}};
    SetAttributeDefaults(scenario);
    EXPECT_EQ(ns3::CreateObject<Nic>()->GetMtu(), 1400);
}

TEST_F(AttributesTest, RefuseWhatDoesNotExistAndNameTheNearest)
{
    using testing::AllOf;
    using testing::HasSubstr;
    EXPECT_THAT(Complaint("inca::Nick::Mtu", "1400"),
                AllOf(HasSubstr("attributes.\"inca::Nick::Mtu\""), HasSubstr("'inca::Nic::Mtu'")));
    EXPECT_THAT(Complaint("inca::Nic::Mtv", "1400"), HasSubstr("'inca::Nic::Mtu'"));
    EXPECT_THAT(Complaint("Mtu", "1400"), HasSubstr("its type, '::' and its name"));
}

TEST_F(AttributesTest, RefuseValuesThatDoNotFit)
{
    using testing::HasSubstr;
    EXPECT_THAT(Complaint("inca::Link::Delay", "soon"), HasSubstr("does not take 'soon'"));
    EXPECT_THAT(Complaint("inca::Transport::Window", "0"), HasSubstr("does not take '0'"));
    EXPECT_THAT(Complaint("inca::Link::Delay", "-1us"), HasSubstr("does not take '-1us'"));
    EXPECT_THAT(Complaint("inca::Nic::DataRate", "fast"), HasSubstr("does not take 'fast'"));
    EXPECT_THAT(Complaint("inca::Nic::Mtu", "70000"), HasSubstr("by default 1500"));
    EXPECT_THAT(Complaint("inca::Nic::DataRate", "0Gbps"), HasSubstr("does not take '0Gbps'"));
}

TEST_F(AttributesTest, RefuseAllThatIsWrongAtOnce)
{
    Scenario scenario;
    scenario.attributes = {{"inca::Nic::Mtv", "1400"},
                           {"inca::Nic::Mtu", "1400"},
                           {"inca::CompressionEngine::Clock", "fast"}};
    try
    {
        SetAttributeDefaults(scenario);
        FAIL() << "two of three are wrong";
    }
    catch (const InputError& error)
    {
        ASSERT_EQ(error.Complaints().size(), 2U);
        EXPECT_THAT(error.Complaints()[1],
                    testing::HasSubstr("attributes.\"inca::CompressionEngine::Clock\": 'fast'"));
    }
}

TEST_F(AttributesTest, WarnWhereTheyOverrideAKey)
{
    Scenario scenario;
    scenario.attributes = {{"inca::Nic::DataRate", "1Gbps"}, {"inca::Nic::Buffer", "1000000"}};
    const auto warnings = AttributeWarnings(scenario);
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings[0],
              "attributes.\"inca::Nic::DataRate\" = 1Gbps overrides cluster.bandwidth");
}

/* What workers and switches must agree on is set on both; an attribute changes one side alone. */
TEST_F(AttributesTest, KeysOfSwitchesReachBothSides)
{
    Scenario scenario;
    scenario.inSwitch.slots = 7;
    scenario.inSwitch.timeoutPs = 123'456;
    scenario.host.frameCostPs = 1000;
    scenario.attributes = {{"inca::SlotProgram::ValuesPerPacket", "64"}};
    SetAttributeDefaults(scenario);
    ns3::UintegerValue number;
    ns3::CreateObject<SlotProgram>()->GetAttribute("Slots", number);
    EXPECT_EQ(number.Get(), 7U);
    const auto client = ns3::CreateObject<SlotClient>();
    client->GetAttribute("Slots", number);
    EXPECT_EQ(number.Get(), 7U);
    client->GetAttribute("ValuesPerPacket", number);
    EXPECT_EQ(number.Get(), 256U);
    ns3::TimeValue cost;
    client->GetAttribute("HostFrameCost", cost);
    EXPECT_EQ(cost.Get().GetPicoSeconds(), 1000);
    EXPECT_EQ(AsBuilt(scenario).inSwitch.timeoutPs, 123'456);
    ASSERT_EQ(AttributeWarnings(scenario).size(), 1U);
}

/* Two settings as attributes give what the workers go by. */
TEST_F(AttributesTest, AsBuiltReadsTheWorkersSide)
{
    Scenario scenario;
    scenario.attributes = {{"inca::SlotClient::ValuesPerPacket", "64"},
                           {"inca::SlotClient::Adder", "fp32"},
                           {"inca::SlotProgram::AdderRate", "1000"}};
    SetAttributeDefaults(scenario);
    const auto built = AsBuilt(scenario).inSwitch;
    EXPECT_EQ(built.valuesPerPacket, 64U);
    EXPECT_EQ(built.adder, "fp32");
    EXPECT_EQ(built.valuesPerSecond, 1000U);
}

/* A clock is text to ns-3, and is read when the first engine is made. */
TEST_F(AttributesTest, RefuseAClockThatIsNone)
{
    auto scenario = Bare("tensor:400B");
    scenario.codec.name = "truncate";
    scenario.attributes = {{"inca::CompressionEngine::Clock", "fast"}};
    EXPECT_THROW(Run(scenario), InputError);
}

/* The path of the documentation, of a type whose attribute its base type might declare. At 50 MHz
 * instead of 100 the compression engine takes 12.8 Gb/s: 500 kB of each of two messages takes 312.5
 * us, at 100 Gb/s longer than anything else; the decompression engine stays at 25.6 Gb/s. */
TEST_F(AttributesTest, ReachTheCompressionEnginesClock)
{
    auto scenario = Bare("tensor:1MB");
    scenario.cluster.bitsPerSecond = 100'000'000'000;
    scenario.codec.name = "inceptionn";
    const auto fastPs = EndPs(scenario);
    scenario.attributes = {{"inca::CompressionEngine::Clock", "50MHz"}};
    const auto slowPs = EndPs(scenario);
    EXPECT_GE(slowPs, 2 * 312'500'000);
    EXPECT_LT(fastPs, 2 * 312'500'000);
}

/* A run leaves ns-3's defaults as it found them. */
TEST_F(AttributesTest, AreForgottenAfterARun)
{
    auto scenario = Bare("tensor:400B");
    const auto beforePs = EndPs(scenario);
    scenario.attributes = {{"inca::Link::Delay", "5us"}};
    EXPECT_EQ(EndPs(scenario), beforePs + 2 * 2 * 4'000'000); // two hops of two links
    scenario.attributes.clear();
    EXPECT_EQ(EndPs(scenario), beforePs);
}

TEST_F(AttributesTest, AreForgottenAfterARefusal)
{
    auto scenario = Bare("tensor:400B");
    const auto beforePs = EndPs(scenario);
    scenario.attributes = {{"inca::Link::Delay", "5us"}, {"inca::Link::Nothing", "1"}};
    EXPECT_THROW(Run(scenario), InputError);
    scenario.attributes.clear();
    EXPECT_EQ(EndPs(scenario), beforePs);
}

} // namespace inca
