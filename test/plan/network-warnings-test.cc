/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/network-warnings.h"

#include "plan/plan-maker.h"
#include "scenario/keys.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string>
WarningsOf(const Scenario& scenario)
{
    return TextsOf(MakePlan(scenario).warnings);
}

Scenario
Tensor()
{
    Scenario scenario;
    scenario.training.trace = "tensor:100kB";
    return scenario;
}

Scenario
Slots(std::uint64_t packets)
{
    Scenario scenario;
    scenario.training.trace = "tensor:" + std::to_string(packets * 1024) + "B";
    scenario.cluster.workers = 2;
    scenario.exchange.algorithm = "switch-slots";
    return scenario;
}

/** Two leaves of two workers each, and a spine that is the root. */
Scenario
Tree(std::uint64_t packets)
{
    auto scenario = Slots(packets);
    scenario.cluster.workers = 4;
    scenario.exchange.algorithm = "switch-tree";
    scenario.cluster.topology = "leaf-spine";
    scenario.cluster.hostsPerLeaf = 2;
    return scenario;
}

} // namespace

/* At 400 Gb/s a frame takes 30.76 ns and an acknowledgement 1.68; the round trip is 2 * (2 us + both),
 * 4064.88 ns or 133 frames, and 16 more wait for an acknowledgement: 149. */
TEST(NetworkWarnings, AWindowThatCannotFillTheLink)
{
    auto scenario = Tensor();
    scenario.cluster.bitsPerSecond = 400'000'000'000;
    EXPECT_THAT(WarningsOf(scenario),
                ElementsAre("transport.window: 64 frames cannot fill a link of 400Gbps over this "
                            "latency; it takes about 149"));
    scenario.transport.window = 149;
    EXPECT_THAT(WarningsOf(scenario), IsEmpty());
}

/* Over two leaves and a spine there are four links each way: 8129.76 ns or 265 frames, and 16 more. */
TEST(NetworkWarnings, AWindowThatCannotFillALongWay)
{
    auto scenario = Tensor();
    scenario.cluster.bitsPerSecond = 400'000'000'000;
    scenario.cluster.topology = "leaf-spine";
    scenario.cluster.hostsPerLeaf = 2;
    EXPECT_THAT(WarningsOf(scenario), ElementsAre(HasSubstr("it takes about 281")));
    scenario.transport.window = 281;
    EXPECT_THAT(WarningsOf(scenario), IsEmpty());
}

/* A trunk may be the fastest link: 400 Gb/s between racks of 10 Gb/s. */
TEST(NetworkWarnings, AWindowThatCannotFillATrunk)
{
    auto scenario = Tensor();
    scenario.cluster.topology = "rack-pair";
    EXPECT_THAT(WarningsOf(scenario), IsEmpty());
    scenario.cluster.trunkBitsPerSecond = 400'000'000'000;
    EXPECT_THAT(WarningsOf(scenario), ElementsAre(HasSubstr("cannot fill a link of 400Gbps")));
}

/* An attribute is the key: the same text. */
TEST(NetworkWarnings, AWindowSetByAnAttribute)
{
    auto byKey = Tensor();
    byKey.cluster.latencyPs = 100'000'000;
    byKey.transport.window = 16;
    auto byAttribute = byKey;
    byAttribute.transport.window = TransportSettings{}.window;
    byAttribute.attributes = {{"inca::Transport::Window", "16"}};
    EXPECT_THAT(WarningsOf(byAttribute), ElementsAre(HasSubstr("transport.window: 16 frames")));
    EXPECT_EQ(WarningsOf(byAttribute), WarningsOf(byKey));
}

/* At 100 Gb/s a packet takes 88.48 ns, and the round trip is 2 * (1000 + 88.48) ns: 24.6 packets. In a
 * tree of two levels it is twice as long: 49.2. */
TEST(NetworkWarnings, SlotsThatCannotFillTheLink)
{
    auto star = Slots(40);
    star.cluster.bitsPerSecond = 100'000'000'000;
    SetKey(star, "switch.slots", "24");
    EXPECT_THAT(WarningsOf(star),
                ElementsAre("switch.slots: 24 slots cannot fill a link of 100Gbps over this "
                            "latency; it takes about 25"));
    SetKey(star, "switch.slots", "25");
    EXPECT_THAT(WarningsOf(star), IsEmpty());
    auto tree = Tree(100);
    tree.cluster.bitsPerSecond = 100'000'000'000;
    SetKey(tree, "switch.slots", "25");
    EXPECT_THAT(WarningsOf(tree), ElementsAre(HasSubstr("it takes about 50")));
    tree.training.trace = "tensor:40960B"; // 40 packets need no more slots
    EXPECT_THAT(WarningsOf(tree), ElementsAre(HasSubstr("it takes about 40")));
}

/* 128 packets of 1106 bytes are 138.2 KiB. */
TEST(NetworkWarnings, BuffersThatCannotHoldTheSlots)
{
    auto scenario = Slots(40);
    scenario.cluster.bufferBytes = 128 * 1024;
    EXPECT_THAT(WarningsOf(scenario),
                ElementsAre(HasSubstr("cluster.buffer: 128KiB hold less than the 138.2 KiB")));
}

} // namespace inca
