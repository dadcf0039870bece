/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_TIMELINE_NETWORK_H
#define INCA_EXPERIMENT_TIMELINE_NETWORK_H

#include "device/mac-hash.h"
#include "device/train.h"
#include "experiment/timeline-window.h"
#include "helper/cluster.h"
#include "job/training-job.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>

namespace inca
{

/** The process of a switch of a cluster. */
std::uint32_t ProcessOfSwitch(const Cluster& cluster, std::size_t number);

/**
 * What NICs, engines and switches do, as a timeline shows it: transmissions by port, of which those that
 * follow each other without a gap from one host to another are one span; the bytes in switches' queues as
 * each frame finds them with itself; slots in use; how long engines have still to work.
 */
class TimelineNetwork
{
  public:
    /** Listens to @p cluster. @param writer outlives it, as do @p window and @p clock */
    TimelineNetwork(const Cluster& cluster,
                    const TrainingJob& job,
                    TimelineWriter& writer,
                    TimelineWindow& window,
                    const JobClock& clock);

    TimelineNetwork(const TimelineNetwork&) = delete; // trace sources know where it is
    TimelineNetwork& operator=(const TimelineNetwork&) = delete;
    ~TimelineNetwork() = default;

    /** Shows what is still to be shown, at the run's end. */
    void Finish();

  private:
    /** A counter, of which changes are shown. */
    struct Counter
    {
        std::uint32_t process{0};
        std::string name;
        std::string unit;
        std::uint64_t shown{0};
    };

    /** Frames that leave one behind the other. */
    struct Burst
    {
        TrainKind kind{TrainKind::DATA};
        bool isGathered{false}; ///< what switches hand on, and do not add
        ns3::Mac48Address source;
        ns3::Mac48Address destination;
        std::uint64_t frames{0};
        std::int64_t beginPs{0};
        std::int64_t endPs{0};
    };

    /** What one port sends. */
    struct Sending
    {
        TimelineTrack track;
        Burst burst;               ///< without frames at first
        std::int64_t latencyPs{0}; ///< of its switch, before the queue
        std::int64_t emptyPs{0};   ///< the queue was empty before the last train came
        Counter queue;             ///< of a switch's port
    };

    /** What one engine works on. */
    struct Working
    {
        TimelineTrack track;
        std::string name;
        std::int64_t beginPs{0};
        std::int64_t endPs{0};
        Counter backlog;
    };

    /** How many slots of one switch are in use, since when. */
    struct Slots
    {
        Counter counter;
        std::uint64_t value{0};
        std::int64_t sincePs{0};
    };

    void AddHost(const Cluster& cluster, std::uint32_t host);
    void AddEngine(const ns3::Ptr<Engine>& engine, TimelineTrack track, const std::string& name);
    void AddPorts(const Cluster& cluster, const TrainingJob& job);
    void AddPort(const Cluster& cluster, std::size_t number, std::size_t port, std::string name);
    void AddSlots(const Cluster& cluster, const TrainingJob& job);

    void Queued(std::size_t port, ns3::Ptr<const Train> train);
    void Backlog(std::size_t port, std::uint64_t bytes);
    void Worked(std::size_t engine, std::int64_t beginPs, std::int64_t endPs);
    void SlotsUsed(std::size_t program, std::uint32_t before, std::uint32_t now);

    void Show(const Sending& sending);
    void Show(const Working& working);
    void Show(Counter& counter, std::int64_t atPs, std::uint64_t value);
    std::string NameOf(const Burst& burst) const;
    std::string NameOf(ns3::Mac48Address address) const;
    std::int64_t AheadPs() const;

    TimelineWriter& m_writer;
    TimelineWindow& m_window;
    const JobClock& m_clock;
    std::unordered_map<ns3::Mac48Address, std::string, MacHash> m_names;
    std::deque<Sending> m_sending; ///< of NICs, then of switches' ports
    std::deque<Working> m_working;
    std::deque<Slots> m_slots;
};

} // namespace inca

#endif // INCA_EXPERIMENT_TIMELINE_NETWORK_H
