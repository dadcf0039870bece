/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/star-helper.h"

#include "base/errors.h"
#include "helper/time-resolution.h"

#include "ns3/config.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

namespace inca
{

class StarHelperTest : public testing::Test
{
  protected:
    StarHelperTest()
    {
        SetPicosecondResolution();
    }

    void TearDown() override
    {
        ns3::Simulator::Destroy();
        ns3::Config::Reset();
    }

    /** Host 0 sends one frame of 1460 bytes to host 1. @return when it was delivered (ps) */
    std::int64_t TimeOfOneFrame(const StarHelper& helper)
    {
        const auto star = helper.Install(3);
        std::int64_t timePs = -1;
        star.transports[1]->SetReceiver(
            JobId(), [&](ReceivedMessage) { timePs = ns3::Simulator::Now().GetTimeStep(); });
        Message message;
        message.to = star.Address(1);
        message.plainBytes = 1460;
        star.transports[0]->Send(message, {});
        ns3::Simulator::Run();
        ns3::Simulator::Destroy();
        return timePs;
    }
};

/* 1538 bytes twice at 10 Gb/s (1230.4 ns), 1 us twice. */
TEST_F(StarHelperTest, BuildsAtTheDefaults)
{
    EXPECT_EQ(TimeOfOneFrame(StarHelper()), 2 * (1'230'400 + 1'000'000));
}

TEST_F(StarHelperTest, GivesTheSameTimesAgain)
{
    const auto first = TimeOfOneFrame(StarHelper());
    EXPECT_EQ(TimeOfOneFrame(StarHelper()), first);
}

/* Host 1 at 1 Gb/s: its link takes 12304 ns. The links take 2 us. */
TEST_F(StarHelperTest, SetsRatesAndLatencies)
{
    StarHelper helper;
    helper.SetHostRate(1, ns3::DataRate("1Gbps"));
    helper.SetLinkAttribute("Delay", ns3::TimeValue(ns3::MicroSeconds(2)));
    EXPECT_EQ(TimeOfOneFrame(helper), 1'230'400 + 12'304'000 + 2 * 2'000'000);
}

TEST_F(StarHelperTest, LeavesOtherAttributesToTheirDefaults)
{
    ns3::Config::SetDefault("inca::Nic::DataRate", ns3::StringValue("100Gbps"));
    ns3::Config::SetDefault("inca::Switch::Latency", ns3::StringValue("300ns"));
    EXPECT_EQ(TimeOfOneFrame(StarHelper()), 2 * (123'040 + 1'000'000) + 300'000);
}

TEST_F(StarHelperTest, RefusesASingleHost)
{
    EXPECT_THROW(StarHelper().Install(1), InputError);
}

} // namespace inca
