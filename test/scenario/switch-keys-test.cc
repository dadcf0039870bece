/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/units.h"
#include "exchange/slot-scheme.h"
#include "scenario/keys.h"

#include <gtest/gtest.h>

namespace inca
{

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

} // namespace

TEST(SwitchKeys, MatterWhereSwitchesAdd)
{
    Scenario scenario;
    const auto why = [&scenario](const char* name) { return IdleReason(*FindKey(name), scenario); };
    for (const auto* name : {"switch.slots",
                             "switch.values_per_packet",
                             "switch.adder_rate",
                             "switch.memory",
                             "switch.adder",
                             "switch.scaling",
                             "switch.fixed_exponent",
                             "switch.timeout",
                             "switch.double_after"})
    {
        EXPECT_EQ(why(name), "ring adds nothing in the network") << name;
    }
    EXPECT_EQ(why("switch.latency"), ""); // a switch that only forwards has one, too
    scenario.exchange.algorithm = "switch-slots";
    EXPECT_EQ(why("switch.slots"), "");
    EXPECT_EQ(why("switch.fixed_exponent"), "switch.scaling is block");
    SetKey(scenario, "switch.scaling", "fixed");
    EXPECT_EQ(why("switch.fixed_exponent"), "only sizes travel (training.values is false)");
    scenario.training.values = true;
    EXPECT_EQ(why("switch.fixed_exponent"), "");
    EXPECT_EQ(why("ring.owner_copy"), "switch-slots sums in the network");
    SetKey(scenario, "switch.adder", "int32-saturating");
    EXPECT_EQ(why("switch.scaling"), "");
    SetKey(scenario, "switch.adder", "fp32");
    EXPECT_EQ(why("switch.scaling"), "switch.adder is fp32");
    EXPECT_EQ(why("switch.fixed_exponent"), "switch.adder is fp32");
}

/* Hosts then send to switches only, past the transport, and add nothing themselves. */
TEST(SwitchKeys, MakeKeysOfMessagesIdle)
{
    Scenario scenario;
    for (const auto* name : {"host.duplex",
                             "host.sum_rate",
                             "transport.window",
                             "transport.ack_every",
                             "transport.min_timeout"})
    {
        scenario.exchange.algorithm = "ring";
        EXPECT_EQ(IdleReason(*FindKey(name), scenario), "") << name;
        scenario.exchange.algorithm = "switch-tree";
        EXPECT_EQ(IdleReason(*FindKey(name), scenario),
                  "with switch-tree nothing travels but what switches add")
            << name;
    }
}

/* A client's packets cost its host as much as any other frames. */
TEST(SwitchKeys, LeaveHostsTheirCosts)
{
    Scenario scenario;
    scenario.exchange.algorithm = "switch-slots";
    for (const auto* name : {"host.byte_rate", "host.frame_cost", "host.message_cost"})
    {
        EXPECT_EQ(IdleReason(*FindKey(name), scenario), "") << name;
    }
}

TEST(SwitchKeys, HaveUnitsInTheirColumns)
{
    Scenario scenario;
    scenario.exchange.algorithm = "switch-tree";
    SetKey(scenario, "switch.latency", "1.5us");
    EXPECT_EQ(ColumnOf(scenario, "switch_latency_ns"), "1500");
    EXPECT_EQ(ColumnOf(scenario, "adder_rate_values_per_s"), "");
    SetKey(scenario, "switch.adder_rate", "2.5Gvalues/s");
    EXPECT_EQ(ColumnOf(scenario, "adder_rate_values_per_s"), "2500000000");
    EXPECT_EQ(FindKey("switch.adder_rate")->text(scenario), "2.5Gvalues/s");
    SetKey(scenario, "switch.adder_rate", "none");
    EXPECT_EQ(ReadSlotSettings(scenario.aggregation).valuesPerSecond, 0U);
    EXPECT_EQ(ColumnOf(scenario, "switch_memory_bytes"), "16777216"); // 16 * 2^20
    EXPECT_EQ(ColumnOf(scenario, "switch_timeout_us"), "1000");
}

TEST(SwitchKeys, TakeExponentsBelowZero)
{
    Scenario scenario;
    SetKey(scenario, "switch.fixed_exponent", "-126");
    EXPECT_EQ(ReadSlotSettings(scenario.aggregation).fixedExponent, -126);
    EXPECT_EQ(FindKey("switch.fixed_exponent")->text(scenario), "-126");
    EXPECT_THROW(SetKey(scenario, "switch.fixed_exponent", "-127"), UnitError);
    EXPECT_THROW(SetKey(scenario, "switch.fixed_exponent", "128"), UnitError);
}

} // namespace inca
