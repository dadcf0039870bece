/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Exchanges that switches add, end to end, beside their closed forms.
#include "experiment/simulation.h"

#include "experiment/switch-fixture.h"
#include "scenario/keys.h"

namespace inca
{

/**
 * A round trip to the switch: a packet leaves the worker, arrives, its sum leaves, arrives. P packets
 * follow each other without a gap if there are slots enough, so they take (P - 1) packets and a
 * round trip, to the picosecond.
 */
class SwitchTimes : public SwitchFixture
{
  protected:
    static constexpr std::int64_t ROUND_TRIP_PS{2 * (PACKET_PS + LINK_PS)};
};

TEST_F(SwitchTimes, PacketsFollowEachOther)
{
    EXPECT_EQ(EndPs(Slots(40)), 39 * PACKET_PS + ROUND_TRIP_PS);
    EXPECT_EQ(EndPs(Slots(1)), ROUND_TRIP_PS);
    EXPECT_EQ(EndPs(Slots(40, 5)), 39 * PACKET_PS + ROUND_TRIP_PS); // however many add
}

/* A packet's sum lets the one s later go: it is there after n + 2 packets and two links, and packet
 * n + s is due after n + s: 2 us <= (s - 2) 884.8 ns, so from 5 slots on there is no gap. With 4, a
 * round of 4 packets takes a round trip: 10 rounds, and the last one's other 3 packets. */
TEST_F(SwitchTimes, SlotsLimitPacketsOnTheirWay)
{
    auto scenario = Slots(40);
    SetKey(scenario, "switch.slots", "5");
    EXPECT_EQ(EndPs(scenario), 39 * PACKET_PS + ROUND_TRIP_PS);
    SetKey(scenario, "switch.slots", "4");
    EXPECT_EQ(EndPs(scenario), 10 * ROUND_TRIP_PS + 3 * PACKET_PS);
    SetKey(scenario, "switch.slots", "1");
    EXPECT_EQ(EndPs(scenario), 40 * ROUND_TRIP_PS);
}

/* The last packet has one value; its frame is as long as all others. */
TEST_F(SwitchTimes, TheLastFrameIsFull)
{
    auto scenario = Slots(3);
    scenario.training.trace = "tensor:2052B";
    EXPECT_EQ(EndPs(scenario), 2 * PACKET_PS + ROUND_TRIP_PS);
}

/* 40 packets without values, 2.688 us, tell the exponents; the first sum is there after 2 * 67.2 ns
 * and 2 us, so the values follow without a gap. */
TEST_F(SwitchTimes, ExponentsGoAhead)
{
    auto scenario = Slots(40);
    SetKey(scenario, "switch.scaling", "block");
    EXPECT_EQ(EndPs(scenario), 40 * EMPTY_PS + 39 * PACKET_PS + ROUND_TRIP_PS);
}

/* The values of one packet wait for its exponent, whose round trip is 2 * 67.2 ns and 2 us. */
TEST_F(SwitchTimes, ASinglePacketWaitsForItsExponent)
{
    auto scenario = Slots(1);
    SetKey(scenario, "switch.scaling", "block");
    EXPECT_EQ(EndPs(scenario), 2 * (EMPTY_PS + LINK_PS) + ROUND_TRIP_PS);
}

/* Worker, leaf, spine, leaf, worker: four links, four times serialised. */
TEST_F(SwitchTimes, ATreeAddsAHopEachWay)
{
    EXPECT_EQ(EndPs(Tree(40)), 39 * PACKET_PS + 2 * ROUND_TRIP_PS);
}

/* A switch's latency counts once in a star, and three times in a tree of two levels. */
TEST_F(SwitchTimes, SwitchesHaveALatency)
{
    auto star = Slots(40);
    auto tree = Tree(40);
    star.inSwitch.latencyPs = tree.inSwitch.latencyPs = 300'000;
    EXPECT_EQ(EndPs(star), 39 * PACKET_PS + ROUND_TRIP_PS + 300'000);
    EXPECT_EQ(EndPs(tree), 39 * PACKET_PS + 2 * ROUND_TRIP_PS + 3 * 300'000);
}

/* 256 million values per second: a packet takes 1 us, those of two workers 2, longer than they take to
 * come. The first is there after a packet and a link, the last sum is a packet and a link from the end. */
TEST_F(SwitchTimes, TheAdderCanBeTheLimit)
{
    auto scenario = Slots(40);
    SetKey(scenario, "switch.adder_rate", "256000000values/s");
    const auto outcome = Run(scenario);
    EXPECT_EQ(outcome.seen->iterationEndPs.back(), 40 * 2'000'000 + ROUND_TRIP_PS);
    EXPECT_EQ(outcome.plan.lowerBound.limitedBy, "switch");
    EXPECT_EQ(outcome.plan.lowerBound.iterationPs, 40 * 2'000'000);
}

/* 1 Gb/s between the switches: 8.848 us per packet, up and down at once. */
TEST_F(SwitchTimes, TrunksCanBeTheLimit)
{
    auto scenario = Tree(40);
    scenario.cluster.trunkBitsPerSecond = 1'000'000'000;
    EXPECT_EQ(EndPs(scenario), 39 * 8'848'000 + 2 * (PACKET_PS + 8'848'000) + 4 * LINK_PS);
}

/* Worker 1 computes until 60 us, worker 0 until 6: what it sends is added, and waits. Together, it begins
 * when worker 1 does. */
TEST_F(SwitchTimes, TogetherStartsWhenAllAreReady)
{
    auto scenario = Slots(1);
    scenario.training.trace = TwoLayers();
    scenario.training.send = "end";
    SetKey(scenario, "switch.timeout", "10us");
    SetKey(scenario, "switch.double_after", "0");
    scenario.cluster.overrides = {{1, {}, 10.0}};
    const auto own = Run(scenario);
    EXPECT_GE(own.retransmittedFrames, 4U); // after 10, 20, 30, 40 us of 54
    scenario.exchange.start = "together";
    const auto together = Run(scenario);
    EXPECT_EQ(together.retransmittedFrames, 0U);
    EXPECT_EQ(together.seen->chunks[0][0].startPs, 60'000'000);
    EXPECT_EQ(together.seen->chunks[0][0].endPs, 60'000'000 + ROUND_TRIP_PS);
}

/* While a worker waits for the network's sum, its time is communication. */
TEST_F(SwitchTimes, WaitingForASumIsCommunication)
{
    const auto outcome = Run(Slots(40));
    EXPECT_EQ(outcome.breakdown.communicationPs, 39 * PACKET_PS + ROUND_TRIP_PS);
}

} // namespace inca
