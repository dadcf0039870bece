/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/timeline-source.h"

#include "ns3/callback.h"
#include "ns3/node.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
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

/** Tracks beside each other, of what goes on at the same time: until when each is taken. (ps) */
using Lanes = std::vector<std::int64_t>;

constexpr auto g_communication = "exposed communication";
constexpr std::int64_t g_untilItEnds = std::numeric_limits<std::int64_t>::max();

class HostTimeline : public TimelineSource
{
  public:
    HostTimeline(TimelineWriter& writer,
                 const JobClock& clock,
                 std::shared_ptr<const TrainingJob> job,
                 std::vector<std::string> layers,
                 const std::vector<ns3::Ptr<RankApplication>>& ranks)
        : m_writer(writer),
          m_clock(clock),
          m_job(std::move(job)),
          m_layers(std::move(layers)),
          m_chunks(ChunkNames(*m_job, m_layers)),
          m_hosts(ranks.size())
    {
        for (Rank rank = 0; rank < ranks.size(); ++rank)
        {
            writer.NameTrack(TrackOfHost(rank, HostTrack::BREAKDOWN), "breakdown");
            writer.NameTrack(TrackOfHost(rank, HostTrack::COMMUNICATION), g_communication);
            Listen(ranks[rank]);
        }
    }

  private:
    /** An exchange that goes on. */
    struct Exchange
    {
        std::size_t lane{0};
        std::int64_t beginPs{0};
    };

    /** What one rank does. */
    struct Host
    {
        std::map<HostTrack, Lanes> lanes;
        std::map<std::uint32_t, Exchange> exchanges; ///< that go on
    };

    void Listen(const ns3::Ptr<RankApplication>& application)
    {
        application->TraceConnectWithoutContext("Work",
                                                ns3::MakeCallback(&HostTimeline::Work, this));
        application->TraceConnectWithoutContext(
            "ExchangeStart", ns3::MakeCallback(&HostTimeline::ExchangeStart, this));
        application->TraceConnectWithoutContext(
            "ExchangeEnd", ns3::MakeCallback(&HostTimeline::ExchangeEnd, this));
    }

    /** @return the first lane of that kind that is free at @p fromPs, which is taken until @p untilPs */
    std::size_t TakeLane(Rank rank,
                         HostTrack kind,
                         const std::string& name,
                         std::int64_t fromPs,
                         std::int64_t untilPs)
    {
        auto& lanes = m_hosts[rank].lanes[kind];
        const auto found = std::find_if(
            lanes.begin(), lanes.end(), [fromPs](std::int64_t taken) { return taken <= fromPs; });
        const auto lane = static_cast<std::size_t>(found - lanes.begin());
        if (found == lanes.end())
        {
            lanes.push_back(0);
            const auto beside = lane == 0 ? "" : " " + std::to_string(lane + 1); // "copy 2"
            m_writer.NameTrack(TrackOfHost(rank, kind, lane), name + beside);
        }
        lanes[lane] = untilPs;
        return lane;
    }

    /** Two resources of a host may do the same at one time; the work of each is reported in order. */
    void Work(Rank rank, const ResourceWork& work)
    {
        const auto& [name, track, kind] = TrackOf(work.activity);
        const auto lane = TakeLane(rank, kind, track, work.span.beginPs, work.span.endPs);
        m_writer.Write({TimelineDetail::HOST,
                        TrackOfHost(rank, kind, lane),
                        work.layer ? std::string(name) + " " + m_layers[*work.layer] : name,
                        work.span.beginPs,
                        work.span.endPs});
    }

    void ExchangeStart(Rank rank, std::uint32_t exchange)
    {
        const auto nowPs = m_clock.NowPs();
        const auto lane = TakeLane(rank, HostTrack::EXCHANGE, "exchange", nowPs, g_untilItEnds);
        m_hosts[rank].exchanges[exchange] = {lane, nowPs};
    }

    void ExchangeEnd(Rank rank, std::uint32_t exchange)
    {
        auto& host = m_hosts[rank];
        const auto [lane, beginPs] = host.exchanges.extract(exchange).mapped();
        host.lanes[HostTrack::EXCHANGE][lane] = 0;
        m_writer.Write({TimelineDetail::HOST,
                        TrackOfHost(rank, HostTrack::EXCHANGE, lane),
                        m_chunks[exchange % m_chunks.size()],
                        beginPs,
                        m_clock.NowPs()});
    }

    TimelineWriter& m_writer;
    const JobClock& m_clock;
    std::shared_ptr<const TrainingJob> m_job;
    std::vector<std::string> m_layers;
    std::vector<std::string> m_chunks; ///< names of their exchanges
    std::vector<Host> m_hosts;         ///< by simulated rank
};

} // namespace

std::unique_ptr<TimelineSource>
ListenToHosts(TimelineWriter& writer,
              const JobClock& clock,
              std::shared_ptr<const TrainingJob> job,
              std::vector<std::string> layers,
              const std::vector<ns3::Ptr<RankApplication>>& ranks)
{
    return std::make_unique<HostTimeline>(writer, clock, std::move(job), std::move(layers), ranks);
}

void
ShowBreakdown(TimelineWriter& writer, Rank worker, const BreakdownSpans& shares)
{
    std::vector<TimelineSpan> all;
    const auto add = [&all, worker](const SpanSet& spans, const char* name, HostTrack kind) {
        for (const auto& [beginPs, endPs] : spans)
        {
            const auto track = TrackOfHost(worker, kind);
            all.push_back({TimelineDetail::BREAKDOWN, track, name, beginPs, endPs});
        }
    };
    add(shares.communication, g_communication, HostTrack::BREAKDOWN);
    add(shares.communication, g_communication, HostTrack::COMMUNICATION);
    for (std::size_t i = 0; i < g_activityCount; ++i)
    {
        add(shares.activities[i], g_activities[i].name, HostTrack::BREAKDOWN);
    }
    std::sort(all.begin(), all.end(), [](const TimelineSpan& a, const TimelineSpan& b) {
        return a.beginPs < b.beginPs;
    });
    for (const auto& span : all)
    {
        writer.Write(span);
    }
}

} // namespace inca
