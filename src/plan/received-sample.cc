/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/received-sample.h"

#include "base/wire-format.h"
#include "exchange/rank-load.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace inca
{

namespace
{

constexpr std::size_t MOST_PLANS{256};
constexpr std::uint64_t MOST_STEPS_IN_ALL{2'000'000}; ///< some tenths of a second
constexpr std::uint64_t FEWEST_STEPS{256};

/** Of a gradient as hosts move it: what a host has encoded counts as encoded. */
double
GradientBytes(const TrainingJob& job, const JobChunk& chunk)
{
    constexpr double bitsPerByte = 8;
    return job.hostCodec ? job.meanBits(chunk.range) / bitsPerByte
                         : static_cast<double>(job.bytesPerElement);
}

/** As WorkOf counts them. */
NetworkSumSize
AsAsked(const TrainingJob& job, NetworkSumSize sum)
{
    const bool gathers = sum.halves == Halves::ALL_GATHER;
    sum.perWord =
        gathers ? static_cast<std::uint32_t>(VALUE_BYTES / job.BytesPerElement(Leg::WEIGHT)) : 1;
    return sum;
}

} // namespace

ReceivedSample::ReceivedSample(const TrainingJob& job, Rank ranks, FramesOfMessages frames)
    : m_job(job),
      m_frames(frames),
      m_uses(Grouped(UsesOf()))
{
    const auto shares = std::max<std::uint64_t>(std::uint64_t{ranks} * m_uses.size(), 1);
    m_mostSteps = static_cast<std::uint32_t>(std::max(MOST_STEPS_IN_ALL / shares, FEWEST_STEPS));
}

std::vector<ReceivedSample::PlanUse>
ReceivedSample::UsesOf() const
{
    std::map<const StepPlan*, std::size_t> places;
    std::vector<PlanUse> uses;
    for (const auto& chunk : m_job.chunks)
    {
        for (const auto& round : chunk.rounds)
        {
            const auto elements = static_cast<double>(round.plan->Elements());
            if (elements > 0) // else it takes no step
            {
                const auto [place, isNew] = places.emplace(round.plan.get(), uses.size());
                if (isNew)
                {
                    uses.push_back({round.plan.get()});
                }
                auto& use = uses[place->second];
                use.times += 1;
                use.elements += elements;
                use.bytes += elements * GradientBytes(m_job, chunk);
            }
        }
    }
    return uses;
}

/** Those of about one size together, if there are many. */
std::vector<ReceivedSample::PlanUse>
ReceivedSample::Grouped(std::vector<PlanUse> uses)
{
    std::stable_sort(uses.begin(), uses.end(), [](const PlanUse& a, const PlanUse& b) {
        return a.plan->Elements() < b.plan->Elements();
    });
    const auto together = (uses.size() + MOST_PLANS - 1) / MOST_PLANS;
    std::vector<PlanUse> groups;
    for (std::size_t first = 0; first < uses.size(); first += together)
    {
        const auto count = std::min(together, uses.size() - first);
        PlanUse group;
        group.plan = uses[first + count / 2].plan;
        for (auto use = first; use < first + count; ++use)
        {
            group.times += uses[use].times;
            group.elements += uses[use].elements;
            group.bytes += uses[use].bytes;
        }
        groups.push_back(group);
    }
    return groups;
}

Received
ReceivedSample::Of(Rank rank) const
{
    Received received;
    for (const auto& use : m_uses)
    {
        Add(use, rank, received);
    }
    return received;
}

void
ReceivedSample::Add(const PlanUse& use, Rank rank, Received& received) const
{
    const auto [traffic, times, peers] = SampleTraffic(*use.plan, rank, m_mostSteps);
    const auto& gradient = traffic.gradient;
    const auto& weight = traffic.weight;
    received.peers = std::max(received.peers, static_cast<double>(peers));
    const auto messages = use.times * times *
                          static_cast<double>(gradient.receivedMessages + weight.receivedMessages);
    const auto weightBytes = static_cast<double>(m_job.BytesPerElement(Leg::WEIGHT));
    const auto gradientBytes = use.bytes / use.elements;
    const auto bytes = static_cast<double>(gradient.receivedElements) * gradientBytes +
                       static_cast<double>(weight.receivedElements) * weightBytes;
    const bool isServer = rank >= m_job.workers; // whose first summand is put down
    const auto added = isServer ? gradient.receivedElements : traffic.addedElements;
    const auto uses = times * use.elements / static_cast<double>(use.plan->Elements());
    const auto allBytes = uses * bytes;
    received.messages += messages;
    received.payloadBytes += allBytes;
    received.addedBytes += uses * static_cast<double>(added) * gradientBytes;
    received.values +=
        uses * static_cast<double>(gradient.receivedElements + weight.receivedElements);
    received.addedValues += uses * static_cast<double>(added);
    received.frames += m_frames.Of(allBytes, messages);
    for (const auto& sum : traffic.networkSums)
    {
        received.sums[AsAsked(m_job, sum)] +=
            static_cast<std::uint64_t>(std::llround(use.times * times));
    }
}

} // namespace inca
