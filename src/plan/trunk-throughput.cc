/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/trunk-throughput.h"

#include "plan/exchange-times.h"
#include "plan/message-times.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inca
{

namespace
{

class TrunkTimes
{
  public:
    TrunkTimes(const Scenario& scenario, const TrainingJob& job, const NetworkSpeed& network)
        : m_job(job),
          m_network(network),
          m_clock(scenario, job, network),
          m_out(network.trunksOfSwitch.size()),
          m_in(network.trunksOfSwitch.size())
    {
    }

    LimitedTime Longest()
    {
        for (const auto& [first, count] : RunsOfAlike(m_job))
        {
            AddChunk(m_job.chunks[first], static_cast<double>(count));
        }
        LimitedTime longest;
        for (const auto home : m_network.switchOfHost)
        {
            const auto share = 1.0 / m_network.trunksOfSwitch[home];
            longest.Await(m_out[home] * share).Await(m_in[home] * share);
        }
        return longest;
    }

  private:
    void AddChunk(const JobChunk& chunk, double count)
    {
        for (const auto& round : chunk.rounds)
        {
            for (Rank rank = 0; round.plan->Elements() > 0 && rank < m_job.RankCount(); ++rank)
            {
                AddRank(chunk, *round.plan, rank, count);
            }
        }
    }

    void AddRank(const JobChunk& chunk, const StepPlan& plan, Rank rank, double count)
    {
        const auto home = m_network.switchOfHost[rank];
        const auto steps = plan.StepCount(rank);
        for (std::uint32_t step = 0; step < steps; ++step)
        {
            for (const auto& send : plan.At(rank, step).sends)
            {
                const auto other = m_network.switchOfHost[send.peer];
                if (other != home)
                {
                    const auto time = OnTrunk(chunk, send, rank) * count;
                    m_out[home] += time;
                    m_in[other] += time;
                }
            }
        }
    }

    /** All frames of a message: as long as on the receiver's link, but at a trunk's rate. */
    LimitedTime OnTrunk(const JobChunk& chunk, const Transfer& send, Rank from)
    {
        const auto parcel = m_clock.ParcelOf(chunk, send.leg, send.range);
        const auto& load = m_clock.Of(parcel, from, send.peer).load;
        return load[static_cast<std::size_t>(ReceiverStage::LINK)] *
               (static_cast<double>(m_network.linkBitsPerSecond[send.peer]) /
                static_cast<double>(m_network.trunkBitsPerSecond));
    }

    const TrainingJob& m_job;
    const NetworkSpeed& m_network;
    MessageClock m_clock;
    std::vector<LimitedTime> m_out; ///< by switch, on one trunk
    std::vector<LimitedTime> m_in;
};

} // namespace

LimitedTime
TrunkThroughput(const Scenario& scenario, const TrainingJob& job, const NetworkSpeed& network)
{
    return network.trunkBitsPerSecond == 0 ? LimitedTime{}
                                           : TrunkTimes(scenario, job, network).Longest();
}

} // namespace inca
