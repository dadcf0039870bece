/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/lower-bound.h"

#include "plan/compute-times.h"
#include "plan/exchange-times.h"
#include "plan/exchange-walk.h"
#include "plan/gather-walk.h"
#include "plan/limited-time.h"
#include "plan/network-sum-bound.h"
#include "plan/rank-throughput.h"
#include "plan/trunk-throughput.h"
#include "plan/worker-chain.h"
#include "scenario/specs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** A bound of a run's iterations: what the first takes, and every other one at least adds. */
struct Pace
{
    LimitedTime first;
    LimitedTime period;
};

class Bound
{
  public:
    Bound(const Scenario& scenario,
          const GradientTrace& trace,
          const TrainingJob& job,
          const NetworkSpeed& network,
          Rank ranks)
        : m_scenario(scenario),
          m_trace(trace),
          m_job(job),
          m_network(network),
          m_ranks(ranks),
          m_workers(std::min(ranks, job.workers)),
          m_inOrder(job.chunks.size() == 1 || (job.concurrent == 1 && !job.priority)),
          m_sums(SumsInNetwork(scenario) ? std::make_unique<NetworkSumTimes>(scenario, network)
                                         : nullptr),
          m_walk(scenario, job, network, m_sums.get()),
          m_exchanges(job, m_walk),
          m_trunks(TrunkThroughput(scenario, job, network))
    {
        for (Rank worker = 0; worker < m_workers; ++worker)
        {
            const auto scale = ComputeScaleOf(scenario, worker);
            m_fastest = std::min(m_fastest, scale);
            if (m_chains.count(scale) == 0)
            {
                m_chains.emplace(scale, MakeWorkerChain(scenario, trace, job, scale, m_inOrder));
            }
        }
        if (job.GathersWeights())
        {
            std::vector<const WorkerChain*> chains;
            for (Rank worker = 0; worker < m_workers; ++worker)
            {
                chains.push_back(&ChainOf(worker));
            }
            m_gathers.emplace(job, m_exchanges, std::move(chains));
        }
    }

    LowerBound Compute() const
    {
        auto mean = Longer(Alone(), m_inOrder ? InOrder() : Mean(Overlapping()));
        mean.Await(Mean({OnTrunks()}));
        const auto exchanges = Longer(m_inOrder ? ExchangesInOrder() : ExchangesAtOnce(), m_trunks);
        return {Rounded(mean.Ps()),
                LargestGain(mean, true),
                LargestGain(exchanges, false),
                Parts(mean)};
    }

  private:
    /** Sums of doubles are off by less than one in 10^13; whole picoseconds stay whole. */
    static std::int64_t Rounded(double ps)
    {
        constexpr double most = 9e18;
        return static_cast<std::int64_t>(std::floor(std::min(ps * (1 - 1e-13) + 1e-3, most)));
    }

    static std::array<std::int64_t, LIMITS> Parts(const LimitedTime& time)
    {
        std::array<std::int64_t, LIMITS> parts{};
        for (std::size_t i = 0; i < LIMITS; ++i)
        {
            parts[i] = Rounded(time.Part(static_cast<Limit>(i)));
        }
        return parts;
    }

    /**
     * The one that saves most; both engines only if neither saves nearly as much by itself, and latency,
     * which nobody sets, only if nothing else does.
     */
    static const char* LargestGain(const LimitedTime& time, bool withCompute)
    {
        constexpr double nearly = 0.005;
        auto best = Limit::LINK;
        for (std::size_t i = 0; i < LIMITS; ++i)
        {
            const auto limit = static_cast<Limit>(i);
            const bool counts = withCompute || limit != Limit::COMPUTE;
            const bool isLast = limit == Limit::ENGINES || limit == Limit::LATENCY;
            const auto lead = isLast ? nearly * time.Ps() : 0;
            best = counts && time.Gain(limit) > time.Gain(best) + lead ? limit : best;
        }
        return LimitName(best);
    }

    const WorkerChain& ChainOf(Rank worker) const
    {
        return m_chains.at(ComputeScaleOf(m_scenario, worker));
    }

    const WorkerChain& FastestChain() const
    {
        return m_chains.at(m_fastest);
    }

    LimitedTime Mean(const LimitedTime& total, const LimitedTime& period) const
    {
        if (m_scenario.simulation.warmup > 0)
        {
            return period;
        }
        return total * (1.0 / m_job.iterations);
    }

    LimitedTime Mean(const std::vector<Pace>& paces) const
    {
        LimitedTime longest;
        for (const auto& [first, period] : paces)
        {
            longest.Await(Mean(first + period * (m_job.iterations - 1.0), period));
        }
        return longest;
    }

    /** What a worker does even if its exchanges cost nothing. */
    LimitedTime Alone() const
    {
        LimitedTime betweenGpus;
        for (const auto& bucket : m_job.buckets)
        {
            betweenGpus += {Limit::HOST, static_cast<double>(bucket.reducePs)};
        }
        for (const auto& chunk : m_job.chunks)
        {
            betweenGpus += {Limit::HOST, static_cast<double>(chunk.gatherPs)};
        }
        auto longest = Longer(betweenGpus, FastestChain().copies);
        for (const auto& [scale, chain] : m_chains)
        {
            longest.Await(chain.moreBatches + chain.forward + chain.backward);
        }
        return longest;
    }

    /**
     * All that crosses trunks does so after the first gradients are ready, in whatever iteration, but for weights that
     * are gathered.
     */
    Pace OnTrunks() const
    {
        if (m_gathers)
        {
            const auto all = m_trunks * static_cast<double>(m_job.exchangedBatches);
            return {all, all};
        }
        const auto& fastest = FastestChain();
        return {fastest.moreBatches + fastest.forward + fastest.ready.front() + m_trunks, m_trunks};
    }

    LimitedTime LastGather() const
    {
        return {Limit::HOST, static_cast<double>(m_job.chunks.back().gatherPs)};
    }

    // -- exchanges that follow each other

    /** Where all ranks are after an iteration. */
    struct State
    {
        /** By worker: the start of the last backward pass; its end where weights are gathered. */
        std::vector<LimitedTime> backward;
        std::vector<LimitedTime> ends; ///< by rank: of its exchanges
    };

    LimitedTime InOrder() const
    {
        constexpr std::uint32_t walked = 3;
        auto state = FirstIteration();
        LimitedTime period;
        std::uint32_t done = 1;
        for (; done < std::min(walked, m_job.iterations); ++done)
        {
            const auto before = state;
            Iterate(state);
            period = Shorter(LeastAdvance(before.ends, state.ends),
                             LeastAdvance(before.backward, state.backward));
        }
        return Mean(EndOf(state) + period * static_cast<double>(m_job.iterations - done), period);
    }

    State FirstIteration() const
    {
        State state;
        state.ends.resize(m_ranks);
        if (m_gathers)
        {
            state.backward.resize(m_workers);
            Iterate(state);
            return state;
        }
        for (Rank worker = 0; worker < m_workers; ++worker)
        {
            const auto& chain = ChainOf(worker);
            state.backward.push_back(chain.moreBatches + chain.forward);
        }
        Exchange(state);
        return state;
    }

    void Iterate(State& state) const
    {
        if (m_gathers)
        {
            m_gathers->Iterate(state.backward, state.ends);
            return;
        }
        const auto gather = LastGather();
        for (Rank worker = 0; worker < m_workers; ++worker)
        {
            const auto& chain = ChainOf(worker);
            const auto alone = state.backward[worker] + chain.backward + chain.forward;
            const auto updated = state.ends[worker] + gather + chain.forwardUpdating;
            state.backward[worker] = Longer(alone, updated) + chain.moreBatches;
        }
        Exchange(state);
    }

    void Exchange(State& state) const
    {
        for (std::size_t bucket = 0; bucket < m_job.buckets.size(); ++bucket)
        {
            LimitedTime all;
            for (Rank worker = 0; worker < m_workers; ++worker)
            {
                const auto ready = state.backward[worker] + ChainOf(worker).ready[bucket];
                state.ends[worker].Await(ready);
                all.Await(ready);
            }
            for (Rank worker = 0; m_job.startTogether && worker < m_workers; ++worker)
            {
                state.ends[worker].Await(all);
            }
            m_exchanges.PassAll(m_job.buckets[bucket].chunks, state.ends);
        }
    }

    LimitedTime EndOf(const State& state) const
    {
        LimitedTime end;
        for (Rank worker = 0; worker < m_workers; ++worker)
        {
            end.Await(state.ends[worker] + LastGather() + ChainOf(worker).updating);
        }
        return end;
    }

    LimitedTime ExchangesInOrder() const
    {
        std::vector<LimitedTime> ends(m_ranks);
        if (m_gathers)
        {
            m_gathers->Exchange(ends);
            return LastOfWorkers(ends);
        }
        for (const auto& bucket : m_job.buckets)
        {
            m_exchanges.PassAll(bucket.chunks, ends);
        }
        return LastOfWorkers(ends);
    }

    // -- exchanges at the same time

    LimitedTime LastOfWorkers(const std::vector<LimitedTime>& times) const
    {
        LimitedTime last;
        for (Rank worker = 0; worker < m_workers; ++worker)
        {
            last.Await(times[worker]);
        }
        return last;
    }

    LimitedTime FirstOfWorkers(const std::vector<LimitedTime>& times) const
    {
        auto first = times.front();
        for (Rank worker = 1; worker < m_workers; ++worker)
        {
            first = Shorter(first, times[worker]);
        }
        return first;
    }

    /** By chunk, the least that its exchange takes any worker. */
    std::vector<LimitedTime> Durations() const
    {
        std::vector<LimitedTime> durations;
        for (std::size_t chunk = 0; chunk < m_job.chunks.size(); ++chunk)
        {
            if (chunk > 0 && Alike(m_job, chunk - 1, chunk))
            {
                durations.push_back(durations.back());
                continue;
            }
            std::vector<LimitedTime> ends(m_ranks);
            m_exchanges.Pass(chunk, ends);
            durations.push_back(FirstOfWorkers(ends));
        }
        return durations;
    }

    /**
     * When all exchanges have ended, at most as many at once as may be: one begins when, of as many
     * before it, at least one has ended.
     * @param ready of every bucket
     */
    LimitedTime AllEnd(const std::vector<LimitedTime>& durations,
                       const std::vector<LimitedTime>& ready) const
    {
        std::vector<LimitedTime> ends;
        LimitedTime begin;
        LimitedTime all;
        for (std::size_t bucket = 0; bucket < ready.size(); ++bucket)
        {
            for (const auto chunk : m_job.buckets[bucket].chunks)
            {
                begin.Await(ready[bucket]);
                const std::size_t inFlight = m_job.concurrent;
                if (ends.size() >= inFlight)
                {
                    auto first = ends.back();
                    for (std::size_t back = 2; back <= inFlight; ++back)
                    {
                        first = Shorter(first, ends[ends.size() - back]);
                    }
                    begin.Await(first);
                }
                ends.push_back(begin + durations[chunk]);
                all.Await(ends.back());
            }
        }
        return all;
    }

    /** In whatever order: lowest layers may go first. */
    LimitedTime AllEndInAnyOrder(const std::vector<LimitedTime>& durations,
                                 const std::vector<LimitedTime>& ready) const
    {
        auto shortest = durations.front();
        LimitedTime inTurn;
        for (const auto& duration : durations)
        {
            shortest = Shorter(shortest, duration);
            inTurn += duration;
        }
        const auto turns = (durations.size() + m_job.concurrent - 1) / m_job.concurrent;
        const auto all = m_job.concurrent == 1 ? inTurn : shortest * static_cast<double>(turns);
        return Longer(ready.front() + all, ready.back() + shortest);
    }

    LimitedTime ExchangesEnd(const std::vector<LimitedTime>& durations,
                             const std::vector<LimitedTime>& ready) const
    {
        return m_job.priority ? AllEndInAnyOrder(durations, ready) : AllEnd(durations, ready);
    }

    static Pace PaceOf(const WorkerChain& chain, const LimitedTime& exchanges)
    {
        return {chain.moreBatches + chain.forward + exchanges,
                chain.forwardUpdating + chain.moreBatches + exchanges};
    }

    std::vector<Pace> Overlapping() const
    {
        const auto& fastest = FastestChain();
        std::vector<Pace> paces{PaceOf(fastest, ExchangesEnd(Durations(), fastest.ready))};
        AddWorkers(paces);
        AddServers(paces);
        if (m_sums)
        {
            const auto sums = WorkOf(m_job, 0).networkSums;
            paces.push_back(PaceOf(fastest, fastest.ready.front() + m_sums->Together(sums)));
        }
        return paces;
    }

    /** What a worker sends, codes and adds follows its own gradients, what it gets somebody's. */
    void AddWorkers(std::vector<Pace>& paces) const
    {
        const auto& fastest = FastestChain();
        std::optional<LimitedTime> leastTaking;
        for (Rank worker = 0; worker < m_workers; ++worker)
        {
            const auto& chain = ChainOf(worker);
            const auto busy = Throughput(worker);
            const auto own = Longer(busy.sending, busy.working);
            paces.push_back(PaceOf(chain, chain.ready.front() + own));
            leastTaking = leastTaking ? Shorter(*leastTaking, busy.taking) : busy.taking;
        }
        paces.push_back(PaceOf(fastest, fastest.ready.front() + *leastTaking));
    }

    /** The last exchange of all needs all that a server gets and makes of it, not all that it sends. */
    void AddServers(std::vector<Pace>& paces) const
    {
        const auto& fastest = FastestChain();
        for (auto server = m_workers; server < m_ranks; ++server)
        {
            const auto busy = Throughput(server);
            const auto before = Longer(busy.taking, busy.working);
            paces.push_back(PaceOf(fastest, fastest.ready.front() + before));
            const auto begin = fastest.moreBatches + fastest.forward + fastest.ready.front();
            paces.push_back({begin + busy.sending, busy.sending});
        }
    }

    RankThroughput Throughput(Rank rank) const
    {
        return ThroughputOf(m_scenario, m_job, m_network, rank);
    }

    LimitedTime ExchangesAtOnce() const
    {
        const std::vector<LimitedTime> ready(m_job.buckets.size());
        auto longest = ExchangesEnd(Durations(), ready);
        for (Rank rank = 0; rank < m_ranks; ++rank)
        {
            const auto busy = Throughput(rank);
            longest.Await(busy.sending).Await(busy.taking).Await(busy.working);
        }
        return m_sums ? Longer(longest, m_sums->Together(WorkOf(m_job, 0).networkSums)) : longest;
    }

    const Scenario& m_scenario;
    const GradientTrace& m_trace;
    const TrainingJob& m_job;
    const NetworkSpeed& m_network;
    Rank m_ranks;   ///< that stand for all
    Rank m_workers; ///< of them
    bool m_inOrder; ///< exchanges follow each other, as chunks do
    std::unique_ptr<NetworkSumTimes> m_sums;
    ExchangeWalk m_walk;
    ExchangeTimes m_exchanges;
    LimitedTime m_trunks;                   ///< of all exchanges of an iteration
    std::map<double, WorkerChain> m_chains; ///< by compute_scale
    double m_fastest{std::numeric_limits<double>::infinity()};
    std::optional<GatherWalk> m_gathers; ///< of weights, before they are used
};

} // namespace

LowerBound
ComputeLowerBound(const Scenario& scenario,
                  const GradientTrace& trace,
                  const TrainingJob& job,
                  const NetworkSpeed& network,
                  Rank ranks)
{
    return Bound(scenario, trace, job, network, ranks).Compute();
}

} // namespace inca
