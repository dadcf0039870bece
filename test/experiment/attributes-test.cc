/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/attributes.h"

#include "aggregation/slot-client.h"
#include "aggregation/slot-program.h"
#include "base/errors.h"
#include "base/units.h"
#include "device/compression-engine.h"
#include "device/decompression-engine.h"
#include "device/link.h"
#include "device/nic.h"
#include "device/switch.h"
#include "experiment/scenario-fixture.h"
#include "experiment/switch-fixture.h"
#include "helper/time-resolution.h"
#include "ns3/config.h"
#include "ns3/nstime.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"
#include "plan/plan-maker.h"
#include "scenario/keys.h"
#include "support/end-of.h"
#include "transport/transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

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

/* Every key's attributes exist, and ns-3 reads what the keys say: else this throws, or aborts. */
TEST_F(AttributesTest, AllKeysReachNs3)
{
    Scenario scenario;
    scenario.training.trace = "hdc";
    SetAttributeDefaults(scenario);
    scenario.attributes = {{"inca::Nic::Buffer", "7000"}};
    SetAttributeDefaults(scenario);
    ns3::UintegerValue bytes;
    ns3::CreateObject<Nic>()->GetAttribute("Buffer", bytes);
    EXPECT_EQ(bytes.Get(), 7000U);
}

/* ns-3 reads times and rates as doubles, which hold the largest that keys take. */
TEST_F(AttributesTest, ArriveToThePicosecond)
{
    Scenario scenario;
    scenario.transport.minTimeoutPs = 999'999'999'999'999;
    scenario.cluster.bitsPerSecond = 99'999'999'999'999;
    scenario.cluster.latencyPs = 999;
    SetAttributeDefaults(scenario);
    ns3::TimeValue time;
    ns3::CreateObject<Transport>()->GetAttribute("MinTimeout", time);
    EXPECT_EQ(time.Get().GetPicoSeconds(), 999'999'999'999'999);
    ns3::CreateObject<Link>()->GetAttribute("Delay", time);
    EXPECT_EQ(time.Get().GetPicoSeconds(), 999);
    EXPECT_EQ(ns3::CreateObject<Nic>()->BitsPerSecond(), 99'999'999'999'999U);
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
    const auto refused = [](const char* attribute, const char* value) {
        EXPECT_THAT(Complaint(std::string("inca::") + attribute, value),
                    HasSubstr(std::string("does not take '") + value + "'"));
    };
    refused("Transport::InitialTimeout", "soon");
    refused("Transport::InitialTimeout", "-1us");
    refused("Transport::TxRing", "0");
    refused("SwitchPort::DataRate", "fast");
    refused("SwitchPort::DataRate", "0Gbps");
    EXPECT_THAT(Complaint("inca::Transport::TxRing", "0"), HasSubstr("by default 8"));
}

TEST_F(AttributesTest, RefuseAllThatIsWrongAtOnce)
{
    Scenario scenario;
    scenario.attributes = {{"inca::Nic::Bufer", "1400"},
                           {"inca::Nic::Buffer", "1400"},
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

/* What workers and switches must agree on is set on both. */
TEST_F(AttributesTest, KeysOfSwitchesReachBothSides)
{
    Scenario scenario;
    scenario.exchange.algorithm = "switch-slots";
    SetKey(scenario, "switch.slots", "7");
    SetKey(scenario, "switch.timeout", "123456ps");
    scenario.host.frameCostPs = 1000;
    SetAttributeDefaults(scenario);
    ns3::UintegerValue number;
    ns3::CreateObject<SlotProgram>()->GetAttribute("Slots", number);
    EXPECT_EQ(number.Get(), 7U);
    const auto client = ns3::CreateObject<SlotClient>();
    client->GetAttribute("Slots", number);
    EXPECT_EQ(number.Get(), 7U);
    ns3::TimeValue cost;
    ns3::CreateObject<HostPath>()->GetAttribute("FrameCost", cost);
    EXPECT_EQ(cost.Get().GetPicoSeconds(), 1000);
    ns3::TimeValue timeout;
    client->GetAttribute("Timeout", timeout);
    EXPECT_EQ(timeout.Get().GetPicoSeconds(), 123'456);
}

/* A clock is text to ns-3, and is read when the first engine is made. */
TEST_F(AttributesTest, RefuseAClockThatIsNone)
{
    auto scenario = Bare("tensor:400B");
    scenario.codec.name = "truncate";
    scenario.attributes = {{"inca::CompressionEngine::Clock", "fast"}};
    EXPECT_THROW(Run(scenario), InputError);
}

/* [engine] is of both directions, and an attribute of one of them wins there. */
TEST_F(AttributesTest, KeysOfEnginesReachBothDirections)
{
    Scenario scenario;
    scenario.engine = {512, 200'000'000, 7};
    scenario.attributes = {{"inca::DecompressionEngine::PipelineLatency", "9"}};
    SetAttributeDefaults(scenario);
    const auto number = [](const ns3::Ptr<Engine>& engine, const char* attribute) {
        ns3::UintegerValue value;
        engine->GetAttribute(attribute, value);
        return value.Get();
    };
    const ns3::Ptr<Engine> compression = ns3::CreateObject<CompressionEngine>();
    const ns3::Ptr<Engine> decompression = ns3::CreateObject<DecompressionEngine>();
    for (const auto& engine : {compression, decompression})
    {
        EXPECT_EQ(number(engine, "Width"), 512U);
        EXPECT_EQ(engine->GetClock(), "200MHz");
    }
    EXPECT_EQ(number(compression, "PipelineLatency"), 7U);
    EXPECT_EQ(number(decompression, "PipelineLatency"), 9U);
}

/* The scenario's defaults are those of the classes. */
TEST_F(AttributesTest, EnginesAreAsPlanned)
{
    const EngineSettings planned;
    const auto made = ns3::CreateObject<CompressionEngine>();
    ns3::UintegerValue width;
    made->GetAttribute("Width", width);
    EXPECT_EQ(width.Get(), planned.widthBits);
    EXPECT_EQ(made->GetClock(), FormatHertz(planned.hertz));
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

namespace
{

/** Every attribute of every type in this process, ns-3's own too. */
std::vector<std::string>
AllAttributes()
{
    std::vector<std::string> paths;
    for (std::uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i)
    {
        const auto type = ns3::TypeId::GetRegistered(i);
        for (std::size_t j = 0; j < type.GetAttributeN(); ++j)
        {
            paths.push_back(type.GetName() + "::" + type.GetAttribute(j).name);
        }
    }
    return paths;
}

} // namespace

class OddAttributes : public ScenarioFixture
{
};

/* No text may end in a signal, or in a broken invariant: it runs, is refused, or the run stands still. */
TEST_F(OddAttributes, AreRefusedOrRun)
{
    const std::vector<std::string> texts{
        "", "x", "-1", "0", "1", "18446744073709551615", "1e308", "999ps", "inca::Nic"};
    const auto paths = AllAttributes();
    EXPECT_GT(paths.size(), 100U); // ns-3's and INCA's
    std::size_t runs = 0;
    for (const auto& path : paths)
    {
        for (const auto& text : texts)
        {
            auto scenario = Bare("tensor:4kB");
            scenario.exchange.algorithm = ++runs % 2 == 0 ? "switch-slots" : "ring";
            scenario.attributes = {{path, text}};
            const auto end = EndOf([&scenario] { Simulate(MakePlan(scenario), [](double) {}); });
            EXPECT_TRUE(end == 0 || end == 2 || end == 4)
                << path << " = '" << text << "' with " << scenario.exchange.algorithm << ": "
                << end;
        }
    }
}

using TimeAttribute = ScenarioFixture;

/* ns-3's reader of times ends the process at a text that is none, and so did a scenario with one. */
TEST_F(TimeAttribute, IsRefusedLikeAnyOther)
{
    auto scenario = Bare("tensor:400B");
    for (const auto* text : {"soon", "", "1 fortnight", "1us1"})
    {
        for (const auto* path : {"inca::Link::Delay", "inca::Transport::InitialTimeout"})
        {
            scenario.attributes = {{path, text}};
            EXPECT_THROW(Run(scenario), InputError) << path << " " << text;
        }
    }
}

/* ns-3 aborts at a text that is no number, and takes -1 for 2^64 - 1. */
TEST(NumberAttribute, IsRefusedInsteadOfEndingTheProcess)
{
    for (const auto* value : {"abc", "1e99", "nan", "-1", "", "1.5"})
    {
        Scenario scenario;
        scenario.attributes = {{"inca::Transport::TxRing", value}};
        EXPECT_THROW(SetAttributeDefaults(scenario), InputError) << value;
        scenario.attributes = {{"inca::Nic::Buffer", value}};
        EXPECT_THROW(SetAttributeDefaults(scenario), InputError) << value;
    }
    ns3::Config::Reset();
}

using TimeBelowANanosecond = SwitchFixture;

/* ns-3 ended the process at switch.timeout = "999ps", and at transport.min_timeout = "1ps", even with
 * exchanges that use neither: a checker of times "of at least one unit" is made while a unit is 1 ns. */
TEST_F(TimeBelowANanosecond, IsATimeoutLikeAnyOther)
{
    for (auto scenario : {Slots(1), Bare("tensor:400B")})
    {
        SetKey(scenario, "switch.timeout", "10us");
        SetKey(scenario, "transport.min_timeout", "1ps");
        EXPECT_NO_THROW(Run(scenario)) << scenario.exchange.algorithm;
    }
    SetPicosecondResolution();
    for (const auto* key : {"switch.timeout", "transport.min_timeout"})
    {
        for (const auto* time : {"1ps", "999ps"})
        {
            auto scenario = Slots(1);
            SetKey(scenario, key, time);
            EXPECT_NO_THROW(SetAttributeDefaults(scenario)) << key << " = " << time;
        }
    }
}

} // namespace inca
