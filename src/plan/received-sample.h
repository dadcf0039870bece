/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_RECEIVED_SAMPLE_H
#define INCA_PLAN_RECEIVED_SAMPLE_H

#include "exchange/network-sum.h"
#include "job/training-job.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace inca
{

/** In how many frames messages come, as far as these are simulated. */
struct FramesOfMessages
{
    double payloadBytes{1}; ///< of a full frame
    double most{0};         ///< that are simulated of a message, as what follows repeats itself

    /** @return at least one for each message */
    double Of(double bytes, double messages) const
    {
        return std::min(bytes / payloadBytes + messages, messages * most);
    }
};

/** What a rank gets during all exchanges of an iteration. */
struct Received
{
    double messages{0};
    double frames{0};       ///< of messages
    double payloadBytes{0}; ///< of messages, as hosts move them
    double addedBytes{0};   ///< of these, those that are added to what is there
    double values{0};       ///< of messages, which a host's codec makes smaller than their type
    double addedValues{0};
    double peers{0}; ///< that they come from
    NetworkSums sums;
};

/**
 * What ranks get, for an estimate: RankWork's figures where few steps tell them. Where a job has many, a few of each
 * exchange stand for all of them, and exchanges for others of about their size, so that it takes less than a
 * second whatever the job.
 */
class ReceivedSample
{
  public:
    /** @param ranks that will be asked for */
    ReceivedSample(const TrainingJob& job, Rank ranks, FramesOfMessages frames);

    Received Of(Rank rank) const;

  private:
    /** All rounds of exchanges of one size, or of about one size. */
    struct PlanUse
    {
        const StepPlan* plan{nullptr};
        double times{0};
        double elements{0}; ///< of all of them
        double bytes{0};    ///< of all of them, if each is sent once
    };

    std::vector<PlanUse> UsesOf() const;
    static std::vector<PlanUse> Grouped(std::vector<PlanUse> uses);
    void Add(const PlanUse& use, Rank rank, Received& received) const;

    const TrainingJob& m_job;
    FramesOfMessages m_frames;
    std::vector<PlanUse> m_uses;
    std::uint32_t m_mostSteps; ///< of a rank in an exchange
};

} // namespace inca

#endif // INCA_PLAN_RECEIVED_SAMPLE_H
