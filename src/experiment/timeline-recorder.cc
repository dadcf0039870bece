/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/timeline-recorder.h"

#include "rank/worker-application.h"

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
    auto text = all.front() + ", which stands for " + std::to_string(all.size()) + ": ";
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const bool isLast = i + 1 == all.size();
        if (i < shown || isLast)
        {
            text += all[i] + (isLast ? "" : ", ");
        }
        else if (i == shown)
        {
            text += "..., ";
        }
    }
    return text;
}

} // namespace

TimelineRecorder::TimelineRecorder(const TimelineRequest& request,
                                   const Plan& plan,
                                   const Cluster& cluster,
                                   const std::vector<ns3::Ptr<RankApplication>>& ranks,
                                   Guard guard)
    : m_request(request),
      m_warmup(plan.scenario.simulation.warmup),
      m_workers(plan.Job().simulated->WorkersAmong(plan.fold.simulated)),
      m_clock(ranks.front()->GetClock()),
      m_file(request.path),
      m_writer(request.limit,
               [this, guard = std::move(guard)](std::string_view text) {
                   const auto write = [this, text] { m_file.Write(text); };
                   m_isOver ? write() : guard(write);
               }),
      m_sink(m_writer, m_clock),
      m_updatesLeft(plan.Job().prepared.job->iterations,
                    std::uint64_t{m_workers} * plan.Job().prepared.job->layers.size())
{
    NameProcesses(plan, cluster);
    const auto& job = plan.Job().simulated;
    m_sources.push_back(ListenToHosts(m_sink, job, LayerNames(*plan.Job().prepared.trace), ranks));
    m_sources.push_back(ListenToNetwork(m_sink, cluster, *job));
    for (const auto& rank : ranks)
    {
        if (ns3::DynamicCast<WorkerApplication>(rank))
        {
            rank->TraceConnectWithoutContext(
                "LayerUpdated", ns3::MakeCallback(&TimelineRecorder::LayerUpdated, this));
        }
    }
    if (IsShown(0))
    {
        m_sink.Open();
    }
}

void
TimelineRecorder::NameProcesses(const Plan& plan, const Cluster& cluster)
{
    m_writer.NameProcess(TIMELINE_RUN, "run");
    m_writer.NameTrack(g_iterations, "iterations");
    m_writer.NameTrack(g_skipped, "repeats itself, not simulated");
    const auto& fold = plan.fold;
    std::vector<std::vector<std::string>> hosts(fold.simulated);
    for (Rank rank = 0; rank < fold.ranks; ++rank)
    {
        hosts[fold.Representative(rank)].push_back(plan.Job().prepared.job->NameOf(rank));
    }
    for (Rank rank = 0; rank < fold.simulated; ++rank)
    {
        m_writer.NameProcess(ProcessOfHost(rank), Label(hosts[rank]));
    }
    std::vector<std::vector<std::string>> switches(cluster.switches.size());
    for (std::size_t i = 0; i < fold.fold.switches.size(); ++i)
    {
        switches[fold.fold.switches[i]].push_back(plan.topology.switches[i].name);
    }
    for (std::size_t i = 0; i < switches.size(); ++i)
    {
        m_writer.NameProcess(ProcessOfSwitch(cluster, i), Label(switches[i]));
    }
}

bool
TimelineRecorder::IsShown(std::size_t iteration) const
{
    return m_request.firstIteration <= iteration && iteration <= m_request.lastIteration;
}

void
TimelineRecorder::LayerUpdated(Rank /*worker*/, std::uint32_t iteration, std::uint32_t /*layer*/)
{
    if (--m_updatesLeft[iteration] == 0)
    {
        EndIteration();
    }
}

void
TimelineRecorder::EndIteration()
{
    const auto iteration = m_iterationEndPs.size();
    const auto beginPs = iteration == 0 ? 0 : m_iterationEndPs.back();
    const auto nowPs = m_clock.NowPs();
    m_iterationEndPs.push_back(nowPs);
    const bool isMeasured = iteration >= m_warmup;
    const auto name = fmt::format("iteration {}{}", iteration + 1, isMeasured ? "" : " (warm-up)");
    m_sink.Add({TimelineDetail::HOST, g_iterations, name, beginPs, nowPs});
    if (IsShown(iteration) && !IsShown(iteration + 1))
    {
        m_sink.Close();
    }
    if (!IsShown(iteration) && IsShown(iteration + 1))
    {
        m_sink.Open();
        for (const auto& source : m_sources)
        {
            source->ShowOpen();
        }
    }
}

void
TimelineRecorder::Skip(std::int64_t fromPs, std::int64_t untilPs, std::uint64_t times)
{
    const auto name = fmt::format("{} repetition{} of {} ps",
                                  times,
                                  times == 1 ? "" : "s",
                                  (untilPs - fromPs) / static_cast<std::int64_t>(times));
    m_sink.Add({TimelineDetail::HOST, g_skipped, name, fromPs, untilPs});
}

void
TimelineRecorder::ShowBreakdowns(const Breakdowns& breakdowns)
{
    m_isOver = true;
    std::vector<Span> iterations;
    for (std::size_t i = 0; i < m_iterationEndPs.size(); ++i)
    {
        if (IsShown(i))
        {
            iterations.push_back({i == 0 ? 0 : m_iterationEndPs[i - 1], m_iterationEndPs[i]});
        }
    }
    for (const auto& source : m_sources)
    {
        source->ShowEnd(breakdowns, iterations);
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
                         : fmt::format("--timeline-limit={} is reached: {}; --timeline-window "
                                       "picks iterations",
                                       m_request.limit,
                                       fmt::join(parts, ", "));
}

} // namespace inca
