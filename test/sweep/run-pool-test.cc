/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/run-pool.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace inca
{

namespace
{

using testing::DoubleEq;
using testing::ElementsAre;

/** A stand-in for run @p seed, from which its figures follow. */
RunRecord
BySeed(std::int64_t seed, const RunProgress& onProgress)
{
    onProgress(0.5);
    RunRecord record;
    record.results.exchangeTimePs = 1000 * seed;
    record.results.iterationEndsPs = {seed, 10 * seed};
    record.results.achievedRatio = 1.0 / static_cast<double>(seed);
    record.layers.resize(static_cast<std::size_t>(seed));
    record.warnings = {std::to_string(seed)};
    return record;
}

/** Runs 1, 2, ...; each takes as long as the ones before it together, and one more. */
std::vector<PooledRun>
Runs(std::int64_t count)
{
    std::vector<PooledRun> runs;
    for (std::int64_t seed = 1; seed <= count; ++seed)
    {
        runs.push_back({[seed](const RunProgress& onProgress) { return BySeed(seed, onProgress); },
                        static_cast<double>(1ULL << (seed - 1))});
    }
    return runs;
}

/** @return whether this process has no child, running or unwaited for */
bool
IsChildless()
{
    return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
}

std::vector<RunRecord>
Records(const std::vector<PooledRun>& runs, std::uint32_t jobs)
{
    std::vector<RunRecord> records;
    const auto keep = [&](std::size_t index, RunRecord record) {
        EXPECT_EQ(index, records.size());
        records.push_back(std::move(record));
    };
    RunAll(runs, jobs, keep, {});
    return records;
}

void
ExpectBySeed(const std::vector<RunRecord>& records, std::size_t count)
{
    ASSERT_EQ(records.size(), count);
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto seed = static_cast<std::int64_t>(i) + 1;
        EXPECT_EQ(records[i].results.exchangeTimePs, 1000 * seed);
        EXPECT_THAT(records[i].results.iterationEndsPs, ElementsAre(seed, 10 * seed));
        EXPECT_EQ(records[i].results.achievedRatio, 1.0 / static_cast<double>(seed));
        EXPECT_EQ(records[i].layers.size(), i + 1);
        EXPECT_THAT(records[i].warnings, ElementsAre(std::to_string(seed)));
    }
}

/** How far all are, in sevenths, as it is told. */
std::vector<double>
Sevenths(const std::vector<PooledRun>& runs, std::uint32_t jobs)
{
    std::vector<double> shares;
    RunAll(
        runs,
        jobs,
        [](std::size_t, const RunRecord&) {},
        [&shares](double share) { shares.push_back(share * 7); });
    return shares;
}

/** The text of an error of this kind that the second of three runs ends with. */
template <class Error>
std::string
Failure(std::uint32_t jobs, const Error& thrown)
{
    auto runs = Runs(3);
    runs[1].run = [&thrown](const RunProgress&) -> RunRecord { throw thrown; };
    try
    {
        Records(runs, jobs);
    }
    catch (const Error& caught)
    {
        EXPECT_TRUE(IsChildless());
        return caught.what();
    }
    return "no error of that kind";
}

/** Two runs that never end by themselves; the first asks for an end of all of them. */
bool
IsEndedByASignal()
{
    const auto wait = [](const RunProgress&) -> RunRecord {
        for (;;)
        {
            ::pause();
        }
    };
    const auto ask = [wait](const RunProgress& onProgress) {
        ::kill(::getppid(), SIGTERM);
        return wait(onProgress);
    };
    CatchInterrupts();
    try
    {
        Records({{ask, 1}, {wait, 1}}, 2);
    }
    catch (const Interrupted&)
    {
        return IsChildless();
    }
    return false;
}

} // namespace

TEST(RunAll, KeepsTheOrderInThisProcess)
{
    ExpectBySeed(Records(Runs(5), 1), 5);
}

TEST(RunAll, KeepsTheOrderInProcesses)
{
    ExpectBySeed(Records(Runs(7), 3), 7);
    EXPECT_TRUE(IsChildless());
}

TEST(RunAll, NeedsNoMoreProcessesThanRuns)
{
    ExpectBySeed(Records(Runs(2), 8), 2);
    EXPECT_TRUE(Records({}, 8).empty());
    EXPECT_TRUE(IsChildless());
}

/* The first run ends last: it waits for nothing of the other three, which run beside it. */
TEST(RunAll, HandsOverInOrderWhateverEndsFirst)
{
    auto runs = Runs(4);
    runs[0].run = [](const RunProgress& onProgress) {
        ::usleep(200'000);
        return BySeed(1, onProgress);
    };
    ExpectBySeed(Records(runs, 2), 4);
}

/* 20,000 layers of more than 60 bytes are more than a pipe holds. */
TEST(RunAll, TakesRecordsOfAnySize)
{
    const auto large = [](const RunProgress&) {
        RunRecord record;
        record.layers.resize(20'000);
        record.layers.back().layer = "last";
        return record;
    };
    const auto records = Records({{large, 1}, {large, 1}}, 2);
    ASSERT_EQ(records.size(), 2U);
    ASSERT_EQ(records[1].layers.size(), 20'000U);
    EXPECT_EQ(records[1].layers.back().layer, "last");
}

/* 1 + 2 + 4 = 7: half of the first is 0.5, all of it 1; 2 and 3; 5 and 7. */
TEST(RunAll, TellsHowFarTheWholeIs)
{
    EXPECT_THAT(
        Sevenths(Runs(3), 1),
        ElementsAre(DoubleEq(.5), DoubleEq(1), DoubleEq(2), DoubleEq(3), DoubleEq(5), DoubleEq(7)));
}

TEST(RunAll, TellsOfEveryProcessThatEnds)
{
    const auto shares = Sevenths(Runs(3), 2);
    EXPECT_EQ(shares.size(), 3U);
    EXPECT_DOUBLE_EQ(shares.back(), 7);
}

TEST(RunAll, PassesErrorsOnAsWhatTheyAre)
{
    for (const auto jobs : {1U, 3U})
    {
        EXPECT_EQ(Failure(jobs, InputError("no such trace")), "no such trace");
        EXPECT_EQ(Failure(jobs, UnitError("no rate")), "no rate");
        EXPECT_EQ(Failure(jobs, RunError("no progress")), "no progress");
        EXPECT_EQ(Failure(jobs, InvariantError("bytes are lost")), "bytes are lost");
        EXPECT_EQ(Failure(jobs, Interrupted(SIGINT)), "interrupted");
        EXPECT_EQ(Failure(jobs, std::bad_alloc()), std::bad_alloc().what());
    }
    EXPECT_EQ(Failure<std::logic_error>(3, std::out_of_range("at")), "at") << "a bug stays one";
}

TEST(RunAll, KeepsEveryComplaint)
{
    const auto run = [](const RunProgress&) -> RunRecord {
        throw InputError(std::vector<std::string>{"one", "two"});
    };
    try
    {
        Records({{run, 1}}, 2);
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_THAT(error.Complaints(), ElementsAre("one", "two"));
    }
}

TEST(RunAll, SaysWhenAProcessDies)
{
    for (const int code : {0, 9})
    {
        const auto run = [code](const RunProgress&) -> RunRecord { ::_exit(code); };
        EXPECT_THROW(Records({{run, 1}, {run, 1}}, 2), RunError) << code;
        EXPECT_TRUE(IsChildless());
    }
}

/* In a process of its own: a signal is remembered. */
TEST(RunAll, EndsItsProcessesOnASignal)
{
    const auto process = ::fork();
    if (process == 0)
    {
        ::_exit(IsEndedByASignal() ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(process, &status, 0), process);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

} // namespace inca
