/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/run-server.h"

#include "base/errors.h"
#include "experiment/run-experiment.h"
#include "sweep/run-slots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include <sys/wait.h>

namespace inca
{

namespace
{

using testing::HasSubstr;

Scenario
Exchange(const std::string& algorithm, std::uint32_t workers)
{
    Scenario scenario;
    scenario.training.trace = "tensor:100kB";
    scenario.cluster.workers = workers;
    scenario.exchange.algorithm = algorithm;
    return scenario;
}

/** What may leave something behind: codecs, values, loss, other fabrics and seeds, refusals. */
std::vector<Scenario>
Various()
{
    std::vector<Scenario> scenarios{Exchange("ring", 4), Exchange("switch-slots", 8)};
    scenarios.push_back(Exchange("ring", 3));
    scenarios.back().codec.name = "inceptionn";
    scenarios.back().codec.placement = "nic";
    scenarios.back().training.values = true;
    scenarios.push_back(Exchange("worker-aggregator", 5));
    scenarios.back().cluster.lossRate = 0.001;
    scenarios.push_back(Exchange("ring", 0)); // which no cluster has
    scenarios.push_back(Exchange("tree", 6));
    scenarios.back().simulation.mode = "packet";
    scenarios.back().simulation.seed = 7;
    scenarios.push_back(Exchange("ring", 4));
    return scenarios;
}

/** What is left of a run when it has ended. */
std::string
TextOf(RunProcess& run)
{
    constexpr int lookAgainMs = 200;
    while (!run.HasEnded())
    {
        WaitForOutput({&run}, lookAgainMs);
    }
    return run.Text();
}

/** The one process that this one has split off. */
::pid_t
Child()
{
    ::pid_t child = 0;
    std::ifstream("/proc/thread-self/children") >> child;
    return child;
}

/** Ends it, and leaves it to be waited for. */
void
Kill(::pid_t process)
{
    ::siginfo_t info{};
    ::kill(process, SIGKILL);
    ::waitid(P_PID, static_cast<::id_t>(process), &info, WEXITED | WNOWAIT);
}

std::vector<EndedRun>
WaitFor(RunSlots& slots)
{
    auto ended = slots.Wait();
    while (ended.empty())
    {
        ended = slots.Wait();
    }
    return ended;
}

/** Minutes of frames, one by one. */
Scenario
Long()
{
    auto scenario = Exchange("ring", 64);
    scenario.training.trace = "tensor:1GB";
    scenario.simulation.mode = "packet";
    return scenario;
}

} // namespace

/* Each bit of its record, or its error, is that of a process which has done nothing else before. */
TEST(RunServer, DoesEachRunAsIfItWereTheFirst)
{
    const auto scenarios = Various();
    RunServer server;
    for (int time = 0; time < 2; ++time)
    {
        for (std::size_t i = 0; i < scenarios.size(); ++i)
        {
            const auto& scenario = scenarios[i];
            const auto alone = StartRun([&scenario](const RunProgress& progress) {
                return RunExperiment(scenario, progress);
            });
            ASSERT_TRUE(server.Begin(scenario));
            EXPECT_EQ(TextOf(server.Run()), TextOf(*alone)) << time << ", " << i;
        }
    }
}

TEST(RunServer, SaysWhenItsProcessHasDied)
{
    const auto scenario = Exchange("ring", 4);
    RunServer server;
    Kill(Child());
    EXPECT_FALSE(server.Begin(scenario));
    TextOf(server.Run());
    EXPECT_THROW(server.Run().Result(), RunError);
}

/* 256 runs are as many as one process does. */
TEST(RunServer, WearsOut)
{
    const auto scenario = Exchange("ring", 0);
    RunServer server;
    for (int i = 0; i < 256; ++i)
    {
        EXPECT_FALSE(server.IsWornOut()) << i;
        ASSERT_TRUE(server.Begin(scenario));
        TextOf(server.Run());
    }
    EXPECT_TRUE(server.IsWornOut());
}

TEST(LocalSlots, AProcessThatDiesTakesNoOtherRunWithIt)
{
    const auto first = Exchange("ring", 4);
    const auto second = Long();
    const auto slots = MakeLocalSlots({1, 1e9});
    slots->Start(0, first, 1e6);
    EXPECT_EQ(WaitFor(*slots).front().result.status, PointStatus::DONE);
    const auto process = Child();
    slots->Start(1, second, 1e6);
    EXPECT_EQ(Child(), process) << "it does another run";
    Kill(process);
    const auto died = WaitFor(*slots);
    EXPECT_EQ(died.front().index, 1U);
    EXPECT_EQ(died.front().result.status, PointStatus::FAILED);
    EXPECT_THAT(died.front().result.warnings.front(), HasSubstr("died"));
    slots->Start(2, first, 1e6);
    EXPECT_EQ(WaitFor(*slots).front().result.status, PointStatus::DONE);
}

/* While it has nothing to do: nobody's run was lost. */
TEST(LocalSlots, AProcessThatDiesIdleIsReplaced)
{
    const auto scenario = Exchange("ring", 4);
    const auto slots = MakeLocalSlots({1, 1e9});
    slots->Start(0, scenario, 1e6);
    WaitFor(*slots);
    Kill(Child());
    slots->Start(1, scenario, 1e6);
    EXPECT_EQ(WaitFor(*slots).front().result.status, PointStatus::DONE);
}

/* A run of more than 64 MB may leave much of it with its process, and one that takes too long is ended with it. */
TEST(LocalSlots, GoesOnInAnotherProcessAfterLargeAndLongRuns)
{
    const auto scenario = Exchange("ring", 4);
    const auto endless = Long();
    RunLimits limits{1, 1e9};
    limits.timeLimit = 0.1;
    const auto slots = MakeLocalSlots(limits);
    slots->Start(0, scenario, 65e6);
    WaitFor(*slots);
    EXPECT_EQ(Child(), 0);
    slots->Start(1, endless, 1e6);
    EXPECT_EQ(WaitFor(*slots).front().result.status, PointStatus::TIMEOUT);
    EXPECT_EQ(Child(), 0);
}

} // namespace inca
