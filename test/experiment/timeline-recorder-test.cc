/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/timeline-recorder.h"

#include "base/errors.h"
#include "experiment/scenario-fixture.h"
#include "record/result-row.h"
#include "support/full-disk.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <utility>

namespace inca
{

namespace
{

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/** (ps) */
struct NamedSpan
{
    std::string name;
    std::int64_t beginPs{0};
    std::int64_t endPs{0};

    bool operator==(const NamedSpan& other) const
    {
        return name == other.name && beginPs == other.beginPs && endPs == other.endPs;
    }
};

/** @return how long all of @p spans are whose names begin with @p name (ps) */
std::int64_t
LengthOf(const std::vector<NamedSpan>& spans, const std::string& name = "")
{
    std::int64_t lengthPs = 0;
    for (const auto& span : spans)
    {
        lengthPs += span.name.rfind(name, 0) == 0 ? span.endPs - span.beginPs : 0;
    }
    return lengthPs;
}

constexpr auto g_skipped = "repeats itself, not simulated";
constexpr auto g_exposed = "exposed communication";

/** By Activity. */
constexpr std::array<const char*, g_activityCount> g_names{
    "forward", "backward", "copy", "codec", "sum", "update"};

/** Runs scenarios with a timeline, and reads it as a viewer does, whose demands it checks. All times are in ps. */
class TimelineRecorderTest : public ScenarioFixture
{
  protected:
    using Place = std::pair<std::string, std::string>; ///< process, track or counter
    using TimedValues = std::vector<std::pair<std::int64_t, std::int64_t>>;

    TimelineRecorderTest()
    {
        request.path = testing::TempDir() + "inca-timeline-" + std::to_string(getpid()) + ".json";
    }

    ~TimelineRecorderTest() override
    {
        std::remove(request.path.c_str());
    }

    void Record(const Scenario& scenario)
    {
        outcome = Simulate(
            MakePlan(scenario), [](double) {}, &request);
        const auto json = nlohmann::json::parse(std::ifstream(request.path));
        auto events = json.at("traceEvents").get<std::vector<nlohmann::json>>();
        // as viewers do: by time, and as they stand in the file at the same time
        std::stable_sort(events.begin(), events.end(), [](const auto& a, const auto& b) {
            return a.value("ts", -1.0) < b.value("ts", -1.0);
        });
        processes.clear();
        m_tracks.clear();
        spans.clear();
        counts.clear();
        for (const auto& event : events)
        {
            Take(event);
        }
        for (const auto& [track, name] : m_open)
        {
            EXPECT_EQ(name.first, "") << "a span without an end";
        }
        notes = json.at("otherData");
    }

    /** All spans of tracks called @p track in processes called @p process, or that begin so. */
    std::vector<NamedSpan> On(const std::string& process, const std::string& track) const
    {
        for (const auto& [place, found] : spans)
        {
            if (place.first.rfind(process, 0) == 0 && place.second == track)
            {
                return found;
            }
        }
        return {};
    }

    /** TwoLayerReplay of simulation-test.cc, whose numbers these are: one exchange takes X. */
    static constexpr std::int64_t X{4'956'800};

    /** Both workers are looked at. */
    static Scenario TwoLayerRing(const std::string& settings = "")
    {
        return With(Bare(TwoLayers()), "training.send=layer simulation.mode=packet " + settings);
    }

    /** The breakdown track and raw tracks of the last worker say what the outcome says of it. */
    void ExpectBreakdown() const
    {
        const auto who = outcome.plan.Job().job->NameOf(outcome.Job().measuredWorker);
        const auto warmup = outcome.plan.Settings().scenario.simulation.warmup;
        const auto window = warmup == 0
                                ? Span{0, outcome.Job().seen->iterationEndPs.back()}
                                : outcome.Job().seen->measured[outcome.Job().measuredWorker];
        const auto measured = [&](const char* track) {
            auto found = On(who, track);
            for (auto& span : found)
            {
                span.beginPs = std::max(span.beginPs, window.beginPs);
                span.endPs = std::max(span.beginPs, std::min(span.endPs, window.endPs));
            }
            return found;
        };
        const auto breakdown = measured("breakdown");
        for (std::size_t i = 0; i < g_activityCount; ++i)
        {
            EXPECT_EQ(LengthOf(breakdown, g_names[i]), outcome.Job().breakdown.activityPs[i]);
        }
        EXPECT_EQ(LengthOf(breakdown, g_exposed), outcome.Job().breakdown.communicationPs);
        EXPECT_EQ(LengthOf(measured(g_exposed)), outcome.Job().breakdown.communicationPs);
        EXPECT_EQ(LengthOf(breakdown), outcome.Job().breakdown.TotalPs());
        if (outcome.plan.Settings().IsPacketLevel()) // nothing is repeated
        {
            EXPECT_EQ(LengthOf(measured("critical path")), outcome.Job().breakdown.TotalPs());
        }
    }

    Outcome outcome; ///< of the last run
    TimelineRequest request;
    std::map<std::uint32_t, std::string> processes;
    std::map<Place, std::vector<NamedSpan>> spans;
    std::map<Place, TimedValues> counts;
    nlohmann::json notes;

  private:
    void Take(const nlohmann::json& event)
    {
        constexpr double psPerMicrosecond = 1e6;
        const auto phase = event.at("ph").get<std::string>();
        const auto process = event.at("pid").get<std::uint32_t>();
        const auto name = event.at("name").get<std::string>();
        const std::pair track(process, event.value("tid", 0U));
        if (phase == "M")
        {
            if (name == "process_name")
            {
                processes[process] = event.at("args").at("name");
            }
            else if (name == "thread_name")
            {
                EXPECT_TRUE(m_tracks.emplace(track, event.at("args").at("name")).second) << event;
            }
            return;
        }
        const auto atPs = std::llround(event.at("ts").get<double>() * psPerMicrosecond);
        if (phase == "C")
        {
            const auto value = event.at("args").front().get<std::int64_t>();
            EXPECT_GE(value, 0);
            counts[{processes.at(process), name}].emplace_back(atPs, value);
            return;
        }
        auto& [open, beginPs] = m_open[track];
        if (phase == "B")
        {
            EXPECT_EQ(open, "") << "overlaps " << event;
            open = name;
            beginPs = atPs;
        }
        else
        {
            EXPECT_EQ(phase, "E");
            EXPECT_EQ(open, name) << event;
            EXPECT_GT(atPs, beginPs) << event;
            spans[{processes.at(process), m_tracks.at(track)}].push_back(
                {std::exchange(open, ""), beginPs, atPs});
        }
    }

    using Track = std::pair<std::uint32_t, std::uint32_t>;

    std::map<Track, std::string> m_tracks;
    std::map<Track, std::pair<std::string, std::int64_t>> m_open; ///< spans: name and begin
};

} // namespace

/* Forward passes of 1 us, backward passes of 2 us. "out" is exchanged from 4 us on, then "in", behind an
 * acknowledgement; updates take 0.5 us. */
TEST_F(TimelineRecorderTest, ShowsWhatARankDoes)
{
    Record(TwoLayerRing());
    const auto compute = On("worker 1", "compute");
    ASSERT_THAT(compute, SizeIs(4));
    EXPECT_EQ(compute[1].name, "forward out");
    EXPECT_EQ(compute[3], (NamedSpan{"backward in", 4'000'000, 6'000'000}));
    const auto exchanges = On("worker 1", "exchange");
    ASSERT_THAT(exchanges, SizeIs(2));
    EXPECT_EQ(exchanges[0], (NamedSpan{"out", 4'000'000, 4'000'000 + X}));
    EXPECT_EQ(exchanges[1].name, "in");
    EXPECT_EQ(exchanges[1].endPs, 4'000'000 + 2 * X + ACK_PS);
    const auto updates = On("worker 1", "update");
    ASSERT_THAT(updates, SizeIs(2));
    EXPECT_EQ(updates[1].name, "update out");
    EXPECT_EQ(updates[0].beginPs, exchanges[1].endPs);
}

/* The first frames, of 50 elements, leave the NICs at 4 us; 1 us after their last bit has left, the
 * switch sends them on: 278 bytes are in its queue, and when they have left it is empty. */
TEST_F(TimelineRecorderTest, ShowsWhatPortsSendAndHold)
{
    Record(TwoLayerRing());
    const auto framePs = FramePs(50);
    const auto up = On("worker 0", "NIC sends");
    ASSERT_FALSE(up.empty());
    const auto* frame = "data, worker 0 to worker 1, 1 frame";
    EXPECT_EQ(up[0], (NamedSpan{frame, 4'000'000, 4'000'000 + framePs}));
    const auto down = On("switch", "switch -> worker 1");
    ASSERT_FALSE(down.empty());
    const auto beginPs = 4'000'000 + framePs + LINK_PS;
    EXPECT_EQ(down[0], (NamedSpan{frame, beginPs, beginPs + framePs}));
    const auto& queue = counts.at({"switch", "queue switch -> worker 1"});
    ASSERT_GE(queue.size(), 2U);
    EXPECT_EQ(queue[0], (std::pair<std::int64_t, std::int64_t>{beginPs, 278}));
    EXPECT_EQ(queue[1], (std::pair<std::int64_t, std::int64_t>{beginPs + framePs, 0}));
    EXPECT_EQ(queue.back().second, 0);
}

/* 10 full frames of one message leave one behind the other: one span of 10 * 1538 bytes of 0.8 ns. */
TEST_F(TimelineRecorderTest, ShowsFramesWithoutAGapAsOneTrain)
{
    const auto scenario = With(Bare("tensor:29200B"), "simulation.mode=packet");
    Record(scenario);
    const auto sends = On("worker 0", "NIC sends");
    ASSERT_FALSE(sends.empty());
    EXPECT_EQ(sends[0].name, "data, worker 0 to worker 1, 10 frames");
    EXPECT_EQ(sends[0].endPs - sends[0].beginPs, 10 * 1538 * 800);
}

/* In a ring and with an aggregator, servers or a switch, of alike and unlike workers. */
TEST_F(TimelineRecorderTest, AddsUpToTheBreakdown)
{
    for (const std::string algorithm :
         {"ring", "worker-aggregator", "sharded-parameter-server", "switch-slots"})
    {
        for (const std::string jitter : {"none", "normal"})
        {
            SCOPED_TRACE(algorithm + " " + jitter);
            Record(With({},
                        "training.trace=hdc training.iterations=3 simulation.warmup=1 "
                        "training.jitter_sd=0.1 training.jitter=" +
                            jitter + " exchange.algorithm=" + algorithm));
            ExpectBreakdown();
            EXPECT_EQ(LengthOf(On("run", "iterations")), outcome.Job().seen->iterationEndPs.back());
            if (outcome.Job().measuredWorker == 0)
            {
                EXPECT_EQ(LengthOf(On("run", "iterations"), "iteration 2"),
                          outcome.Job().seen->iterationEndPs[1] -
                              outcome.Job().seen->iterationEndPs[0]);
            }
        }
    }
}

/* "in" is ready at 6 us, while "out" is still exchanged. */
TEST_F(TimelineRecorderTest, GivesConcurrentExchangesLanes)
{
    Record(TwoLayerRing("exchange.concurrent=2"));
    const auto first = On("worker 0", "exchange");
    const auto second = On("worker 0", "exchange 2");
    ASSERT_THAT(first, SizeIs(1));
    ASSERT_THAT(second, SizeIs(1));
    EXPECT_EQ(second[0].name, "in");
    EXPECT_EQ(second[0].beginPs, 6'000'000);
    EXPECT_GT(first[0].endPs, 6'000'000);
}

TEST_F(TimelineRecorderTest, ShowsWhatWasNotSimulatedAsRepetitions)
{
    Record(Bare("tensor:4MB", 4));
    const auto skipped = On("run", g_skipped);
    ASSERT_FALSE(skipped.empty());
    EXPECT_THAT(skipped[0].name, HasSubstr(" repetitions of "));
    EXPECT_GT(LengthOf(skipped), outcome.Job().seen->iterationEndPs.back() / 2);
    EXPECT_LT(LengthOf(skipped), outcome.Job().seen->iterationEndPs.back());
    const auto everything = With(Bare("tensor:4MB", 4), "simulation.mode=packet");
    Record(everything);
    EXPECT_THAT(On("run", g_skipped), IsEmpty());
}

TEST_F(TimelineRecorderTest, SaysForWhomAHostStands)
{
    Record(Bare("tensor:320kB", 8));
    EXPECT_EQ(processes.at(2),
              "worker 0, which stands for 8: worker 0, worker 1, worker 2, ..., worker 7");
    EXPECT_THAT(processes, SizeIs(3)); // the run, a host, the switch
}

/* Where frames are dropped, the run of one worker for all is not what counts. */
TEST_F(TimelineRecorderTest, ShowsTheRunThatCounts)
{
    Record(With(Bare("tensor:400kB", 4), "cluster.buffer=1600B cluster.mtu=1500"));
    EXPECT_EQ(processes.at(2), "worker 0");
    EXPECT_THAT(processes, SizeIs(6));
    ExpectBreakdown();
}

TEST_F(TimelineRecorderTest, SaysWhatIsBeyondItsLimit)
{
    std::string told;
    request.warn = [&told](const std::string& text) { told = text; };
    request.limit = 40;
    Record(TwoLayerRing());
    EXPECT_THAT(told, HasSubstr(request.path + ": --timeline-limit=40 is reached: NICs"));
    EXPECT_THAT(notes.at("left_out").get<std::string>(), HasSubstr("until 0.00000"));
    request.limit = 100'000;
    told.clear();
    Record(TwoLayerRing());
    EXPECT_FALSE(notes.contains("left_out"));
    EXPECT_EQ(told, "");
}

/* A leaf's slots are taken until the spine's sum comes. Both workers' packets come in one instant, of which
 * the end counts, so that the spine has none in use. */
TEST_F(TimelineRecorderTest, CountsSlotsInUse)
{
    Record(With(Bare("tensor:40kB", 4),
                "exchange.algorithm=switch-tree cluster.topology=leaf-spine "
                "cluster.hosts_per_leaf=2 simulation.mode=packet"));
    std::int64_t most = 0;
    for (const auto& [who, changes] : counts)
    {
        if (who.second == "slots in use")
        {
            EXPECT_EQ(who.first.rfind("leaf", 0), 0U);
            EXPECT_EQ(changes.back().second, 0);
            for (const auto& [atPs, value] : changes)
            {
                most = std::max(most, value);
            }
        }
    }
    EXPECT_GT(most, 0);
    EXPECT_LE(static_cast<std::uint64_t>(most), outcome.Job().switches.front().slotsPeak);
}

/* An engine of 25.6 Gb/s takes 46 cycles of 10 ns for a full frame of 1460 bytes: ceil(1460 * 8 / 256). */
TEST_F(TimelineRecorderTest, ShowsWhatEnginesWorkOn)
{
    Record(With(Bare("tensor:2920B"), "codec.name=truncate simulation.mode=packet"));
    const auto work = On("worker 0", "compression engine");
    ASSERT_FALSE(work.empty());
    EXPECT_EQ(work[0].endPs - work[0].beginPs, 46 * 10'000);
    const auto& backlog = counts.at({"worker 0", "backlog of the compression engine"});
    EXPECT_EQ(backlog.front().second, 46 * 10'000);
    EXPECT_EQ(backlog.back().second, 0);
}

TEST_F(TimelineRecorderTest, ChangesNothing)
{
    for (const std::string algorithm : {"ring", "switch-slots"})
    {
        const auto scenario = With({}, "training.trace=alexnet exchange.algorithm=" + algorithm);
        EXPECT_EQ(CsvRow(RowOf(RunExperiment(scenario, {}, &request))),
                  CsvRow(RowOf(RunExperiment(scenario, {}))));
    }
}

/* Some 64 KiB of text are written while the run goes on; one worker for all would run again for nothing. */
TEST_F(TimelineRecorderTest, LeavesNothingOnAFullDisk)
{
    const auto scenario = With({}, "training.trace=alexnet");
    const FullDisk disk(70'000);
    EXPECT_THROW(RunExperiment(scenario, {}, &request), RunError);
    EXPECT_FALSE(std::filesystem::exists(request.path));
}

} // namespace inca
