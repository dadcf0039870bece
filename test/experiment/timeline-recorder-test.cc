/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/timeline-recorder.h"

#include "base/errors.h"
#include "experiment/timeline-fixture.h"
#include "record/result-row.h"
#include "support/full-disk.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace inca
{

namespace
{

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr auto g_skipped = "repeats itself, not simulated";
constexpr auto g_exposed = "exposed communication";

/** By Activity. */
constexpr std::array<const char*, g_activityCount> g_names{
    "forward", "backward", "copy", "codec", "sum", "update"};

class TimelineRecorderTest : public TimelineFixture
{
  protected:
    /** TwoLayerReplay of simulation-test.cc, whose numbers these are: one exchange takes X. */
    static constexpr std::int64_t X{4'956'800};

    static Scenario TwoLayerRing()
    {
        auto scenario = Bare(TwoLayers());
        scenario.training.send = "layer";
        scenario.simulation.mode = "packet"; // both workers are looked at
        return scenario;
    }

    /** Worker @p worker's breakdown track and raw tracks say what @p outcome says of it. */
    static void ExpectBreakdown(const ReadTimeline& timeline, const Outcome& outcome)
    {
        const auto who = outcome.plan.Job().prepared.job->NameOf(outcome.lastWorker);
        const auto warmup = outcome.plan.scenario.simulation.warmup;
        const auto beginPs = warmup == 0 ? 0 : outcome.seen->iterationEndPs[warmup - 1];
        const auto measured = [&](const char* track) {
            auto spans = timeline.On(who, track);
            const auto isEarly = [beginPs](const auto& span) { return span.beginPs < beginPs; };
            spans.erase(std::remove_if(spans.begin(), spans.end(), isEarly), spans.end());
            return spans;
        };
        const auto breakdown = measured("breakdown");
        for (std::size_t i = 0; i < g_activityCount; ++i)
        {
            EXPECT_EQ(LengthOf(breakdown, g_names[i]), outcome.breakdown.activityPs[i]);
        }
        EXPECT_EQ(LengthOf(breakdown, g_exposed), outcome.breakdown.communicationPs);
        EXPECT_EQ(LengthOf(measured(g_exposed)), outcome.breakdown.communicationPs);
        EXPECT_EQ(LengthOf(breakdown), outcome.breakdown.TotalPs());
    }
};

} // namespace

/* Forward passes of 1 us, backward passes of 2 us. "out" is exchanged from 4 us on, then "in", behind an
 * acknowledgement; updates take 0.5 us. Of two steps of two exchanges each worker gets 4 messages. */
TEST_F(TimelineRecorderTest, ShowsWhatARankDoes)
{
    const auto timeline = Timeline(TwoLayerRing());
    const auto compute = timeline.On("worker 1", "compute");
    ASSERT_THAT(compute, SizeIs(4));
    EXPECT_EQ(compute[1].name, "forward out");
    EXPECT_EQ(compute[3].name, "backward in");
    EXPECT_EQ(compute[3].beginPs, 4'000'000);
    EXPECT_EQ(compute[3].endPs, 6'000'000);
    const auto exchanges = timeline.On("worker 1", "exchange");
    ASSERT_THAT(exchanges, SizeIs(2));
    EXPECT_EQ(exchanges[0].name, "out");
    EXPECT_EQ(exchanges[0].beginPs, 4'000'000);
    EXPECT_EQ(exchanges[0].endPs, 4'000'000 + X);
    EXPECT_EQ(exchanges[1].name, "in");
    EXPECT_EQ(exchanges[1].endPs, 4'000'000 + 2 * X + ACK_PS);
    const auto updates = timeline.On("worker 1", "update");
    ASSERT_THAT(updates, SizeIs(2));
    EXPECT_EQ(updates[0].name, "update out");
    EXPECT_EQ(updates[1].beginPs, exchanges[1].endPs);
    EXPECT_EQ(timeline.flows.size(), 8U);
    EXPECT_EQ(timeline.flows.front().first, 4'000'000);
    EXPECT_EQ(timeline.flows.front().second, 4'000'000 + HopPs(50));
}

/* The first frames, of 50 elements, leave the NICs at 4 us; 1 us after their last bit has left, the
 * switch sends them on: 278 bytes are in its queue, and when they have left it is empty. */
TEST_F(TimelineRecorderTest, ShowsWhatPortsSendAndHold)
{
    const auto timeline = Timeline(TwoLayerRing());
    const auto framePs = FramePs(50);
    const auto up = timeline.On("worker 0", "NIC sends");
    ASSERT_FALSE(up.empty());
    EXPECT_EQ(up[0].name, "data, worker 0 to worker 1, 1 frame");
    EXPECT_EQ(up[0].beginPs, 4'000'000);
    EXPECT_EQ(up[0].endPs, 4'000'000 + framePs);
    const auto down = timeline.On("switch", "switch -> worker 1");
    ASSERT_FALSE(down.empty());
    const auto beginPs = 4'000'000 + framePs + LINK_PS;
    EXPECT_EQ(down[0].name, "data, worker 0 to worker 1, 1 frame");
    EXPECT_EQ(down[0].beginPs, beginPs);
    EXPECT_EQ(down[0].endPs, beginPs + framePs);
    const auto& queue = timeline.counts.at({4, "queue switch -> worker 1"});
    ASSERT_GE(queue.size(), 2U);
    EXPECT_EQ(queue[0], (std::pair<std::int64_t, std::int64_t>{beginPs, 278}));
    EXPECT_EQ(queue[1], (std::pair<std::int64_t, std::int64_t>{beginPs + framePs, 0}));
    EXPECT_EQ(queue.back().second, 0);
}

/* 10 full frames of one message leave one behind the other: one span of 10 * 1538 bytes of 0.8 ns. */
TEST_F(TimelineRecorderTest, ShowsFramesWithoutAGapAsOneTrain)
{
    auto scenario = Bare("tensor:29200B");
    scenario.simulation.mode = "packet";
    const auto sends = Timeline(scenario).On("worker 0", "NIC sends");
    ASSERT_FALSE(sends.empty());
    EXPECT_EQ(sends[0].name, "data, worker 0 to worker 1, 10 frames");
    EXPECT_EQ(sends[0].endPs - sends[0].beginPs, 10 * 1538 * 800);
}

/* In a ring and with an aggregator, servers or a switch, of alike and unlike workers. */
TEST_F(TimelineRecorderTest, AddsUpToTheBreakdown)
{
    for (const auto* algorithm :
         {"ring", "worker-aggregator", "sharded-parameter-server", "switch-slots"})
    {
        for (const auto* jitter : {"none", "normal"})
        {
            SCOPED_TRACE(std::string(algorithm) + " " + jitter);
            Scenario scenario;
            scenario.training.trace = "hdc";
            scenario.training.iterations = 3;
            scenario.training.jitter = jitter;
            scenario.training.jitterSd = 0.1;
            scenario.simulation.warmup = 1;
            scenario.exchange.algorithm = algorithm;
            const auto timeline = Timeline(scenario);
            ExpectBreakdown(timeline, outcome);
            EXPECT_EQ(LengthOf(timeline.On("run", "iterations")),
                      outcome.seen->iterationEndPs.back());
            if (outcome.lastWorker == 0)
            {
                EXPECT_EQ(LengthOf(timeline.On("run", "iterations"), "iteration 2"),
                          outcome.seen->iterationEndPs[1] - outcome.seen->iterationEndPs[0]);
            }
        }
    }
}

/* What counts before all else is the whole of its own track. */
TEST_F(TimelineRecorderTest, ComputesAsLongAsTheBreakdownSays)
{
    Scenario scenario;
    scenario.training.trace = "hdc";
    scenario.training.iterations = 2;
    const auto compute = Timeline(scenario).On("worker 0", "compute");
    EXPECT_EQ(LengthOf(compute, "forward"), outcome.breakdown.Of(Activity::FORWARD));
    EXPECT_EQ(LengthOf(compute, "backward"), outcome.breakdown.Of(Activity::BACKWARD));
}

/* "in" is ready at 6 us, while "out" is still exchanged. */
TEST_F(TimelineRecorderTest, GivesConcurrentExchangesLanes)
{
    auto scenario = TwoLayerRing();
    scenario.exchange.concurrent = 2;
    const auto timeline = Timeline(scenario);
    const auto first = timeline.On("worker 0", "exchange");
    const auto second = timeline.On("worker 0", "exchange 2");
    ASSERT_THAT(first, SizeIs(1));
    ASSERT_THAT(second, SizeIs(1));
    EXPECT_EQ(second[0].name, "in");
    EXPECT_EQ(second[0].beginPs, 6'000'000);
    EXPECT_GT(first[0].endPs, 6'000'000);
}

TEST_F(TimelineRecorderTest, ShowsWhatWasNotSimulatedAsRepetitions)
{
    const auto timeline = Timeline(Bare("tensor:4MB", 4));
    const auto skipped = timeline.On("run", g_skipped);
    ASSERT_FALSE(skipped.empty());
    EXPECT_THAT(skipped[0].name, HasSubstr(" repetitions of "));
    EXPECT_GT(LengthOf(skipped), outcome.seen->iterationEndPs.back() / 2);
    EXPECT_LT(LengthOf(skipped), outcome.seen->iterationEndPs.back());
    auto everything = Bare("tensor:4MB", 4);
    everything.simulation.mode = "packet";
    EXPECT_THAT(Timeline(everything).On("run", g_skipped), IsEmpty());
}

TEST_F(TimelineRecorderTest, SaysForWhomAHostStands)
{
    const auto timeline = Timeline(Bare("tensor:320kB", 8));
    EXPECT_EQ(timeline.processes.at(2),
              "worker 0, which stands for 8: worker 0, worker 1, worker 2, ..., worker 7");
    EXPECT_THAT(timeline.processes, SizeIs(3)); // the run, a host, the switch
}

/* Where frames are dropped, the run of one worker for all is not what counts. */
TEST_F(TimelineRecorderTest, ShowsTheRunThatCounts)
{
    auto scenario = Bare("tensor:400kB", 4);
    scenario.cluster.bufferBytes = 1600;
    scenario.cluster.mtu = 1500;
    const auto timeline = Timeline(scenario);
    EXPECT_EQ(timeline.processes.at(2), "worker 0");
    EXPECT_THAT(timeline.processes, SizeIs(6));
    ExpectBreakdown(timeline, outcome);
}

/* Iterations follow each other without overlap: the second begins with the forward pass of "in". */
TEST_F(TimelineRecorderTest, ShowsAWindow)
{
    auto scenario = TwoLayerRing();
    scenario.training.iterations = 3;
    request.firstIteration = 1;
    request.lastIteration = 1;
    const auto timeline = Timeline(scenario);
    const auto& ends = outcome.seen->iterationEndPs;
    const auto iterations = timeline.On("run", "iterations");
    ASSERT_THAT(iterations, SizeIs(1));
    EXPECT_EQ(iterations[0].name, "iteration 2");
    EXPECT_EQ(LengthOf(timeline.On("worker 0", "breakdown")), ends[1] - ends[0]);
    for (const auto& [track, spans] : timeline.spans)
    {
        for (const auto& span : spans)
        {
            EXPECT_GT(span.endPs, ends[0]) << span.name;
            EXPECT_LE(span.beginPs, ends[1]) << span.name;
        }
    }
    EXPECT_THAT(timeline.On("worker 0", "exchange"), SizeIs(2));
    EXPECT_THAT(timeline.flows, SizeIs(8));
}

/* Without a barrier, the first layer's next forward pass is told before the iteration is over. */
TEST_F(TimelineRecorderTest, ShowsWhatBeginsBeforeAndLastsIntoItsWindow)
{
    Scenario scenario;
    scenario.training.trace = "alexnet";
    scenario.training.iterations = 2;
    request.firstIteration = 1;
    const auto timeline = Timeline(scenario);
    const auto endPs = outcome.seen->iterationEndPs[0];
    const auto compute = timeline.On("worker 0", "compute");
    ASSERT_FALSE(compute.empty());
    EXPECT_LT(compute[0].beginPs, endPs);
    EXPECT_GT(compute[0].endPs, endPs);
}

TEST_F(TimelineRecorderTest, SaysWhatIsBeyondItsLimit)
{
    std::string told;
    request.warn = [&told](const std::string& text) { told = text; };
    request.limit = 40;
    const auto timeline = Timeline(TwoLayerRing());
    EXPECT_THAT(told, HasSubstr(request.path + ": --timeline-limit=40 is reached: NICs"));
    EXPECT_THAT(timeline.notes.at("left_out").get<std::string>(), HasSubstr("until 0.00000"));
    request.limit = 100'000;
    told.clear();
    EXPECT_FALSE(Timeline(TwoLayerRing()).notes.contains("left_out"));
    EXPECT_EQ(told, "");
}

/* A leaf's slots are taken until the spine's sum comes. Both workers' packets come in one instant, of which
 * the end counts, so that the spine has none in use. */
TEST_F(TimelineRecorderTest, CountsSlotsInUse)
{
    auto scenario = Bare("tensor:40kB", 4);
    scenario.exchange.algorithm = "switch-tree";
    scenario.cluster.topology = "leaf-spine";
    scenario.cluster.hostsPerLeaf = 2;
    scenario.simulation.mode = "packet";
    const auto timeline = Timeline(scenario);
    std::int64_t most = 0;
    for (const auto& [who, changes] : timeline.counts)
    {
        if (who.second == "slots in use")
        {
            EXPECT_EQ(timeline.processes.at(who.first).rfind("leaf", 0), 0U);
            EXPECT_EQ(changes.back().second, 0);
            for (const auto& [atPs, value] : changes)
            {
                most = std::max(most, value);
            }
        }
    }
    EXPECT_GT(most, 0);
    EXPECT_LE(static_cast<std::uint64_t>(most), outcome.switches.front().slotsPeak);
}

/* An engine of 25.6 Gb/s takes 46 cycles of 10 ns for a full frame of 1460 bytes: ceil(1460 * 8 / 256). */
TEST_F(TimelineRecorderTest, ShowsWhatEnginesWorkOn)
{
    auto scenario = Bare("tensor:2920B");
    scenario.codec.name = "truncate";
    scenario.simulation.mode = "packet";
    const auto timeline = Timeline(scenario);
    const auto work = timeline.On("worker 0", "compression engine");
    ASSERT_FALSE(work.empty());
    EXPECT_EQ(work[0].endPs - work[0].beginPs, 46 * 10'000);
    const auto& backlog = timeline.counts.at({2, "backlog of the compression engine"});
    EXPECT_EQ(backlog.front().second, 46 * 10'000);
    EXPECT_EQ(backlog.back().second, 0);
}

TEST_F(TimelineRecorderTest, ChangesNothing)
{
    for (const auto* algorithm : {"ring", "switch-slots"})
    {
        Scenario scenario;
        scenario.training.trace = "alexnet";
        scenario.exchange.algorithm = algorithm;
        EXPECT_EQ(CsvRow(RowOf(RunWithTimeline(scenario, {}, &request))),
                  CsvRow(RowOf(RunExperiment(scenario, {}))));
    }
}

/* Some 64 KiB of text are written while the run goes on; one worker for all would run again for nothing. */
TEST_F(TimelineRecorderTest, LeavesNothingOnAFullDisk)
{
    Scenario scenario;
    scenario.training.trace = "alexnet";
    const FullDisk disk(70'000);
    EXPECT_THROW(RunWithTimeline(scenario, {}, &request), RunError);
    EXPECT_FALSE(std::filesystem::exists(request.path));
}

} // namespace inca
