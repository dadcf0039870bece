/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/keys.h"
#include "scenario/switch-checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

class SwitchChecksTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_scenario.exchange.algorithm = "switch-slots";
    }

    /** "key: text" each. */
    std::vector<std::string> Texts() const
    {
        std::vector<std::string> texts;
        for (const auto& complaint : SwitchComplaints(m_scenario))
        {
            texts.push_back(complaint.key + ": " + complaint.text);
        }
        return texts;
    }

    Scenario m_scenario;
};

TEST_F(SwitchChecksTest, PassTheDefaults)
{
    EXPECT_THAT(Texts(), IsEmpty());
}

/* IPv4 20 + UDP 8 + program 16 + 4 * 364 = 1500: the most in a usual MTU. */
TEST_F(SwitchChecksTest, PacketsFitTheMtu)
{
    SetKey(m_scenario, "switch.values_per_packet", "364");
    EXPECT_THAT(Texts(), IsEmpty());
    SetKey(m_scenario, "switch.values_per_packet", "365");
    EXPECT_THAT(Texts(),
                ElementsAre("switch.values_per_packet: 365 values make an IP packet of 44 + 4 * "
                            "365 = 1504 bytes, cluster.mtu is 1500"));
    m_scenario.cluster.mtu = 1504;
    EXPECT_THAT(Texts(), IsEmpty());
}

/* 2 copies * 256 values * 4 bytes = 2048 bytes a slot: 16 slots in 32 KiB. */
TEST_F(SwitchChecksTest, SlotsFitTheMemory)
{
    SetKey(m_scenario, "switch.memory", std::to_string(32 << 10) + "B");
    SetKey(m_scenario, "switch.slots", "16");
    EXPECT_THAT(Texts(), IsEmpty());
    SetKey(m_scenario, "switch.slots", "17");
    EXPECT_THAT(Texts(),
                ElementsAre("switch.slots: 17 slots of 2 copies of 256 values need 34KiB, "
                            "switch.memory is 32KiB"));
}

TEST_F(SwitchChecksTest, LargestSlotsDoNotOverflow)
{
    SetKey(m_scenario, "switch.slots", "1048576");
    SetKey(m_scenario, "switch.values_per_packet", "16384");
    SetKey(m_scenario, "switch.memory", std::to_string(1ULL << 40U) + "B");
    m_scenario.cluster.mtu = 9216;
    // 2^20 slots * 2 * 2^14 values * 4 bytes = 2^37 bytes fit 2^40; the packet does not fit
    EXPECT_THAT(Texts(), ElementsAre(StartsWith("switch.values_per_packet: ")));
}

TEST_F(SwitchChecksTest, SlotsWantOneSwitch)
{
    m_scenario.cluster.topology = "leaf-spine";
    EXPECT_THAT(Texts(),
                ElementsAre("exchange.algorithm: switch-slots adds in one switch, and a leaf-spine "
                            "has several; switch-tree adds in all that are needed"));
    m_scenario.exchange.algorithm = "switch-tree";
    EXPECT_THAT(Texts(), IsEmpty());
}

TEST_F(SwitchChecksTest, SwitchesAddNoStreams)
{
    m_scenario.codec.name = "truncate";
    EXPECT_THAT(Texts(),
                ElementsAre("codec.name: must be none or homomorphic with exchange.algorithm = "
                            "\"switch-slots\": switches add numbers, not the stream of truncate"));
    m_scenario.codec.name = "homomorphic";
    EXPECT_THAT(Texts(), IsEmpty());
}

TEST_F(SwitchChecksTest, SayNothingIfNoSwitchAdds)
{
    m_scenario.exchange.algorithm = "ring";
    m_scenario.codec.name = "truncate";
    m_scenario.cluster.topology = "leaf-spine";
    SetKey(m_scenario, "switch.values_per_packet", "16384");
    SetKey(m_scenario, "switch.memory", "1B");
    EXPECT_THAT(Texts(), IsEmpty());
}

} // namespace inca
