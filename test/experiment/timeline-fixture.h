/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXPERIMENT_TIMELINE_FIXTURE_H
#define INCA_TEST_EXPERIMENT_TIMELINE_FIXTURE_H

#include "experiment/run-experiment.h"
#include "experiment/scenario-fixture.h"
#include "experiment/simulation.h"
#include "plan/plan-maker.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** A timeline as it was read back. (ps) */
struct ReadTimeline
{
    struct NamedSpan
    {
        std::string name;
        std::int64_t beginPs{0};
        std::int64_t endPs{0};
    };

    using Track = std::pair<std::uint32_t, std::uint32_t>; ///< process, thread

    std::map<std::uint32_t, std::string> processes;
    std::map<Track, std::string> tracks;
    std::map<Track, std::vector<NamedSpan>> spans;
    std::map<std::pair<std::uint32_t, std::string>,
             std::vector<std::pair<std::int64_t, std::int64_t>>>
        counts; ///< by process and name: time and value
    std::vector<std::pair<std::int64_t, std::int64_t>> flows; ///< begin and end
    nlohmann::json notes;

    /** All spans of tracks called @p track in processes called @p process, or that begin so. */
    std::vector<NamedSpan> On(const std::string& process, const std::string& track) const
    {
        std::vector<NamedSpan> found;
        for (const auto& [place, name] : tracks)
        {
            if (processes.at(place.first).rfind(process, 0) == 0 && name == track)
            {
                const auto& some = spans.at(place);
                found.insert(found.end(), some.begin(), some.end());
            }
        }
        return found;
    }
};

/** @return how long all of @p spans are whose names begin with @p name (ps) */
inline std::int64_t
LengthOf(const std::vector<ReadTimeline::NamedSpan>& spans, const std::string& name = "")
{
    std::int64_t lengthPs = 0;
    for (const auto& span : spans)
    {
        lengthPs += span.name.rfind(name, 0) == 0 ? span.endPs - span.beginPs : 0;
    }
    return lengthPs;
}

/** Runs scenarios with a timeline, and reads it as a viewer does, whose demands it checks. */
class TimelineFixture : public ScenarioFixture
{
  protected:
    TimelineFixture()
    {
        request.path = testing::TempDir() + "inca-timeline-" + std::to_string(getpid()) + ".json";
    }

    ~TimelineFixture() override
    {
        std::remove(request.path.c_str());
    }

    ReadTimeline Timeline(const Scenario& scenario)
    {
        outcome = Simulate(
            MakePlan(scenario), [](double) {}, &request);
        std::ifstream file(request.path);
        const auto json = nlohmann::json::parse(file);
        auto events = json.at("traceEvents").get<std::vector<nlohmann::json>>();
        // as viewers do: by time, and as they stand in the file at the same time
        std::stable_sort(events.begin(), events.end(), [](const auto& a, const auto& b) {
            return a.value("ts", -1.0) < b.value("ts", -1.0);
        });
        read = {};
        m_open.clear();
        m_flowBegins.clear();
        for (const auto& event : events)
        {
            Take(event);
        }
        for (const auto& [track, name] : m_open)
        {
            EXPECT_EQ(name.first, "") << "a span without an end";
        }
        EXPECT_TRUE(m_flowBegins.empty()) << "a flow without an end";
        read.notes = json.at("otherData");
        return read;
    }

    Outcome outcome; ///< of the last run
    TimelineRequest request;

  private:
    static std::int64_t Ps(const nlohmann::json& event)
    {
        constexpr double psPerMicrosecond = 1e6;
        return std::llround(event.at("ts").get<double>() * psPerMicrosecond);
    }

    void Take(const nlohmann::json& event)
    {
        const auto phase = event.at("ph").get<std::string>();
        const auto process = event.at("pid").get<std::uint32_t>();
        const auto name = event.at("name").get<std::string>();
        if (phase == "C")
        {
            const auto value = event.at("args").front().get<std::int64_t>();
            EXPECT_GE(value, 0);
            read.counts[{process, name}].emplace_back(Ps(event), value);
            return;
        }
        const ReadTimeline::Track track{process, event.at("tid").get<std::uint32_t>()};
        if (phase == "M")
        {
            TakeName(track, name, event.at("args"));
            return;
        }
        EXPECT_EQ(read.processes.count(process), 1U) << event;
        EXPECT_EQ(read.tracks.count(track), 1U) << event;
        auto& [open, beginPs] = m_open[track];
        if (phase == "B")
        {
            EXPECT_EQ(open, "") << "overlaps " << event;
            open = name;
            beginPs = Ps(event);
        }
        else if (phase == "E")
        {
            EXPECT_EQ(open, name) << event;
            EXPECT_GT(Ps(event), beginPs) << event;
            read.spans[track].push_back({std::exchange(open, ""), beginPs, Ps(event)});
        }
        else
        {
            EXPECT_NE(open, "") << "a flow that ends nowhere: " << event;
            TakeFlow(phase, event);
        }
    }

    void TakeName(ReadTimeline::Track track, const std::string& what, const nlohmann::json& names)
    {
        if (what == "process_name")
        {
            read.processes[track.first] = names.at("name");
        }
        else if (what == "thread_name")
        {
            EXPECT_EQ(read.tracks.count(track), 0U) << names;
            read.tracks[track] = names.at("name");
        }
    }

    void TakeFlow(const std::string& phase, const nlohmann::json& event)
    {
        const auto id = event.at("id").get<std::uint64_t>();
        if (phase == "s")
        {
            EXPECT_TRUE(m_flowBegins.emplace(id, Ps(event)).second) << event;
            return;
        }
        EXPECT_EQ(phase, "f") << event;
        EXPECT_EQ(event.at("bp"), "e");
        const auto begin = m_flowBegins.extract(id);
        ASSERT_TRUE(begin) << event;
        EXPECT_LE(begin.mapped(), Ps(event));
        read.flows.emplace_back(begin.mapped(), Ps(event));
    }

    ReadTimeline read;
    std::map<ReadTimeline::Track, std::pair<std::string, std::int64_t>> m_open;
    std::map<std::uint64_t, std::int64_t> m_flowBegins;
};

} // namespace inca

#endif // INCA_TEST_EXPERIMENT_TIMELINE_FIXTURE_H
