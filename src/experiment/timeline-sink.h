/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_TIMELINE_SINK_H
#define INCA_EXPERIMENT_TIMELINE_SINK_H

#include "helper/cluster.h"
#include "job/breakdown.h"
#include "job/training-job.h"
#include "rank/job-clock.h"
#include "rank/rank-application.h"
#include "record/timeline-writer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** Tracks of a host's process: the first of each kind, as viewers sort them. */
enum class HostTrack : std::uint32_t
{
    BREAKDOWN = 1,
    COMPUTE = 100,
    COPY = 200,
    CODEC = 300,
    SUM = 400,
    UPDATE = 500,
    COMMUNICATION = 600,
    SENDING = 700,
    COMPRESSION = 800,
    DECOMPRESSION = 900,
    EXCHANGE = 1000,
};

/** The process of the run as a whole; those of hosts follow, then those of switches. */
constexpr std::uint32_t TIMELINE_RUN{1};
constexpr std::uint32_t FIRST_HOST_PROCESS{TIMELINE_RUN + 1};

/** The track of host @p host. @param lane of those of that kind, from 0 */
inline TimelineTrack
TrackOfHost(std::uint32_t host, HostTrack kind, std::size_t lane = 0)
{
    return {FIRST_HOST_PROCESS + host,
            static_cast<std::uint32_t>(kind) + static_cast<std::uint32_t>(lane)};
}

/**
 * Takes spans and counts from all sources, and writes those of the part of the run that the timeline shows, its
 * window. Spans that overlap the window are shown whole, also those that were reported before it opened, as what is
 * queued is reported with its times. All times are those of the ranks.
 */
class TimelineSink
{
  public:
    /** The window is shut. @param writer outlives it, as does @p clock */
    TimelineSink(TimelineWriter& writer, const JobClock& clock)
        : m_writer(writer),
          m_clock(clock)
    {
    }

    /** The window begins now. */
    void Open();

    /** The window ends now. */
    void Close()
    {
        m_closePs = NowPs();
    }

    /** Whether @p atPs, now or earlier, is in the window. */
    bool Contains(std::int64_t atPs) const
    {
        return m_openPs && *m_openPs <= atPs && (!m_closePs || atPs < *m_closePs);
    }

    void Add(TimelineSpan span);

    void Add(const TimelineCount& count)
    {
        if (Contains(count.atPs))
        {
            m_writer.Write(count);
        }
    }

    std::int64_t NowPs() const
    {
        return m_clock.NowPs();
    }

    /** For names, and for what is shown whenever it was. */
    TimelineWriter& Writer()
    {
        return m_writer;
    }

  private:
    void Forget();

    TimelineWriter& m_writer;
    const JobClock& m_clock;
    std::optional<std::int64_t> m_openPs;
    std::optional<std::int64_t> m_closePs;
    std::vector<TimelineSpan> m_early; ///< before the window opens: those that may last until then
    std::size_t m_mostEarly{1024};     ///< beyond which it looks which are over
};

/** A part of the run: it listens to trace sources, and gives a sink spans, (track, what, begin, end), and counts. */
class TimelineSource
{
  public:
    TimelineSource() = default;
    TimelineSource(const TimelineSource&) = delete; // trace sources know where it is
    TimelineSource& operator=(const TimelineSource&) = delete;
    virtual ~TimelineSource() = default;

    /** The run is over: shows what is known only now. */
    virtual void ShowEnd()
    {
    }
};

/**
 * What the ranks of a job do: work, and exchanges. What goes on at the same time has lanes.
 * @param sink outlives it
 * @param job as it is simulated
 * @param layers their names
 * @param ranks that are simulated, the first ones
 */
std::unique_ptr<TimelineSource> ListenToHosts(TimelineSink& sink,
                                              std::shared_ptr<const TrainingJob> job,
                                              std::vector<std::string> layers,
                                              const std::vector<ns3::Ptr<RankApplication>>& ranks);

/** Where the time of host @p worker went. */
void ShowBreakdown(TimelineWriter& writer, Rank worker, const BreakdownSpans& shares);

/**
 * What NICs, engines and switches do: transmissions by port, of which those that follow each other without a gap from one
 * host to another are one span; the bytes in switches' queues as each frame finds them with itself; slots in use; how long
 * engines have still to work.
 * @param sink outlives it
 */
std::unique_ptr<TimelineSource> ListenToNetwork(TimelineSink& sink,
                                                const Cluster& cluster,
                                                const TrainingJob& job);

} // namespace inca

#endif // INCA_EXPERIMENT_TIMELINE_SINK_H
