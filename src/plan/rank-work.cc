/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/rank-work.h"

#include "base/wire-format.h"
#include "exchange/traffic.h"

#include <map>

namespace inca
{

namespace
{

/** Mean size of a word of a chunk's gradients as it travels. */
double
GradientBits(const TrainingJob& job, const JobChunk& chunk)
{
    const bool coded = job.engines || job.hostCodec;
    return coded ? job.meanBits(chunk.range) : 8.0 * static_cast<double>(job.bytesPerElement);
}

void
AddGradients(const TrainingJob& job, std::uint64_t elements, double bits, Flow& flow)
{
    const auto plainBytes =
        static_cast<double>(elements) * static_cast<double>(job.bytesPerElement);
    const auto codedBytes = static_cast<double>(elements) * bits / 8;
    flow.elements += elements;
    flow.plainBytes += job.hostCodec ? codedBytes : plainBytes;
    flow.markedBytes += job.engines ? plainBytes : 0;
    flow.wireBytes += codedBytes;
}

void
AddWeights(const TrainingJob& job, std::uint64_t elements, Flow& flow)
{
    const auto bytes =
        static_cast<double>(elements) * static_cast<double>(job.BytesPerElement(Leg::WEIGHT));
    flow.elements += elements;
    flow.plainBytes += bytes;
    flow.wireBytes += bytes;
}

void
AddRound(const TrainingJob& job, const JobChunk& chunk, const RankTraffic& traffic, RankWork& work)
{
    const auto& [gradient, weight, added, coded, networkSums] = traffic;
    const auto bits = GradientBits(job, chunk);
    AddGradients(job, gradient.sentElements, bits, work.sent);
    AddGradients(job, gradient.receivedElements, bits, work.received);
    AddWeights(job, weight.sentElements, work.sent);
    AddWeights(job, weight.receivedElements, work.received);
    work.sent.messages += gradient.sentMessages + weight.sentMessages;
    work.received.messages += gradient.receivedMessages + weight.receivedMessages;
    work.addedBytes += added * job.bytesPerElement;
    for (auto sum : networkSums)
    {
        const bool gathers = sum.halves == Halves::ALL_GATHER;
        sum.perWord =
            gathers ? static_cast<std::uint32_t>(VALUE_BYTES / job.BytesPerElement(Leg::WEIGHT))
                    : 1;
        ++work.networkSums[sum];
    }
    if (job.hostCodec)
    {
        work.encodedBytes += coded * job.bytesPerElement;
        work.decodedBytes += gradient.receivedElements * job.bytesPerElement;
    }
}

/** An index is made before anything of its chunk leaves, decoding goes on when all is there. */
std::int64_t
CodedPs(const ChunkCoding& coding, std::size_t rounds)
{
    auto ps = coding.EncodePs(0) + coding.DecodePs();
    for (std::size_t round = 1; round < rounds && !coding.Overlaps(); ++round)
    {
        ps += coding.EncodePs(round);
    }
    return ps;
}

/** Rounds of one size share a plan, and so what a rank does in it. */
class TrafficOfPlans
{
  public:
    TrafficOfPlans(const TrainingJob& job, Rank rank)
        : m_job(job),
          m_rank(rank)
    {
    }

    void Add(const JobChunk& chunk, const JobRound& round, RankWork& work)
    {
        if (round.plan->Elements() == 0)
        {
            return; // takes no step
        }
        auto found = m_traffic.find(round.plan.get());
        if (found == m_traffic.end())
        {
            found = m_traffic.emplace(round.plan.get(), Traffic(*round.plan, m_rank)).first;
        }
        AddRound(m_job, chunk, found->second, work);
    }

  private:
    const TrainingJob& m_job;
    Rank m_rank;
    std::map<const StepPlan*, RankTraffic> m_traffic;
};

} // namespace

RankWork
WorkOf(const TrainingJob& job, Rank rank)
{
    RankWork work;
    TrafficOfPlans traffic(job, rank);
    for (const auto& chunk : job.chunks)
    {
        for (const auto& round : chunk.rounds)
        {
            traffic.Add(chunk, round, work);
        }
        if (chunk.coding && rank < job.workers)
        {
            work.codedPs += CodedPs(*chunk.coding, chunk.CodedRounds());
        }
    }
    return work;
}

RankWork
WorkOfRound(const TrainingJob& job, Rank rank, std::uint32_t round)
{
    RankWork work;
    TrafficOfPlans traffic(job, rank);
    for (const auto& chunk : job.chunks)
    {
        if (round < chunk.rounds.size())
        {
            traffic.Add(chunk, chunk.rounds[round], work);
        }
    }
    return work;
}

} // namespace inca
