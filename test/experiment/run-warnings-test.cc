/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a run says of itself when it ends, and when it stands still: which slots wait for whom.
#include "base/errors.h"
#include "experiment/run-state.h"
#include "experiment/run-warnings.h"
#include "experiment/switch-fixture.h"
#include "support/why-not.h"

#include "ns3/config.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using RunWarningsTest = SwitchFixture;

TEST_F(RunWarningsTest, AreWhatWasSeen)
{
    struct Row
    {
        Scenario scenario;
        const char* settings;
        testing::Matcher<std::vector<std::string>> warnings;
        double worker1{1.0}; ///< is slower by so much
    };

    const Scenario plain;
    const auto late = With(Slots(1), "training.send=end training.trace=" + TwoLayers());
    const Row rows[] = {
        {plain, "training.trace=tensor:100kB", IsEmpty()},
        {Slots(40), "", IsEmpty()},
        {Tree(40), "", IsEmpty()},
        // A port of 4 KiB holds two frames.
        {plain,
         "training.trace=tensor:100kB exchange.algorithm=worker-aggregator cluster.buffer=4096B",
         ElementsAre(HasSubstr("frames were dropped"))},
        // What is planned and what is seen, by topic: a window comes before drops, and those before sizes.
        {plain,
         "training.trace=hdc codec.name=inceptionn exchange.algorithm=worker-aggregator "
         "cluster.bandwidth=400Gbps cluster.buffer=2000B",
         ElementsAre(HasSubstr("transport.window"),
                     HasSubstr("frames were dropped"),
                     HasSubstr("sizes only"))},
        // Worker 1 is ready 54 us after worker 0, which asks again after 10.
        {late,
         "switch.timeout=10us",
         ElementsAre(AllOf(HasSubstr("though none was lost: 10us is shorter"),
                           HasSubstr("exchange.start = \"together\""))),
         10.0},
        {late, "switch.timeout=10us exchange.start=together", IsEmpty(), 10.0},
        // a sum is there 2.88 us after its packet has left
        {late,
         "switch.timeout=2us exchange.start=together",
         ElementsAre(HasSubstr("2us is shorter than a round trip")),
         10.0},
        {Slots(40),
         "training.values=true simulation.mode=packet switch.fixed_exponent=-20",
         testing::Contains(HasSubstr("they were clamped"))},
    };
    for (const auto& row : rows)
    {
        auto scenario = With(row.scenario, row.settings);
        if (row.worker1 != 1.0)
        {
            scenario.cluster.overrides = {{1, {}, row.worker1}};
        }
        EXPECT_THAT(RunWarnings(Simulate(MakePlan(scenario), [](double) {})), row.warnings)
            << row.settings;
    }
}

/* No scenario makes a pool smaller than what its workers use; a program of one's own may. */
TEST_F(RunWarningsTest, TellOfPoolsThatAreTooSmall)
{
    const auto scenario = Slots(40);
    auto outcome = Run(scenario);
    outcome.switches[0].droppedNoSlot = 3;
    EXPECT_THAT(RunWarnings(outcome),
                ElementsAre("switch: 3 packets found none of its 128 slots free: its workers use "
                            "more"));
}

class RunStateTest : public SwitchFixture
{
  protected:
    static constexpr std::uint64_t HOPELESS_PS{3'000'000'000}; ///< three timeouts

    /** From ordinal @p first on, nothing gets through. */
    static std::list<std::uint32_t> AllFrom(std::uint32_t first)
    {
        constexpr std::uint32_t MANY{100'000};
        std::list<std::uint32_t> ordinals;
        for (auto i = first; i < MANY; ++i)
        {
            ordinals.push_back(i);
        }
        return ordinals;
    }

    std::string StateAfterAWhile()
    {
        ns3::Simulator::Stop(ns3::PicoSeconds(HOPELESS_PS));
        ns3::Simulator::Run();
        return DescribeState(cluster, *plan.Job().prepared.job, ranks);
    }
};

/* Worker 1 dies after 10 of 40 packets: slots 10..39 of the switch wait for it, and so does worker 0. */
TEST_F(RunStateTest, NamesAWorkerThatDied)
{
    Install(Slots(40));
    Lose(cluster.links[1], 0, AllFrom(10));
    const auto text = StateAfterAWhile();
    EXPECT_THAT(text,
                AllOf(HasSubstr("worker 0: "),
                      HasSubstr("30 packets are on the way, the oldest, 10,"),
                      HasSubstr("switch: slot 10 (packet 10) waits for worker 1"),
                      HasSubstr("and 26 more"),
                      HasSubstr("; dropped so far: "),
                      HasSubstr(" duplicate")));
}

/* In a tree, the root waits for the leaf, and the leaf for the worker. */
TEST_F(RunStateTest, NamesTheWayToAWorkerThatDied)
{
    Install(Tree(4));
    Lose(cluster.links[3], 0, AllFrom(0));
    EXPECT_THAT(StateAfterAWhile(),
                AllOf(HasSubstr("leaf 0: slot 0 (packet 0) waits for its sum from spine 0"),
                      HasSubstr("leaf 1: slot 0 (packet 0) waits for worker 3"),
                      HasSubstr("spine 0: slot 0 (packet 0) waits for leaf 1")));
}

/* The workers send 40 packets ahead, the switch has 4 slots: the sum that worker 1 has lost is gone when it
 * asks again. */
TEST_F(RunStateTest, NamesAPoolThatIsTooSmall)
{
    Install(Slots(40),
            [] { ns3::Config::SetDefault("inca::SlotProgram::Slots", ns3::UintegerValue(4)); });
    Lose(cluster.links[1], 1, {0});
    EXPECT_THAT(StateAfterAWhile(),
                AllOf(HasSubstr("1 frames were dropped so far"),
                      HasSubstr("worker 1: "),
                      HasSubstr("the oldest, 0,"),
                      HasSubstr("switch: dropped so far: "),
                      HasSubstr(" late")));
}

/* No port of a switch can hold a packet, so that no leaf's sum gets to the spine, however often it is
 * sent. */
TEST_F(RunStateTest, EndsARunThatCannotEnd)
{
    auto scenario = Tree(4);
    scenario.cluster.bufferBytes = 1000; // which a reader refuses
    EXPECT_THAT(WhyNot<RunError>([&] { Run(scenario); }),
                AllOf(HasSubstr("the run stands still: no progress since"),
                      HasSubstr("worker 3: "),
                      HasSubstr("4 packets are on the way, the oldest, 0,"),
                      HasSubstr("leaf 1: slot 0 (packet 0) waits for its sum from spine 0")));
}

/* Retransmissions are no progress: the watchdog ends a run in which there is nothing else. */
TEST_F(RunStateTest, CountsSumsAsProgress)
{
    Install(Slots(40));
    EXPECT_EQ(DeliveredBytes(cluster), 0U);
    Lose(cluster.links[1], 0, AllFrom(10));
    StateAfterAWhile();
    EXPECT_EQ(DeliveredBytes(cluster), 2U * 10 * 1024);
    EXPECT_GT(cluster.AggregationOf().clients[0]->RetransmittedFrames(), 30U);
}

} // namespace inca
