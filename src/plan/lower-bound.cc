/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/lower-bound.h"

#include "plan/compute-chain.h"
#include "plan/compute-times.h"
#include "plan/exchange-cost.h"
#include "scenario/specs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

namespace inca
{

namespace
{

/** A bound of a run's iterations: what the first takes, and every other one at least adds. */
struct Pace
{
    BoundTime first;
    BoundTime period;
};

/** By bucket: how long a rank works for its exchanges and those of all later buckets. */
using BusyFrom = std::vector<BusyTimes>;

constexpr std::array g_ownGradients{Resource::SENDING_HOST,
                                    Resource::COMPRESSION,
                                    Resource::UPLINK,
                                    Resource::CODEC,
                                    Resource::ADDER};
constexpr std::array g_receiving{
    Resource::DOWNLINK, Resource::DECOMPRESSION, Resource::RECEIVING_HOST};
constexpr std::array g_summing{Resource::CODEC, Resource::ADDER, Resource::UPDATE};
constexpr Rank g_mostServers = 64; ///< that are looked at

class Bound
{
  public:
    Bound(const Scenario& scenario,
          const GradientTrace& trace,
          const TrainingJob& job,
          const NetworkSpeed& network)
        : m_scenario(scenario),
          m_trace(trace),
          m_job(job),
          m_inOrder(job.chunks.size() == 1 || (job.concurrent == 1 && !job.priority)),
          m_cost(scenario, job, network),
          m_fastest(ChainOf(FastestScale(scenario)))
    {
    }

    LowerBound Compute()
    {
        ConsiderWithoutExchanges();
        m_job.GathersWeights() ? ConsiderGathers() : ConsiderInOrder();
        ConsiderWorkers();
        ConsiderServers();
        ConsiderTrunks();
        ConsiderSums();
        return {Rounded(m_longest.Ps()),
                LimitName(m_longest.LargestPart()),
                LimitName(m_communication.LargestPart())};
    }

  private:
    /** Sums of doubles are off by less than one in 10^13; whole picoseconds stay whole. */
    static std::int64_t Rounded(double ps)
    {
        constexpr double most = 9e18;
        return static_cast<std::int64_t>(std::floor(std::min(ps * (1 - 1e-13) + 1e-3, most)));
    }

    void Consider(const Pace& pace)
    {
        const double iterations = m_job.iterations;
        const bool isWarm = m_scenario.simulation.warmup > 0;
        m_longest.Await(isWarm ? pace.period
                               : (pace.first + pace.period * (iterations - 1)) * (1 / iterations));
    }

    ComputeChain ChainOf(double scale) const
    {
        return MakeComputeChain(m_scenario, m_trace, m_job, scale, m_inOrder);
    }

    /** An iteration whose exchanges take so long from the start of the last backward pass. */
    Pace PaceOf(const ComputeChain& chain, const BoundTime& toFirst, const BoundTime& toLast) const
    {
        const BoundTime toGpus{Limit::HOST,
                               m_inOrder ? static_cast<double>(m_job.chunks.back().gatherPs) : 0};
        return {chain.before + toLast + toGpus + chain.updating,
                chain.beforeAgain + toFirst + toGpus};
    }

    /** What each part of a worker does even if its exchanges cost nothing. */
    void ConsiderWithoutExchanges()
    {
        BoundTime betweenGpus;
        for (const auto& bucket : m_job.buckets)
        {
            betweenGpus += {Limit::HOST, static_cast<double>(bucket.reducePs)};
        }
        for (const auto& chunk : m_job.chunks)
        {
            betweenGpus += {Limit::HOST, static_cast<double>(chunk.gatherPs)};
        }
        Consider({betweenGpus, betweenGpus});
        Consider({m_fastest.copies, m_fastest.copies});
        Consider({m_fastest.compute, m_fastest.compute});
        for (const auto& worker : m_scenario.cluster.overrides)
        {
            const auto compute = ChainOf(worker.computeScale).compute;
            Consider({compute, compute});
        }
    }

    // -- exchanges one by one

    /** One after the other, each bucket once it is ready; at the same time, each once it is ready. */
    ExchangeTime InSequence(const std::vector<ExchangeTime>& times,
                            const std::vector<BoundTime>& ready) const
    {
        ExchangeTime end;
        for (std::size_t bucket = 0; bucket < m_job.buckets.size(); ++bucket)
        {
            for (const auto chunk : m_job.buckets[bucket].chunks)
            {
                const auto& time = times[chunk];
                const auto begin = m_inOrder ? Longer(end.first, ready[bucket]) : ready[bucket];
                end.last = m_inOrder ? begin + time.last : Longer(end.last, begin + time.last);
                end.first = m_inOrder ? begin + time.first : Longer(end.first, begin + time.first);
            }
        }
        return end;
    }

    void ConsiderInOrder()
    {
        std::vector<ExchangeTime> times;
        for (const auto& chunk : m_job.chunks)
        {
            times.push_back(m_cost.PathOf(chunk));
        }
        const auto time = InSequence(times, m_fastest.ready);
        Consider(PaceOf(m_fastest, time.first, time.last));
        const std::vector<BoundTime> atOnce(m_job.buckets.size());
        m_communication.Await(InSequence(times, atOnce).last);
    }

    /** Of weights that are gathered: the first of a pass before it begins to compute, the last gradients afterwards. */
    void ConsiderGathers()
    {
        BoundTime all;
        for (const auto& chunk : m_job.chunks)
        {
            all += m_cost.PathOf(chunk).first;
        }
        m_communication.Await(all);
        if (!m_inOrder)
        {
            return;
        }
        all = all * m_job.exchangedBatches;
        const auto beside = m_cost.PathOf(m_job.chunks.front()).first * m_job.exchangedBatches +
                            m_cost.PathOf(m_job.chunks.back()).first;
        const auto exposed = m_fastest.compute + (m_job.overlap ? beside : all);
        Consider({exposed, exposed});
        Consider({all, all});
    }

    // -- all exchanges of an iteration, by the resources that work for them

    BusyFrom BusyOf(Rank rank)
    {
        BusyFrom busy(m_job.buckets.size());
        BusyTimes sum{};
        const auto add = [&](const std::vector<std::uint32_t>& chunks) {
            for (const auto chunk : chunks)
            {
                const auto one = m_cost.BusyOf(m_job.chunks[chunk], rank);
                std::transform(one.begin(), one.end(), sum.begin(), sum.begin(), std::plus<>());
            }
        };
        for (auto bucket = busy.size(); bucket-- > 0;)
        {
            add(m_job.buckets[bucket].chunks);
            add(m_job.buckets[bucket].forwardGathers);
            add(m_job.buckets[bucket].backwardGathers);
            busy[bucket] = sum;
        }
        return busy;
    }

    /** The longest that any of @p resources works, from when buckets are ready at the earliest. */
    template <std::size_t N>
    void ConsiderWork(const ComputeChain& chain,
                      const std::vector<BoundTime>& ready,
                      const BusyFrom& busy,
                      const std::array<Resource, N>& resources)
    {
        BoundTime longest;
        for (const auto resource : resources)
        {
            const auto all = BoundOf(busy.front(), resource);
            m_communication.Await(resource == Resource::UPDATE ? BoundTime{} : all);
            longest.Await(m_job.GathersWeights() ? all * m_job.exchangedBatches : all);
            for (std::size_t bucket = 0; bucket < busy.size() && !m_job.GathersWeights(); ++bucket)
            {
                longest.Await(ready[bucket] + BoundOf(busy[bucket], resource));
            }
        }
        Consider(m_job.GathersWeights() ? Pace{longest, longest} : PaceOf(chain, longest, longest));
    }

    /** What a worker sends, codes and adds follows its own gradients; what it receives, somebody's. */
    void ConsiderWorkers()
    {
        std::optional<BusyFrom> least;
        for (const auto worker : m_cost.Workers())
        {
            const auto scale = ComputeScaleOf(m_scenario, worker);
            const auto chain = scale == FastestScale(m_scenario) ? m_fastest : ChainOf(scale);
            const auto busy = BusyOf(worker);
            ConsiderWork(chain, chain.ready, busy, g_ownGradients);
            least = least.value_or(busy);
            for (std::size_t bucket = 0; bucket < busy.size(); ++bucket)
            {
                for (std::size_t resource = 0; resource < RESOURCES; ++resource)
                {
                    auto& of = (*least)[bucket][resource];
                    of = std::min(of, busy[bucket][resource]);
                }
            }
        }
        if (m_cost.SeesAllWorkers())
        {
            ConsiderWork(m_fastest, m_fastest.ready, *least, g_receiving);
        }
    }

    /** The last exchange of all needs all that a server gets and makes of it, not all that it sends. */
    void ConsiderServers()
    {
        const auto ranks = std::min<Rank>(m_job.RankCount(), m_job.workers + g_mostServers);
        for (auto server = m_job.workers; server < ranks; ++server)
        {
            const auto busy = BusyOf(server);
            if (!m_scenario.host.IsHalfDuplex())
            {
                ConsiderWork(m_fastest, m_fastest.ready, busy, g_receiving);
            }
            ConsiderWork(m_fastest, m_fastest.ready, busy, g_summing);
            for (std::size_t resource = 0; resource < RESOURCES; ++resource)
            {
                ConsiderBesideCompute(BoundOf(busy.front(), static_cast<Resource>(resource)));
            }
        }
    }

    void ConsiderTrunks()
    {
        double ps = 0;
        for (const auto& chunk : m_job.chunks)
        {
            ps += m_cost.TrunkPs(chunk);
        }
        ConsiderBesideCompute({Limit::LINK, ps * m_job.exchangedBatches});
    }

    void ConsiderSums()
    {
        const auto all = m_job.GathersWeights() ? BoundTime{} : m_cost.SumsOfIteration();
        m_communication.Await(all);
        const auto end = m_fastest.ready.front() + all;
        Consider(all.Ps() > 0 ? PaceOf(m_fastest, end, end) : Pace{});
    }

    /** What goes on while workers compute again, but not before the first gradients are ready. */
    void ConsiderBesideCompute(const BoundTime& all)
    {
        m_communication.Await(all.LargestPart() == Limit::COMPUTE ? BoundTime{} : all);
        const auto begin =
            m_job.GathersWeights() ? BoundTime{} : m_fastest.before + m_fastest.ready.front();
        Consider({begin + all, all});
    }

    const Scenario& m_scenario;
    const GradientTrace& m_trace;
    const TrainingJob& m_job;
    bool m_inOrder; ///< exchanges follow each other, as chunks do
    ExchangeCost m_cost;
    ComputeChain m_fastest; ///< of the fastest worker
    BoundTime m_longest;
    BoundTime m_communication; ///< the same of the exchanges alone
};

} // namespace

LowerBound
ComputeLowerBound(const Scenario& scenario,
                  const GradientTrace& trace,
                  const TrainingJob& job,
                  const NetworkSpeed& network)
{
    return Bound(scenario, trace, job, network).Compute();
}

} // namespace inca
