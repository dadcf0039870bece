/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/switch/slot-times.h"

#include "scenario/keys.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

Scenario
Slots(std::uint32_t valuesPerPacket, std::uint64_t gigabitsPerSecond, std::uint32_t slots)
{
    Scenario scenario;
    scenario.cluster.bitsPerSecond = gigabitsPerSecond * 1'000'000'000;
    scenario.cluster.latencyPs = 1'000'000;
    SetKey(scenario, "switch.values_per_packet", std::to_string(valuesPerPacket));
    SetKey(scenario, "switch.slots", std::to_string(slots));
    return scenario;
}

/* SwitchML's own: 338 bytes for 64 values, 1106 for 256; 82 + 4 x 2229 = 8998. */
TEST(SlotTimes, FramesAreSwitchMls)
{
    EXPECT_EQ(SlotFrameBytes(64), 338U);
    EXPECT_EQ(SlotFrameBytes(256), 1106U);
    EXPECT_EQ(SlotFrameBytes(2229), 8998U);
}

/* 338 bytes are 270.4 ns at 10 Gb/s and 27.04 ns at 100. */
TEST(SlotTimes, AFrameTakesItsBits)
{
    EXPECT_EQ(SlotFramePs(Slots(64, 10, 128)), 270'400);
    EXPECT_EQ(SlotFramePs(Slots(64, 100, 128)), 27'040);
}

/* Twice 27.04 ns and 1 us, and the switch's 500 ns. */
TEST(SlotTimes, ARoundTripIsTwoLinksAndTheSwitch)
{
    auto scenario = Slots(64, 100, 128);
    EXPECT_EQ(SlotRoundTripPs(scenario), 2'054'080);
    scenario.inSwitch.latencyPs = 500'000;
    EXPECT_EQ(SlotRoundTripPs(scenario), 2'554'080);
}

/* 64 values are one packet, 65 are two: a frame more. 6400 are 100: 99 frames more. */
TEST(SlotTimes, AnExchangeIsItsPacketsAndOneRoundTrip)
{
    const auto scenario = Slots(64, 100, 512);
    EXPECT_EQ(SlotExchangePs(scenario, 64), 2'054'080);
    EXPECT_EQ(SlotExchangePs(scenario, 65), 2'081'120);
    EXPECT_EQ(SlotExchangePs(scenario, 6400), 2'054'080 + 99 * 27'040);
}

/* 4 x 64 values in 2.05408 us are 124.63 million a second; 64 in 27.04 ns are 2366.9. */
TEST(SlotTimes, RatesAreOfThePoolOrOfTheLine)
{
    EXPECT_NEAR(PooledValuesPerSecond(Slots(64, 100, 4)), 124.63e6, 0.005e6);
    EXPECT_NEAR(LineValuesPerSecond(Slots(64, 100, 4)), 2366.9e6, 0.05e6);
    EXPECT_NEAR(LineValuesPerSecond(Slots(256, 10, 4)), 289.3e6, 0.05e6);
}

/* 2, 4, 9: mean 5, squares 9 + 1 + 16 = 26, over n - 1: 13. */
TEST(SlotTimes, DeviationsAreOfASample)
{
    EXPECT_DOUBLE_EQ(MeanOf({2, 4, 9}), 5);
    EXPECT_DOUBLE_EQ(StandardDeviationOf({2, 4, 9}) * StandardDeviationOf({2, 4, 9}), 13);
    EXPECT_EQ(StandardDeviationOf({7, 7}), 0);
}

} // namespace

} // namespace inca
