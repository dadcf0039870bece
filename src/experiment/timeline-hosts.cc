/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/timeline-hosts.h"

#include "exchange/shift-symmetry.h"
#include "helper/cluster.h"

#include "ns3/callback.h"
#include "ns3/node.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

/** How an activity is called, and where it is shown. */
struct ActivityTrack
{
    const char* name;
    const char* track;
    HostTrack kind;
};

/** By Activity. */
constexpr std::array<ActivityTrack, g_activityCount> g_activities{
    {{"forward", "compute", HostTrack::COMPUTE},
     {"backward", "compute", HostTrack::COMPUTE},
     {"copy", "copy", HostTrack::COPY},
     {"codec", "codec", HostTrack::CODEC},
     {"sum", "sum", HostTrack::SUM},
     {"update", "update", HostTrack::UPDATE}}};

const ActivityTrack&
TrackOf(Activity activity)
{
    return g_activities[static_cast<std::size_t>(activity)];
}

/** Where @p spans of @p name belong. */
std::vector<TimelineSpan>
Named(const SpanSet& spans, const char* name, TimelineTrack track)
{
    std::vector<TimelineSpan> named;
    for (const auto& span : spans)
    {
        named.push_back({TimelineDetail::BREAKDOWN, track, name, span.beginPs, span.endPs});
    }
    return named;
}

/** "conv1", "conv1 to conv5", which part of a bucket that is exchanged in several, and whether its weights are. */
std::vector<std::string>
ChunkNames(const TrainingJob& job, const std::vector<std::string>& layers)
{
    std::vector<std::string> names(job.chunks.size());
    const auto name = [&](const std::vector<std::uint32_t>& chunks, const char* what) {
        for (std::size_t part = 0; part < chunks.size(); ++part)
        {
            const auto& chunk = job.chunks[chunks[part]];
            auto& text = names[chunks[part]];
            text = what + layers[chunk.firstLayer];
            text += chunk.lastLayer == chunk.firstLayer ? "" : " to " + layers[chunk.lastLayer];
            text += chunks.size() == 1 ? ""
                                       : ", part " + std::to_string(part + 1) + " of " +
                                             std::to_string(chunks.size());
        }
    };
    for (const auto& bucket : job.buckets)
    {
        name(bucket.forwardGathers, "forward weights of ");
        name(bucket.backwardGathers, "backward weights of ");
        name(bucket.chunks, job.GathersWeights() ? "gradients of " : "");
    }
    return names;
}

/** "copy", and "copy 2" for what is beside it. */
std::string
LaneName(const std::string& name, std::size_t lane)
{
    return lane == 0 ? name : name + " " + std::to_string(lane + 1);
}

} // namespace

std::uint32_t
ProcessOfHost(std::uint32_t host)
{
    return TIMELINE_RUN + 1 + host;
}

TimelineTrack
TrackOfHost(std::uint32_t host, HostTrack kind, std::size_t lane)
{
    return {ProcessOfHost(host),
            static_cast<std::uint32_t>(kind) + static_cast<std::uint32_t>(lane)};
}

TimelineHosts::TimelineHosts(std::shared_ptr<const TrainingJob> job,
                             Rank simulated,
                             std::vector<std::string> layers,
                             TimelineWriter& writer,
                             TimelineWindow& window,
                             const JobClock& clock)
    : m_job(std::move(job)),
      m_simulated(simulated),
      m_layers(std::move(layers)),
      m_chunks(ChunkNames(*m_job, m_layers)),
      m_writer(writer),
      m_window(window),
      m_clock(clock),
      m_hosts(simulated)
{
    for (Rank rank = 0; rank < simulated; ++rank)
    {
        m_writer.NameTrack(TrackOfHost(rank, HostTrack::BREAKDOWN), "breakdown");
        m_writer.NameTrack(TrackOfHost(rank, HostTrack::COMMUNICATION), "exposed communication");
    }
}

void
TimelineHosts::Listen(Rank rank, const ns3::Ptr<RankApplication>& application)
{
    application->TraceConnectWithoutContext("Work", ns3::MakeCallback(&TimelineHosts::Work, this));
    application->TraceConnectWithoutContext("ExchangeStart",
                                            ns3::MakeCallback(&TimelineHosts::ExchangeStart, this));
    application->TraceConnectWithoutContext("ExchangeEnd",
                                            ns3::MakeCallback(&TimelineHosts::ExchangeEnd, this));
    application->TraceConnectWithoutContext("StepMessage",
                                            ns3::MakeCallback(&TimelineHosts::MessageTaken, this));
    const auto transport = application->GetNode()->GetObject<Transport>();
    transport->TraceConnectWithoutContext(
        "MessageTx", ns3::MakeCallback(&TimelineHosts::MessageSent, this, rank));
}

void
TimelineHosts::ShowOpenExchanges()
{
    for (Rank rank = 0; rank < m_simulated; ++rank)
    {
        for (const auto& open : m_hosts[rank].exchanges)
        {
            Show(rank, open.first);
        }
    }
}

void
TimelineHosts::ShowBreakdown(const Breakdowns& breakdowns, Rank worker, Span iteration)
{
    const auto shares = breakdowns.SpansOf(worker, iteration);
    const auto track = TrackOfHost(worker, HostTrack::BREAKDOWN);
    constexpr auto communication = "exposed communication";
    auto all = Named(shares.communication, communication, track);
    for (std::size_t i = 0; i < g_activityCount; ++i)
    {
        const auto some = Named(shares.activities[i], g_activities[i].name, track);
        all.insert(all.end(), some.begin(), some.end());
    }
    std::sort(all.begin(), all.end(), [](const TimelineSpan& a, const TimelineSpan& b) {
        return a.beginPs < b.beginPs;
    });
    const auto exposed =
        Named(shares.communication, communication, TrackOfHost(worker, HostTrack::COMMUNICATION));
    all.insert(all.end(), exposed.begin(), exposed.end());
    for (const auto& span : all)
    {
        m_writer.Write(span);
    }
}

void
TimelineHosts::Work(Rank rank, const ResourceWork& work)
{
    const auto kind = TrackOf(work.activity).kind;
    m_window.Add({TimelineDetail::HOST,
                  TrackOfHost(rank, kind, WorkLane(rank, work)),
                  NameOf(work),
                  work.span.beginPs,
                  work.span.endPs});
}

/** Two resources of a host may do alike at the same time: each resource's work is told in order. */
std::size_t
TimelineHosts::WorkLane(Rank rank, const ResourceWork& work)
{
    const auto& [name, trackName, kind] = TrackOf(work.activity);
    // forward and backward passes share a track, as they share the GPU
    const auto activity = work.activity == Activity::BACKWARD ? Activity::FORWARD : work.activity;
    auto& lanes = m_hosts[rank].lanes[static_cast<std::size_t>(activity)];
    const auto isFree = [&work](std::int64_t untilPs) { return untilPs <= work.span.beginPs; };
    const auto found = std::find_if(lanes.begin(), lanes.end(), isFree);
    const auto lane = static_cast<std::size_t>(found - lanes.begin());
    if (found == lanes.end())
    {
        lanes.push_back(0);
        m_writer.NameTrack(TrackOfHost(rank, kind, lane), LaneName(trackName, lane));
    }
    lanes[lane] = work.span.endPs;
    return lane;
}

std::string
TimelineHosts::NameOf(const ResourceWork& work) const
{
    const std::string name = TrackOf(work.activity).name;
    return work.layer ? name + " " + m_layers[*work.layer] : name;
}

const std::string&
TimelineHosts::NameOfExchange(std::uint32_t exchange) const
{
    return m_chunks[exchange % m_chunks.size()];
}

void
TimelineHosts::ExchangeStart(Rank rank, std::uint32_t exchange)
{
    m_hosts[rank].exchanges[exchange] = {ExchangeLane(rank), m_clock.NowPs(), false};
    if (m_window.IsOpen())
    {
        Show(rank, exchange);
    }
}

std::size_t
TimelineHosts::ExchangeLane(Rank rank)
{
    auto& taken = m_hosts[rank].exchangeLanes;
    const auto found = std::find(taken.begin(), taken.end(), false);
    const auto lane = static_cast<std::size_t>(found - taken.begin());
    if (found == taken.end())
    {
        taken.push_back(false);
        m_writer.NameTrack(TrackOfHost(rank, HostTrack::EXCHANGE, lane),
                           LaneName("exchange", lane));
    }
    taken[lane] = true;
    return lane;
}

void
TimelineHosts::Show(Rank rank, std::uint32_t exchange)
{
    auto& open = m_hosts[rank].exchanges.at(exchange);
    open.isShown = m_writer.Begin(
        TrackOfHost(rank, HostTrack::EXCHANGE, open.lane), NameOfExchange(exchange), open.beginPs);
}

void
TimelineHosts::ExchangeEnd(Rank rank, std::uint32_t exchange)
{
    auto& host = m_hosts[rank];
    const auto ended = host.exchanges.extract(exchange).mapped();
    host.exchangeLanes[ended.lane] = false;
    if (ended.isShown)
    {
        m_writer.End(TrackOfHost(rank, HostTrack::EXCHANGE, ended.lane),
                     NameOfExchange(exchange),
                     m_clock.NowPs());
    }
}

/**
 * Where some ranks stand for all, whoever stands for the receiver takes it, and takes it for one of him who
 * is as far from it as the sender from the receiver.
 */
void
TimelineHosts::MessageSent(Rank rank, const Message& message)
{
    if (message.tag.grant)
    {
        return;
    }
    const auto ranks = m_job->RankCount();
    const auto receiver = HostAt(message.to);
    const auto standsIn = StandInOf(receiver, m_simulated);
    const auto sender = (rank + ranks + standsIn - receiver) % ranks;
    const auto& exchange = m_hosts[rank].exchanges.at(m_job->ExchangeOf(message.tag.round));
    m_sent[{sender, standsIn, message.tag.round, message.tag.ordinal}] = {
        m_clock.NowPs(), TrackOfHost(rank, HostTrack::EXCHANGE, exchange.lane), exchange.isShown};
}

void
TimelineHosts::MessageTaken(Rank rank, std::uint32_t exchange, const StepMessage& message)
{
    if (!message.name)
    {
        return;
    }
    const auto& [from, round, ordinal] = *message.name;
    const auto sent = m_sent.extract({from, rank, round, ordinal}).mapped();
    const auto& open = m_hosts[rank].exchanges.at(exchange);
    if (sent.isShown && open.isShown && m_window.Contains(sent.atPs) && m_window.IsOpen())
    {
        m_writer.Write(TimelineFlow{NameOfExchange(exchange),
                                    sent.from,
                                    sent.atPs,
                                    TrackOfHost(rank, HostTrack::EXCHANGE, open.lane),
                                    m_clock.NowPs()});
    }
}

} // namespace inca
