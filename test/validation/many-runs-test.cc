/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/many-runs.h"

#include "base/errors.h"
#include "base/interrupt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace inca
{

namespace
{

using testing::ElementsAre;

/** Runs of seeds 1, 2, ...; each takes as long as the ones before it together, and one more. */
std::vector<PlannedRun>
Planned(std::uint64_t count)
{
    std::vector<PlannedRun> planned;
    for (std::uint64_t seed = 1; seed <= count; ++seed)
    {
        PlannedRun run;
        run.scenario.simulation.seed = seed;
        run.work = static_cast<double>(1ULL << (seed - 1));
        planned.push_back(run);
    }
    return planned;
}

/** A stand-in whose figures follow from the seed. */
RunRecord
BySeed(const Scenario& scenario, const ValidationProgress& onProgress)
{
    onProgress(0.5);
    const auto seed = static_cast<std::int64_t>(scenario.simulation.seed);
    RunRecord record;
    record.results.exchangeTimePs = 1000 * seed;
    record.results.iterationEndsPs = {seed, 10 * seed};
    record.results.shares = {seed, 2 * seed, 3 * seed, 4 * seed, 5 * seed, 6 * seed, 7 * seed};
    return record;
}

ValidationRequest
Request(std::uint32_t jobs, ScenarioRunner run = BySeed)
{
    ValidationRequest request;
    request.jobs = jobs;
    request.run = std::move(run);
    return request;
}

/** @return whether this process has no child, running or unwaited for */
bool
IsChildless()
{
    return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
}

void
ExpectBySeed(const std::vector<MeasuredRun>& measured, std::size_t count)
{
    ASSERT_EQ(measured.size(), count);
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto seed = static_cast<std::int64_t>(i) + 1;
        EXPECT_EQ(measured[i].scenario.simulation.seed, i + 1);
        EXPECT_EQ(measured[i].exchangePs, 1000 * seed);
        EXPECT_THAT(measured[i].iterationEndsPs, ElementsAre(seed, 10 * seed));
        EXPECT_EQ(measured[i].shares.forwardPs, seed);
        EXPECT_EQ(measured[i].shares.communicationPs, 7 * seed);
        EXPECT_EQ(measured[i].shares.TotalPs(), 28 * seed);
    }
}

TEST(MeasureAll, KeepsTheOrderInThisProcess)
{
    ExpectBySeed(MeasureAll(Planned(5), Request(1)), 5);
}

TEST(MeasureAll, KeepsTheOrderInProcesses)
{
    ExpectBySeed(MeasureAll(Planned(7), Request(3)), 7);
    EXPECT_TRUE(IsChildless());
}

TEST(MeasureAll, NeedsNoMoreProcessesThanRuns)
{
    ExpectBySeed(MeasureAll(Planned(2), Request(8)), 2);
    EXPECT_TRUE(MeasureAll({}, Request(8)).empty());
    EXPECT_TRUE(IsChildless());
}

/* 1 + 2 + 4 = 7: half of the first is 0.5 / 7, all of it 1 / 7, then 2 / 7 and 3 / 7, 5 / 7 and 1. */
TEST(MeasureAll, TellsHowFarTheWholeIs)
{
    std::vector<double> shares;
    auto request = Request(1);
    request.onProgress = [&](double share) { shares.push_back(share * 7); };
    MeasureAll(Planned(3), request);
    EXPECT_THAT(shares,
                ElementsAre(testing::DoubleEq(0.5),
                            testing::DoubleEq(1),
                            testing::DoubleEq(2),
                            testing::DoubleEq(3),
                            testing::DoubleEq(5),
                            testing::DoubleEq(7)));
}

TEST(MeasureAll, TellsOfEveryProcessThatEnds)
{
    std::vector<double> shares;
    auto request = Request(2);
    request.onProgress = [&](double share) { shares.push_back(share * 7); };
    MeasureAll(Planned(3), request);
    EXPECT_EQ(shares.size(), 3U);
    EXPECT_DOUBLE_EQ(shares.back(), 7);
}

/** What MeasureAll does when the second of three runs fails. */
template <class Error>
std::string
Failure(std::uint32_t jobs, const Error& error)
{
    const auto run = [&](const Scenario& scenario, const ValidationProgress& onProgress) {
        if (scenario.simulation.seed == 2)
        {
            throw error;
        }
        return BySeed(scenario, onProgress);
    };
    try
    {
        MeasureAll(Planned(3), Request(jobs, run));
    }
    catch (const Error& caught)
    {
        EXPECT_TRUE(IsChildless());
        return caught.what();
    }
    return "no error of that kind";
}

TEST(MeasureAll, PassesErrorsOnAsWhatTheyAre)
{
    for (const auto jobs : {1U, 3U})
    {
        EXPECT_EQ(Failure(jobs, InputError("no such trace")), "no such trace");
        EXPECT_EQ(Failure(jobs, RunError("no progress")), "no progress");
        EXPECT_EQ(Failure(jobs, InvariantError("bytes are lost")), "bytes are lost");
        EXPECT_EQ(Failure(jobs, Interrupted()), "interrupted");
    }
}

TEST(MeasureAll, KeepsEveryComplaint)
{
    const auto run = [](const Scenario&, const ValidationProgress&) -> RunRecord {
        throw InputError(std::vector<std::string>{"one", "two"});
    };
    try
    {
        MeasureAll(Planned(1), Request(2, run));
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_THAT(error.Complaints(), ElementsAre("one", "two"));
    }
}

TEST(MeasureAll, SaysWhenAProcessDies)
{
    const auto run = [](const Scenario&, const ValidationProgress&) -> RunRecord { ::_exit(9); };
    EXPECT_THROW(MeasureAll(Planned(2), Request(2, run)), RunError);
    EXPECT_TRUE(IsChildless());
}

} // namespace

} // namespace inca
