/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_TIMELINE_SOURCE_H
#define INCA_EXPERIMENT_TIMELINE_SOURCE_H

#include "inca/helper/cluster.h"
#include "inca/job/breakdown.h"
#include "inca/job/training-job.h"
#include "inca/rank/job-clock.h"
#include "inca/rank/rank-application.h"
#include "inca/record/timeline-writer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** Tracks of a host's process: the first of each kind, as viewers sort them. */
enum class HostTrack : std::uint32_t
{
    BREAKDOWN = 1,
    PATH = 2,
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

/** A part of the run: it listens to trace sources, and writes spans, (track, what, begin, end), and counts, with the times of the ranks. */
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
 * @param writer outlives it, as does @p clock
 * @param job as it is simulated
 * @param layers their names
 * @param ranks that are simulated, the first ones
 */
std::unique_ptr<TimelineSource> ListenToHosts(TimelineWriter& writer,
                                              const JobClock& clock,
                                              std::shared_ptr<const TrainingJob> job,
                                              std::vector<std::string> layers,
                                              const std::vector<ns3::Ptr<RankApplication>>& ranks);

/** Where the time of host @p worker went. */
void ShowBreakdown(TimelineWriter& writer, Rank worker, const BreakdownSpans& shares);

/**
 * What NICs, engines and switches do: transmissions by port, of which those that follow each other without a gap from one
 * host to another are one span; the bytes in switches' queues as each frame finds them with itself; slots in use; how long
 * engines have still to work.
 * @param writer outlives it, as does @p clock
 * @param job for which switches may add @param hosts their names
 */
std::unique_ptr<TimelineSource> ListenToNetwork(TimelineWriter& writer,
                                                const JobClock& clock,
                                                const Cluster& cluster,
                                                JobId job,
                                                const std::vector<std::string>& hosts);

} // namespace inca

#endif // INCA_EXPERIMENT_TIMELINE_SOURCE_H
