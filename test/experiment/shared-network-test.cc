/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Two jobs on one network, through the whole path from scenarios to verified sums.
#include "base/errors.h"
#include "experiment/scenario-fixture.h"
#include "support/settings.h"
#include "support/why-not.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace inca
{

/**
 * Leaves of 4 hosts under one spine, whose trunks are as fast as a host's link. A job is a ring of two, whose workers sit on
 * different leaves: 4 links from one to the other.
 */
class SharedNetwork : public ScenarioFixture
{
  protected:
    static constexpr std::int64_t FRAMES{64}; ///< of a message, full ones of 365 values
    static constexpr std::uint64_t VALUES{2 * 64 * 365};
    static constexpr std::int64_t FRAME_PS{1'230'400};
    static constexpr std::int64_t ACKS{5}; ///< of a message: one for 16 frames, and the last

    static Scenario Ring(const std::string& settings = "")
    {
        return With(Bare("tensor:" + std::to_string(4 * VALUES) + "B"),
                    "cluster.topology=leaf-spine cluster.hosts_per_leaf=4 cluster.spines=1 "
                    "training.values=true "
                    "simulation.mode=packet " +
                        settings);
    }

    static Outcome RunAll(const std::vector<PlacedScenario>& jobs)
    {
        return Simulate(MakePlan(jobs, 8), [](double) {});
    }

    static std::int64_t EndOf(const Outcome& outcome, std::size_t job)
    {
        return outcome.jobs[job].seen->iterationEndPs.back();
    }
};

/* Alone, a message's frames follow each other over 4 links: the last one is there after FRAMES + 3 frame times and 4 latencies. A
 * ring of two makes two steps. Beside another job that does the same, a trunk takes the frames of both in turn: of 2 FRAMES, one
 * job's last is the last but one, the other's the last. In the second step the former is ahead by a frame time, and perhaps by a
 * frame. Acknowledgements of the other direction, 5 of each message, are in the way. */
TEST_F(SharedNetwork, HalvesWhatTwoJobsSendOverATrunk)
{
    const auto step = [](std::int64_t frames) { return (frames + 3) * FRAME_PS + 4 * LINK_PS; };
    const auto alone = RunAll({{Ring(), {0, 4}}});
    EXPECT_GE(EndOf(alone, 0), 2 * step(FRAMES));
    EXPECT_LE(EndOf(alone, 0), 2 * (step(FRAMES) + ACKS * ACK_PS));
    const auto both = RunAll({{Ring(), {0, 4}}, {Ring(), {1, 5}}});
    ASSERT_EQ(both.jobs.size(), 2U);
    for (const std::size_t job : {0U, 1U})
    {
        EXPECT_GE(EndOf(both, job), step(2 * FRAMES - 1) + step(2 * FRAMES - 2)) << job;
        EXPECT_LE(EndOf(both, job), 2 * (step(2 * FRAMES) + 2 * ACKS * ACK_PS)) << job;
        EXPECT_EQ(both.jobs[job].comparedValues, 2 * VALUES) << job; // each worker's
        EXPECT_EQ(both.jobs[job].seen->OwnPlainBytes(), 4 * 4 * VALUES / 2) << job;
    }
    // on different leaves each, they have nothing in common
    const auto apart = RunAll({{Ring(), {0, 1}}, {Ring(), {4, 5}}});
    EXPECT_EQ(EndOf(apart, 0), EndOf(RunAll({{Ring(), {0, 1}}}), 0));
    EXPECT_EQ(EndOf(apart, 1), EndOf(apart, 0));
}

/* Links are called after the jobs whose workers they lead to, or after hosts. */
TEST_F(SharedNetwork, NamesItsHosts)
{
    const auto links = RunAll({{Ring(), {0, 4}}, {Ring(), {5, 1}}}).links;
    std::vector<std::string> names;
    for (std::size_t host = 0; host < 8; ++host)
    {
        names.push_back(links[2 * host].ends.from);
    }
    EXPECT_THAT(names,
                testing::ElementsAre("job 0 worker 0",
                                     "job 1 worker 1",
                                     "host 2",
                                     "host 3",
                                     "job 0 worker 1",
                                     "job 1 worker 0",
                                     "host 6",
                                     "host 7"));
}

/* Each job has programs of its own on the switches that add for it: three workers, over both leaves. */
TEST_F(SharedNetwork, AddsForEachJobByItself)
{
    const auto slots = Ring(
        "exchange.algorithm=switch-slots cluster.workers=3 switch.adder=int32 switch.slots=64");
    const auto outcome = RunAll({{slots, {0, 1, 4}}, {slots, {2, 5, 6}}});
    for (const auto& job : outcome.jobs)
    {
        EXPECT_EQ(job.comparedValues, 3 * VALUES);
        EXPECT_FALSE(job.switches.empty());
    }
}

TEST_F(SharedNetwork, RefusesWhatCannotBe)
{
    const auto why = [](const std::vector<PlacedScenario>& jobs) {
        return WhyNot([&jobs] { MakePlan(jobs, 8); });
    };
    using testing::HasSubstr;
    EXPECT_THAT(why({{Ring(), {0, 4}}, {Ring(), {4, 5}}}), HasSubstr("host 4 has two ranks"));
    EXPECT_THAT(why({{Ring(), {0, 8}}}), HasSubstr("host 8 is not there: there are 8"));
    EXPECT_THAT(why({{Ring(), {0, 4, 5}}}), HasSubstr("a job of 2 ranks is put on 3 hosts"));
    EXPECT_THAT(why({{Ring(), {0, 4}}, {Ring("cluster.latency=2us"), {1, 5}}}),
                HasSubstr("agree on inca::Link::Delay"));
    EXPECT_THAT(why({{Ring(), {0, 4}}, {Ring("cluster.spines=2"), {1, 5}}}),
                HasSubstr("agree on cluster.spines: 1 of the first"));
}

} // namespace inca
