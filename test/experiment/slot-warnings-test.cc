/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/slot-warnings.h"

#include "experiment/run-warnings.h"
#include "experiment/switch-fixture.h"

#include <gmock/gmock.h>

namespace inca
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SlotWarnings : public SwitchFixture
{
  protected:
    static std::vector<std::string> WarningsOf(const Scenario& scenario)
    {
        return RunWarnings(scenario, Run(scenario));
    }
};

TEST_F(SlotWarnings, AreNoneForAPlainRun)
{
    EXPECT_THAT(WarningsOf(Slots(40)), IsEmpty());
    EXPECT_THAT(WarningsOf(Tree(40)), IsEmpty());
}

/* At 100 Gb/s a packet takes 88.48 ns, and the round trip is 2 * (1000 + 88.48) ns: 24.6 packets. In a
 * tree of two levels it is twice as long: 49.2. */
TEST_F(SlotWarnings, SlotsThatCannotFillTheLink)
{
    auto star = Slots(40);
    star.cluster.bitsPerSecond = 100'000'000'000;
    star.inSwitch.slots = 24;
    EXPECT_THAT(WarningsOf(star),
                ElementsAre("switch.slots: 24 slots cannot fill a link of 100Gbps over this "
                            "latency; it takes about 25"));
    star.inSwitch.slots = 25;
    EXPECT_THAT(WarningsOf(star), IsEmpty());
    auto tree = Tree(40);
    tree.cluster.bitsPerSecond = 100'000'000'000;
    tree.inSwitch.slots = 25;
    EXPECT_THAT(WarningsOf(tree), ElementsAre(HasSubstr("it takes about 50")));
}

/* Worker 1 is ready 54 us after worker 0, which asks again after 10. */
TEST_F(SlotWarnings, WorkersThatAreNotReadyTogether)
{
    auto scenario = Slots(1);
    scenario.training.trace = TwoLayers();
    scenario.training.send = "end";
    scenario.inSwitch.timeoutPs = 10'000'000;
    scenario.cluster.overrides = {{1, {}, 10.0}};
    EXPECT_THAT(WarningsOf(scenario),
                ElementsAre(testing::AllOf(HasSubstr("though none was lost: 10us is shorter"),
                                           HasSubstr("exchange.start = \"together\""))));
    scenario.exchange.start = "together";
    EXPECT_THAT(WarningsOf(scenario), IsEmpty());
    scenario.inSwitch.timeoutPs = 2'000'000; // a sum is there 2.88 us after its packet has left
    EXPECT_THAT(WarningsOf(scenario), ElementsAre(HasSubstr("2us is shorter than a round trip")));
}

/* 128 packets of 1106 bytes are 138.2 KiB. */
TEST_F(SlotWarnings, BuffersThatCannotHoldTheSlots)
{
    auto scenario = Slots(40);
    scenario.cluster.bufferBytes = 128 * 1024;
    EXPECT_THAT(WarningsOf(scenario),
                ElementsAre(HasSubstr("cluster.buffer: 128KiB hold less than the 138.2 KiB")));
}

TEST_F(SlotWarnings, ValuesThatAreClamped)
{
    auto scenario = Slots(40);
    scenario.training.values = true;
    scenario.inSwitch.fixedExponent = -20;
    EXPECT_THAT(WarningsOf(scenario), testing::Contains(HasSubstr("they were clamped")));
}

/* No scenario makes a pool smaller than what its workers use; a program of one's own may. */
TEST_F(SlotWarnings, PoolsThatAreTooSmall)
{
    const auto scenario = Slots(40);
    auto outcome = Run(scenario);
    outcome.switches[0].droppedNoSlot = 3;
    EXPECT_THAT(RunWarnings(scenario, outcome),
                ElementsAre("switch: 3 packets found none of its 128 slots free: its workers use "
                            "more"));
}

} // namespace inca
