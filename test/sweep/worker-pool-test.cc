/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/worker-pool.h"

#include "base/interrupt.h"
#include "experiment/run-experiment.h"
#include "support/why-not.h"
#include "sweep/run-slots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <functional>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace inca
{

namespace
{

using testing::HasSubstr;

/** The one process that this one has forked. */
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

/** @return whether this process has no child, running or unwaited for */
bool
IsChildless()
{
    return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
}

std::string
Repeated(const std::string& text)
{
    return text + text;
}

/** How all that was started has ended, by its index. */
std::map<std::size_t, std::string>
Ended(WorkerPool& pool)
{
    std::map<std::size_t, std::string> texts;
    while (pool.Running() > 0)
    {
        for (const auto& [index, told] : pool.Wait())
        {
            texts[index] = told;
        }
    }
    return texts;
}

/** What the worker of @p pool makes of it. */
std::string
Answer(WorkerPool& pool, const std::string& request)
{
    pool.Start(0, request);
    return DecodeMessage(Ended(pool).at(0));
}

/** The text of an error of this kind that work ends with. */
template <class Error>
std::string
Failure(const Error& thrown)
{
    try
    {
        WorkerPool pool([&thrown](const std::string&) -> std::string { throw thrown; });
        Answer(pool, "");
    }
    catch (const Error& caught)
    {
        EXPECT_TRUE(IsChildless());
        return caught.what();
    }
    return "no error of that kind";
}

Scenario
Exchange(const std::string& algorithm, std::uint32_t workers)
{
    Scenario scenario;
    scenario.training.trace = "tensor:100kB";
    scenario.cluster.workers = workers;
    scenario.exchange.algorithm = algorithm;
    return scenario;
}

/** Minutes of frames, one by one. */
Scenario
Long()
{
    auto scenario = Exchange("ring", 64);
    scenario.training.trace = "tensor:1GB";
    scenario.simulation.mode = SimulationMode::PACKET;
    return scenario;
}

std::vector<SweepPoint>
PointsOf(const std::vector<Scenario>& scenarios)
{
    std::vector<SweepPoint> points(scenarios.size());
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        points[i].scenario = scenarios[i];
    }
    return points;
}

PointResult
ResultOf(RunSlots& slots, std::size_t point)
{
    slots.Start(point, 1e6);
    auto ended = slots.Wait();
    while (ended.empty())
    {
        ended = slots.Wait();
    }
    EXPECT_EQ(ended.front().point, point);
    return ended.front().result;
}

/** Two runs that never end by themselves; the first asks for an end of all of them. */
bool
IsEndedByASignal()
{
    CatchInterrupts();
    try
    {
        WorkerPool pool([](const std::string& request) -> std::string {
            if (request == "ask")
            {
                ::kill(::getppid(), SIGTERM);
            }
            for (;;)
            {
                ::pause();
            }
        });
        pool.Start(0, "wait");
        pool.Start(1, "ask");
        Ended(pool);
    }
    catch (const Interrupted&)
    {
        return IsChildless();
    }
    return false;
}

} // namespace

/* One worker does two of the three, as it has nothing to do in between; 200 kB are more than a socket holds. */
TEST(WorkerPool, WorkersDoOnePieceAfterTheOther)
{
    WorkerPool pool(Repeated);
    pool.Start(7, "a");
    pool.Start(8, std::string(200'000, 'b'));
    EXPECT_EQ(pool.Running(), 2U);
    const auto ended = Ended(pool);
    EXPECT_EQ(DecodeMessage(ended.at(7)), "aa");
    EXPECT_EQ(DecodeMessage(ended.at(8)), std::string(400'000, 'b'));
    const auto before = Child();
    EXPECT_EQ(Answer(pool, ""), "");
    EXPECT_EQ(Child(), before);
    Kill(before);
    EXPECT_EQ(Answer(pool, "c"), "cc") << "an idle one that has died is replaced";
}

TEST(WorkerPool, WhatTakesTooLongIsEnded)
{
    const auto wait = [](const std::string& text) {
        ::usleep(text == "long" ? 60'000'000 : 0);
        return text;
    };
    WorkerPool pool(wait, 0.1);
    EXPECT_EQ(Answer(pool, "short"), "short");
    EXPECT_THROW(Answer(pool, "long"), TimeoutError);
    EXPECT_TRUE(IsChildless());
    EXPECT_EQ(Answer(pool, "short"), "short");
}

/* Each bit of its result, or its error, is that of a process which has done nothing else before: codecs, values, loss,
 * other fabrics and seeds, refusals. */
TEST(LocalSlots, EachRunIsAsIfItWereTheFirst)
{
    std::vector<Scenario> scenarios{Exchange("ring", 4), Exchange("switch-slots", 8)};
    scenarios.push_back(Exchange("ring", 3));
    scenarios.back().codec.name = "inceptionn";
    scenarios.back().codec.placement = CodecPlacement::NIC;
    scenarios.back().training.values = true;
    scenarios.push_back(Exchange("worker-aggregator", 5));
    scenarios.back().cluster.lossRate = 0.001;
    scenarios.push_back(Exchange("ring", 0)); // which no cluster has
    scenarios.push_back(Exchange("tree", 6));
    scenarios.back().simulation.mode = SimulationMode::PACKET;
    scenarios.back().simulation.seed = 7;
    const auto points = PointsOf(scenarios);
    auto slots = MakeLocalSlots(points, {1, 1e9});
    for (int time = 0; time < 2; ++time)
    {
        for (std::size_t i = 0; i < points.size(); ++i)
        {
            auto fresh = MakeLocalSlots(points, {1, 1e9});
            const auto alone = ResultOf(*fresh, i);
            const auto result = ResultOf(*slots, i);
            EXPECT_EQ(result.status, alone.status);
            EXPECT_EQ(FormatResult(result), FormatResult(alone)) << time << ", " << i;
        }
    }
}

TEST(LocalSlots, AProcessThatDiesTakesNoOtherRunWithIt)
{
    const auto points = PointsOf({Exchange("ring", 4), Long()});
    auto slots = MakeLocalSlots(points, {1, 1e9});
    EXPECT_EQ(ResultOf(*slots, 0).status, PointStatus::DONE);
    slots->Start(1, 1e6);
    Kill(Child());
    const auto died = slots->Wait();
    ASSERT_EQ(died.size(), 1U);
    EXPECT_EQ(died.front().result.status, PointStatus::FAILED);
    EXPECT_THAT(died.front().result.warnings.front(), HasSubstr("died"));
    EXPECT_EQ(ResultOf(*slots, 0).status, PointStatus::DONE);
}

/* Two machines of 100 MB, of which a process takes 16: two runs of 50 MB have room for themselves alone, each on its own. */
TEST(RunSlots, MachinesShareTheirMemory)
{
    class NoSlots : public RunSlots
    {
      public:
        using RunSlots::RunSlots;

      private:
        void DoStart(std::size_t slot, std::size_t /*point*/) override
        {
            EXPECT_EQ(slot, next);
            next = 2;
        }

        std::vector<EndedWork> DoWait() override
        {
            return {{0, "mout of memory"}};
        }

        std::size_t next{0};
    };
    const std::vector<SweepPoint> points(3);
    NoSlots slots(points, {{"a", 1e8}, {"a", 1e8}, {"b", 1e8}});
    EXPECT_TRUE(slots.HasRoomFor(1e12)) << "nothing runs";
    slots.Start(0, 50e6);
    slots.Start(1, 50e6);
    EXPECT_FALSE(slots.HasRoomFor(50e6));
    EXPECT_TRUE(slots.HasRoomFor(18e6));
    EXPECT_FALSE(slots.IsFull());
    EXPECT_EQ(slots.Wait().front().result.status, PointStatus::FAILED);
    EXPECT_TRUE(slots.HasRoomFor(50e6));
}

TEST(WorkerPool, PassesErrorsOnAsWhatTheyAre)
{
    EXPECT_EQ(Failure(InputError(std::vector<std::string>{"one", "two"})), "one\ntwo");
    EXPECT_EQ(Failure(RunError("no progress")), "no progress");
    EXPECT_EQ(Failure(InvariantError("bytes are lost")), "bytes are lost");
    EXPECT_EQ(Failure(Interrupted(SIGINT)), "interrupted");
    EXPECT_EQ(Failure(std::bad_alloc()), std::bad_alloc().what());
    WorkerPool pool([](const std::string&) -> std::string { throw std::out_of_range("at"); });
    EXPECT_THROW(Answer(pool, ""), InvariantError) << "a bug stays one";
}

/* Only SIGKILL is what a system without memory sends. */
TEST(WorkerPool, SaysOfWhatAProcessDies)
{
    const std::pair<std::function<void()>, const char*> rows[] = {
        {[] { ::_exit(0); }, "the process of a run died: exit code 0"},
        {[] { ::_exit(9); }, "the process of a run died: exit code 9"},
        {[] { ::raise(SIGKILL); },
         "the process of a run died: signal 9, Killed; is there enough memory for --jobs?"},
        {[] { ::raise(SIGFPE); }, "the process of a run died: signal 8, Floating point exception"},
    };
    for (const auto& [die, why] : rows)
    {
        WorkerPool pool([die = die](const std::string& text) {
            die();
            return text;
        });
        EXPECT_EQ(WhyNot<RunError>([&] { Answer(pool, ""); }), why);
        EXPECT_TRUE(IsChildless());
    }
}

/* In a process of its own: a signal is remembered. */
TEST(WorkerPool, EndsItsProcessesOnASignal)
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
