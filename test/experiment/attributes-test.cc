/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/attributes.h"

#include "base/errors.h"
#include "device/engine.h"
#include "experiment/switch-fixture.h"
#include "helper/time-resolution.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"
#include "support/end-of.h"
#include "support/why-not.h"

#include <string>
#include <tuple>
#include <utility>
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
        Resolved resolved;
        resolved.ownAttributes = {{path, value}};
        return WhyNot([&resolved] { SetAttributeDefaults(resolved); });
    }

    /** An attribute of a new object, times in ps. */
    static std::int64_t ValueOf(const std::string& type, const std::string& attribute)
    {
        const auto object = ns3::ObjectFactory("inca::" + type).Create();
        ns3::TimeValue time;
        if (object->GetAttributeFailSafe(attribute, time))
        {
            return time.Get().GetPicoSeconds();
        }
        ns3::DataRateValue rate;
        if (object->GetAttributeFailSafe(attribute, rate))
        {
            return static_cast<std::int64_t>(rate.Get().GetBitRate());
        }
        ns3::UintegerValue number;
        object->GetAttribute(attribute, number);
        return static_cast<std::int64_t>(number.Get());
    }
};

/* Every key's attributes exist, and ns-3 reads what the keys say: else this throws, or aborts. ns-3 reads times and rates as
 * doubles, which hold the largest that keys take. What workers and switches must agree on is set on both, [engine] in both
 * directions, and an attribute of one of them wins there. */
TEST_F(AttributesTest, KeysBecomeDefaults)
{
    auto scenario = With({},
                         "training.trace=hdc cluster.mtu=9000 cluster.latency=1234567ps "
                         "exchange.algorithm=switch-slots switch.slots=7 switch.timeout=123456ps "
                         "host.frame_cost=1ns");
    scenario.transport.minTimeoutPs = 999'999'999'999'999;
    scenario.cluster.bitsPerSecond = 99'999'999'999'999;
    scenario.engine = {512, 200'000'000, 7};
    scenario.attributes = {{"inca::DecompressionEngine::PipelineLatency", "9"},
                           {"inca::Nic::Buffer", "7000"}};
    SetAttributeDefaults(*Resolve(scenario));
    const std::tuple<const char*, const char*, std::int64_t> rows[] = {
        {"Nic", "Mtu", 9000},
        {"Nic", "Buffer", 7000},
        {"Nic", "DataRate", 99'999'999'999'999},
        {"Link", "Delay", 1'234'567},
        {"Transport", "MinTimeout", 999'999'999'999'999},
        {"SlotProgram", "Slots", 7},
        {"SlotClient", "Slots", 7},
        {"SlotClient", "Timeout", 123'456},
        {"HostPath", "FrameCost", 1000},
        {"CompressionEngine", "Width", 512},
        {"DecompressionEngine", "Width", 512},
        {"CompressionEngine", "PipelineLatency", 7},
        {"DecompressionEngine", "PipelineLatency", 9},
    };
    for (const auto& [type, attribute, expected] : rows)
    {
        EXPECT_EQ(ValueOf(type, attribute), expected) << type << " " << attribute;
    }
    EXPECT_EQ(ns3::CreateObject<CompressionEngine>()->GetClock(), "200MHz");
    EXPECT_EQ(ns3::CreateObject<DecompressionEngine>()->GetClock(), "200MHz");
}

/* ns-3 aborts at a text that is no number, and takes -1 for 2^64 - 1. */
TEST_F(AttributesTest, RefuseValuesThatDoNotFit)
{
    using testing::HasSubstr;
    const std::pair<const char*, std::vector<const char*>> rows[] = {
        {"inca::Transport::InitialTimeout", {"soon", "-1us", "1 fortnight", "1us1"}},
        {"inca::Transport::TxRing", {"0", "abc", "1e99", "nan", "-1", "", "1.5"}},
        {"inca::Nic::Buffer", {"abc", "1e99", "nan", "-1", "", "1.5"}},
        {"inca::SwitchPort::DataRate", {"fast", "0Gbps"}},
        {"inca::Nic::PcapSide", {"both", "", "Host"}}};
    for (const auto& [attribute, values] : rows)
    {
        for (const std::string value : values)
        {
            EXPECT_THAT(Complaint(attribute, value), HasSubstr("does not take '" + value + "'"));
        }
    }
}

TEST_F(AttributesTest, RefuseAllThatIsWrongAtOnce)
{
    Resolved resolved;
    resolved.ownAttributes = {{"inca::Nic::Bufer", "1400"},
                              {"inca::Nic::Buffer", "1400"},
                              {"inca::CompressionEngine::Clock", "fast"}};
    try
    {
        SetAttributeDefaults(resolved);
        FAIL() << "two of three are wrong";
    }
    catch (const InputError& error)
    {
        ASSERT_EQ(error.Complaints().size(), 2U);
        EXPECT_THAT(error.Complaints()[1],
                    testing::HasSubstr("attributes.\"inca::CompressionEngine::Clock\": 'fast'"));
    }
}

/* A run leaves ns-3's defaults as it found them, and a refused one. */
TEST_F(AttributesTest, AreForgottenAfterARun)
{
    auto scenario = With(Bare("tensor:1MB"), "cluster.bandwidth=100Gbps codec.name=inceptionn");
    const auto beforePs = EndPs(scenario);
    scenario.attributes = {{"inca::CompressionEngine::Clock", "50MHz"}};
    EXPECT_GT(EndPs(scenario), beforePs);
    scenario.attributes.emplace_back("inca::Link::Nothing", "1");
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

using OddAttributes = ScenarioFixture;

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

} // namespace inca
