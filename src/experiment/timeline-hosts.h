/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_TIMELINE_HOSTS_H
#define INCA_EXPERIMENT_TIMELINE_HOSTS_H

#include "experiment/timeline-window.h"
#include "job/breakdown.h"
#include "job/training-job.h"
#include "rank/rank-application.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
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

/** The track of host @p host. @param lane of those of that kind, from 0 */
TimelineTrack TrackOfHost(std::uint32_t host, HostTrack kind, std::size_t lane = 0);

/** The process of the run as a whole, and those of hosts and of switches. @{ */
constexpr std::uint32_t TIMELINE_RUN{1};
std::uint32_t ProcessOfHost(std::uint32_t host);
/** @} */

/**
 * What the ranks of a job do, as a timeline shows it: work, exchanges, messages from rank to rank, and
 * where the time of workers went. What goes on at the same time has lanes.
 */
class TimelineHosts
{
  public:
    /**
     * @param job as it is simulated
     * @param simulated ranks, the first ones
     * @param layers their names
     * @param writer outlives it, as do @p window and @p clock
     */
    TimelineHosts(std::shared_ptr<const TrainingJob> job,
                  Rank simulated,
                  std::vector<std::string> layers,
                  TimelineWriter& writer,
                  TimelineWindow& window,
                  const JobClock& clock);

    /** Listens to that rank's @p application and the transport on its host. */
    void Listen(Rank rank, const ns3::Ptr<RankApplication>& application);

    /** The window has opened: what goes on is shown from its beginning. */
    void ShowOpenExchanges();

    /** Where the time of @p worker went in one iteration. @param iteration from when to when */
    void ShowBreakdown(const Breakdowns& breakdowns, Rank worker, Span iteration);

  private:
    /** An exchange that goes on. */
    struct Exchange
    {
        std::size_t lane{0};
        std::int64_t beginPs{0};
        bool isShown{false};
    };

    /** A message that was sent. */
    struct Sent
    {
        std::int64_t atPs{0};
        TimelineTrack from;
        bool isShown{false}; ///< its exchange
    };

    /** Sender as the receiver knows it, receiver, round, ordinal. */
    using MessageKey = std::tuple<Rank, Rank, std::uint32_t, std::uint32_t>;

    /** What one rank is at. */
    struct Host
    {
        std::array<std::vector<std::int64_t>, g_activityCount> lanes; ///< by Activity: until when
        std::map<std::uint32_t, Exchange> exchanges;                  ///< that go on
        std::vector<bool> exchangeLanes;                              ///< that are taken
    };

    void Work(Rank rank, const ResourceWork& work);
    void ExchangeStart(Rank rank, std::uint32_t exchange);
    void ExchangeEnd(Rank rank, std::uint32_t exchange);
    void MessageSent(Rank rank, const Message& message);
    void MessageTaken(Rank rank, std::uint32_t exchange, const StepMessage& message);
    void Show(Rank rank, std::uint32_t exchange);
    std::size_t WorkLane(Rank rank, const ResourceWork& work);
    std::size_t ExchangeLane(Rank rank);
    std::string NameOf(const ResourceWork& work) const;
    const std::string& NameOfExchange(std::uint32_t exchange) const;

    std::shared_ptr<const TrainingJob> m_job;
    Rank m_simulated;
    std::vector<std::string> m_layers;
    std::vector<std::string> m_chunks; ///< what their exchanges are called
    TimelineWriter& m_writer;
    TimelineWindow& m_window;
    const JobClock& m_clock;
    std::vector<Host> m_hosts;         ///< by simulated rank
    std::map<MessageKey, Sent> m_sent; ///< on their way
};

} // namespace inca

#endif // INCA_EXPERIMENT_TIMELINE_HOSTS_H
