/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_TRAIN_MEETINGS_H
#define INCA_EXPERIMENT_TRAIN_MEETINGS_H

#include "device/train.h"
#include "helper/cluster.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace inca
{

/**
 * Tells when trains of several frames meet data of another transfer, from another host or to another one: at a
 * switch's port, where the one has come before the other has left, or at a host that sends the one before the other's
 * message is at its end. Then frames would take turns with frames, where trains do with trains.
 */
class TrainMeetings
{
  public:
    /** @param trains of the longer one's length, that the shorter of both messages is */
    using Met = std::function<void(double trains)>;

    /** Listens to @p cluster, whose sources know where it is. */
    TrainMeetings(const Cluster& cluster, Met met);

    TrainMeetings(const TrainMeetings&) = delete;
    TrainMeetings& operator=(const TrainMeetings&) = delete;
    ~TrainMeetings() = default;

  private:
    /** Data from one host to another, in one queue. */
    struct Transfer
    {
        ns3::Mac48Address from;
        ns3::Mac48Address to;
        std::int64_t untilPs{0};      ///< its last frame leaves
        bool hasEnded{true};          ///< with the end of its message
        std::uint32_t trainFrames{0}; ///< of the longest train, in the last message
        double messageFrames{0};      ///< of that
    };

    struct Queue
    {
        bool isOfHost{false};
        Transfer last;
        Transfer before;
    };

    void Listen(const ns3::Ptr<ns3::Object>& port, bool isOfHost);
    void Queued(std::size_t place, ns3::Ptr<const Train> train);

    std::vector<Queue> m_queues;
    Met m_met;
};

} // namespace inca

#endif // INCA_EXPERIMENT_TRAIN_MEETINGS_H
