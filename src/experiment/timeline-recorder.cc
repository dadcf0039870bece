/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/timeline-recorder.h"

#include "inca-version.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace inca
{

namespace
{

constexpr TimelineTrack g_iterations{TIMELINE_RUN, 1};
constexpr TimelineTrack g_skipped{TIMELINE_RUN, 2};

std::vector<std::string>
LayerNames(const GradientTrace& trace)
{
    std::vector<std::string> names;
    for (const auto& layer : trace.layers)
    {
        names.push_back(layer.name);
    }
    return names;
}

/** "worker 0", or "worker 0, which stands for 8: worker 0, worker 1, worker 2, ..., worker 7". */
std::string
Label(const std::vector<std::string>& all)
{
    constexpr std::size_t shown = 3;
    if (all.size() == 1)
    {
        return all.front();
    }
    const auto count = std::min(shown, all.size() - 1);
    return fmt::format("{}, which stands for {}: {}{}, {}",
                       all.front(),
                       all.size(),
                       fmt::join(all.begin(), all.begin() + count, ", "),
                       all.size() > shown + 1 ? ", ..." : "",
                       all.back());
}

/** Names a process for each of the hosts, or switches, that are simulated. @param names by that which stands for them */
void
NameAll(TimelineWriter& writer,
        std::size_t firstProcess,
        const std::map<std::uint32_t, std::vector<std::string>>& names)
{
    for (const auto& [number, all] : names)
    {
        writer.NameProcess(static_cast<std::uint32_t>(firstProcess) + number, Label(all));
    }
}

} // namespace

TimelineRecorder::TimelineRecorder(const TimelineRequest& request,
                                   const Plan& plan,
                                   const Cluster& cluster,
                                   const std::vector<ns3::Ptr<RankApplication>>& ranks,
                                   JobRun::Guard guard)
    : m_request(request),
      m_warmup(plan.Settings().simulation.warmup),
      m_workers(plan.Job().simulated->WorkersAmong(plan.Job().fold.simulated)),
      m_clock(ranks.front()->GetClock()),
      m_file(request.path),
      m_writer(request.limit, [this, guard = std::move(guard)](std::string_view text) {
          const auto write = [this, text] { m_file.Write(text); };
          m_isOver ? write() : guard(write);
      })
{
    NameProcesses(plan);
    const auto& job = plan.Job().simulated;
    m_sources.push_back(
        ListenToHosts(m_writer, m_clock, job, LayerNames(*plan.Settings().trace), ranks));
    std::vector<std::string> hosts;
    for (Rank rank = 0; rank < job->RankCount(); ++rank)
    {
        hosts.push_back(job->NameOf(rank));
    }
    m_sources.push_back(ListenToNetwork(m_writer, m_clock, cluster, job->id, hosts));
}

void
TimelineRecorder::NameProcesses(const Plan& plan)
{
    m_writer.NameProcess(TIMELINE_RUN, "run");
    m_writer.NameTrack(g_iterations, "iterations");
    m_writer.NameTrack(g_skipped, "repeats itself, not simulated");
    const auto& fold = plan.Job().fold;
    std::map<std::uint32_t, std::vector<std::string>> hosts;
    for (Rank rank = 0; rank < fold.ranks; ++rank)
    {
        hosts[fold.Representative(rank)].push_back(plan.Job().job->NameOf(rank));
    }
    NameAll(m_writer, FIRST_HOST_PROCESS, hosts);
    std::map<std::uint32_t, std::vector<std::string>> switches;
    for (std::size_t i = 0; i < fold.fold.switches.size(); ++i)
    {
        switches[fold.fold.switches[i]].push_back(plan.Settings().topology.switches[i].name);
    }
    NameAll(m_writer, FIRST_HOST_PROCESS + fold.simulated, switches);
}

void
TimelineRecorder::EndIteration(std::uint32_t iteration)
{
    const auto beginPs = iteration == 0 ? 0 : m_iterationEndPs.back();
    const auto nowPs = m_clock.NowPs();
    m_iterationEndPs.push_back(nowPs);
    const bool isMeasured = iteration >= m_warmup;
    const auto name = fmt::format("iteration {}{}", iteration + 1, isMeasured ? "" : " (warm-up)");
    m_writer.Write({TimelineDetail::HOST, g_iterations, name, beginPs, nowPs});
}

void
TimelineRecorder::Skip(std::int64_t fromPs, std::int64_t untilPs, std::uint64_t times)
{
    const auto name = fmt::format("{} repetition{} of {} ps",
                                  times,
                                  times == 1 ? "" : "s",
                                  (untilPs - fromPs) / static_cast<std::int64_t>(times));
    m_writer.Write({TimelineDetail::HOST, g_skipped, name, fromPs, untilPs});
}

void
TimelineRecorder::ShowBreakdowns(const Breakdowns& breakdowns)
{
    m_isOver = true;
    for (const auto& source : m_sources)
    {
        source->ShowEnd();
    }
    for (Rank worker = 0; worker < m_workers; ++worker)
    {
        std::int64_t beginPs = 0;
        for (const auto endPs : m_iterationEndPs)
        {
            ShowBreakdown(m_writer, worker, breakdowns.SpansOf(worker, {beginPs, endPs}));
            beginPs = endPs;
        }
    }
}

void
TimelineRecorder::ShowPath(Rank worker, const std::vector<PathSpan>& spans)
{
    const auto track = TrackOfHost(worker, HostTrack::PATH);
    if (!spans.empty())
    {
        m_writer.NameTrack(track, "critical path");
    }
    for (const auto& [span, name] : spans)
    {
        m_writer.Write({TimelineDetail::BREAKDOWN, track, name, span.beginPs, span.endPs});
    }
}

void
TimelineRecorder::Finish()
{
    std::map<std::string, std::string> notes{{"inca_version", INCA_VERSION}};
    const auto note = LimitNote();
    if (!note.empty())
    {
        notes["left_out"] = note;
    }
    m_writer.Finish(notes);
    m_file.Finish();
    if (!note.empty() && m_request.warn)
    {
        m_request.warn(m_request.path + ": " + note);
    }
}

/** Empty: everything is there. */
std::string
TimelineRecorder::LimitNote() const
{
    constexpr double psPerSecond = 1e12;
    std::vector<std::string> parts;
    const auto add = [&](TimelineDetail detail, const char* who) {
        if (const auto leftOutPs = m_writer.LeftOutPs(detail))
        {
            parts.push_back(fmt::format(
                "{} are shown until {:.9f} s", who, static_cast<double>(*leftOutPs) / psPerSecond));
        }
    };
    add(TimelineDetail::DEVICE, "NICs, engines and switches");
    add(TimelineDetail::HOST, "hosts");
    if (m_writer.LeftOutPs(TimelineDetail::BREAKDOWN))
    {
        parts.emplace_back("some breakdowns are missing");
    }
    return parts.empty() ? ""
                         : fmt::format("--timeline-limit={} is reached: {}",
                                       m_request.limit,
                                       fmt::join(parts, ", "));
}

} // namespace inca
