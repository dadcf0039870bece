/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/lower-bound.h"

#include "exchange/exchange-catalog.h"
#include "plan/bound-time.h"
#include "plan/compute-chain.h"
#include "plan/compute-times.h"
#include "plan/job-exchanges.h"
#include "plan/message-cost.h"
#include "plan/rank-busy.h"
#include "plan/sum-cost.h"
#include "scenario/specs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace inca
{

namespace
{

/** What an exchange takes from its first worker's begin to the first, and to the last, worker's end. */
struct ExchangeTime
{
    BoundTime first;
    BoundTime last;
};

/** A bound of a run's iterations: what the first takes, and every other one at least adds. */
struct Pace
{
    BoundTime first;
    BoundTime period;
};

ShiftSymmetry
SymmetryOfLoads(const ExchangeEntry& entry, const ExchangeSpec& spec)
{
    return entry.symmetry ? entry.symmetry(spec, false) : ShiftSymmetry{};
}

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
          m_spec(SpecOf(scenario, job)),
          m_entry(FindExchange(scenario.exchange.algorithm)),
          m_inOrder(job.chunks.size() == 1 || (job.concurrent == 1 && !job.priority)),
          m_cost(scenario, job, network),
          m_busy(scenario, job, network, m_cost, SymmetryOfLoads(m_entry, m_spec)),
          m_sums(ReducesInNetwork(scenario) ? std::make_unique<SumCost>(scenario, network)
                                            : nullptr),
          m_fastest(MakeComputeChain(scenario, trace, job, FastestScale(scenario), m_inOrder))
    {
    }

    LowerBound Compute()
    {
        AddExchanges();
        Consider({Alone(), Alone()});
        m_job.GathersWeights() ? ConsiderGathers() : ConsiderInOrder();
        ConsiderWorkers();
        ConsiderOthers();
        ConsiderNetwork();
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
        const bool warm = m_scenario.simulation.warmup > 0;
        m_longest.Await(warm ? pace.period
                             : (pace.first + pace.period * (iterations - 1)) * (1 / iterations));
    }

    /** What a worker does even if its exchanges cost nothing. */
    BoundTime Alone() const
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
        auto longest = Longer(betweenGpus, m_fastest.copies);
        longest.Await(m_fastest.moreBatches + m_fastest.forward + m_fastest.backward);
        for (const auto& worker : m_scenario.cluster.overrides)
        {
            const auto chain = ChainOf(worker.index);
            longest.Await(chain.moreBatches + chain.forward + chain.backward);
        }
        return longest;
    }

    ComputeChain ChainOf(Rank worker) const
    {
        return MakeComputeChain(
            m_scenario, m_trace, m_job, ComputeScaleOf(m_scenario, worker), m_inOrder);
    }

    BoundTime LastGather() const
    {
        return {Limit::HOST, static_cast<double>(m_job.chunks.back().gatherPs)};
    }

    /** An iteration whose exchanges take so long from the start of the last backward pass. */
    Pace PaceOf(const ComputeChain& chain, const BoundTime& toFirst, const BoundTime& toLast) const
    {
        const auto gather = m_inOrder ? LastGather() : BoundTime{};
        return {chain.moreBatches + chain.forward + toLast + gather + chain.updating,
                chain.forwardUpdating + chain.moreBatches + toFirst + gather};
    }

    // -- exchanges one by one

    BoundTime Sum(const std::vector<Rounds>& path, const JobChunk& chunk) const
    {
        BoundTime sum;
        for (const auto& rounds : path)
        {
            sum += m_cost.Of(rounds, chunk);
        }
        return sum;
    }

    ExchangeTime RoundTime(const JobChunk& chunk, const JobRound& round) const
    {
        if (m_sums)
        {
            const auto sums = ReductionsOf(m_job, round);
            const auto time = sums.empty() ? BoundTime{} : m_sums->Of(sums);
            return {time, time};
        }
        if (!m_entry.path || round.plan->Elements() == 0)
        {
            return {};
        }
        auto spec = m_spec;
        const bool isPart = spec.sharded && (m_job.GathersWeights() || chunk.coding);
        const bool gathers = chunk.purpose != ExchangePurpose::GRADIENTS || round.weights;
        spec.phase = !isPart   ? SumPhase::ALL_REDUCE
                     : gathers ? SumPhase::ALL_GATHER
                               : SumPhase::REDUCE_SCATTER;
        const auto path = m_entry.path(spec, round.plan->Elements());
        return {Sum(path.toFirst, chunk), Sum(path.toLast, chunk)};
    }

    static BoundTime CodingTime(std::int64_t ps)
    {
        return {Limit::HOST, static_cast<double>(ps)};
    }

    ExchangeTime TimeOf(const JobChunk& chunk) const
    {
        if (!chunk.coding)
        {
            return RoundTime(chunk, chunk.rounds.front());
        }
        ExchangeTime all;
        BoundTime encoded;
        for (std::size_t i = 0; i < chunk.rounds.size(); ++i)
        {
            const bool isCoded = i < chunk.CodedRounds();
            const auto time = RoundTime(chunk, chunk.rounds[i]);
            const auto encoding = isCoded ? CodingTime(chunk.coding->EncodePs(i)) : BoundTime{};
            if (isCoded && chunk.coding->Overlaps())
            {
                encoded += encoding;
                all.first.Await(encoded + time.first);
                all.last.Await(encoded + time.last);
            }
            else
            {
                all.last = all.first + encoding + time.last;
                all.first += encoding + time.first;
            }
            if (i + 1 == chunk.CodedRounds())
            {
                all.first += CodingTime(chunk.coding->DecodePs());
                all.last += CodingTime(chunk.coding->DecodePs());
            }
        }
        return all;
    }

    void AddExchanges()
    {
        std::map<std::tuple<const StepPlan*, double, std::int64_t>, ExchangeTime> known;
        for (const auto& chunk : m_job.chunks)
        {
            if (chunk.coding)
            {
                m_exchanges.push_back(TimeOf(chunk));
                continue;
            }
            const auto update =
                m_job.weightsReturn ? m_job.AggregatorUpdatePs(chunk, {0, chunk.ValueCount()}) : 0;
            const auto key =
                std::tuple(static_cast<const StepPlan*>(chunk.rounds.front().plan.get()),
                           m_cost.BitsOf(chunk),
                           update);
            const auto found = known.find(key);
            m_exchanges.push_back(found != known.end()
                                      ? found->second
                                      : known.emplace(key, TimeOf(chunk)).first->second);
        }
    }

    /** One after the other, each bucket once it is ready; at the same time, each once it is ready. */
    ExchangeTime ExchangesFrom(const std::vector<BoundTime>& ready) const
    {
        ExchangeTime end;
        for (std::size_t bucket = 0; bucket < m_job.buckets.size(); ++bucket)
        {
            for (const auto chunk : m_job.buckets[bucket].chunks)
            {
                const auto& time = m_exchanges[chunk];
                const auto begin = m_inOrder ? Longer(end.first, ready[bucket]) : ready[bucket];
                end.last = m_inOrder ? begin + time.last : Longer(end.last, begin + time.last);
                end.first = m_inOrder ? begin + time.first : Longer(end.first, begin + time.first);
            }
        }
        return end;
    }

    void ConsiderInOrder()
    {
        const auto time = ExchangesFrom(m_fastest.ready);
        Consider(PaceOf(m_fastest, time.first, time.last));
        m_communication.Await(ExchangesFrom(std::vector<BoundTime>(m_job.buckets.size())).last);
    }

    /** Of weights that are gathered: the first of a pass before it begins to compute, the last gradients afterwards. */
    void ConsiderGathers()
    {
        BoundTime all;
        for (const auto& time : m_exchanges)
        {
            all += time.first;
        }
        m_communication.Await(all);
        if (!m_inOrder)
        {
            return;
        }
        const double batches = m_job.exchangedBatches;
        const auto compute = m_fastest.moreBatches + m_fastest.forward + m_fastest.backward;
        const auto exposed = m_job.overlap
                                 ? m_exchanges.front().first * batches + m_exchanges.back().first
                                 : all * batches;
        Consider({compute + exposed, compute + exposed});
        Consider({all * batches, all * batches});
    }

    // -- all exchanges of an iteration, by who works for them

    /** By bucket, what @p rank does for its chunks and those of all later ones. */
    std::vector<BusyTimes> BusyFrom(Rank rank)
    {
        std::vector<BusyTimes> busy(m_job.buckets.size());
        BusyTimes sum{};
        const auto add = [&](const std::vector<std::uint32_t>& chunks) {
            for (const auto chunk : chunks)
            {
                const auto one = m_busy.Of(m_job.chunks[chunk], rank);
                for (std::size_t i = 0; i < RESOURCES; ++i)
                {
                    sum[i] += one[i];
                }
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
    BoundTime Work(const std::vector<BusyTimes>& busy,
                   const std::array<Resource, N>& resources,
                   const std::vector<BoundTime>& ready)
    {
        BoundTime longest;
        for (const auto resource : resources)
        {
            const auto all = BoundOf(busy.front(), resource);
            m_communication.Await(resource == Resource::UPDATE ? BoundTime{} : all);
            if (m_job.GathersWeights())
            {
                longest.Await(all * m_job.exchangedBatches);
                continue;
            }
            for (std::size_t bucket = 0; bucket < busy.size(); ++bucket)
            {
                longest.Await(ready[bucket] + BoundOf(busy[bucket], resource));
            }
        }
        return longest;
    }

    void ConsiderWork(const ComputeChain& chain, const BoundTime& work)
    {
        Consider(m_job.GathersWeights() ? Pace{work, work} : PaceOf(chain, work, work));
    }

    /** What a worker sends, codes and adds follows its own gradients, what it gets somebody's. */
    void ConsiderWorkers()
    {
        std::optional<BoundTime> leastTaking;
        for (const auto worker : m_busy.Workers())
        {
            const bool differs = ComputeScaleOf(m_scenario, worker) != FastestScale(m_scenario);
            const auto chain = differs ? ChainOf(worker) : m_fastest;
            const auto busy = BusyFrom(worker);
            ConsiderWork(chain, Work(busy, g_own, chain.ready));
            const auto taking = Work(busy, g_taking, m_fastest.ready);
            leastTaking = leastTaking ? Shorter(*leastTaking, taking) : taking;
        }
        if (m_busy.IsComplete())
        {
            ConsiderWork(m_fastest, *leastTaking);
        }
    }

    /** The last exchange of all needs all that a server gets and makes of it, not all that it sends. */
    void ConsiderOthers()
    {
        const auto ranks = std::min<Rank>(m_job.RankCount(), m_job.workers + g_mostOthers);
        for (auto other = m_job.workers; other < ranks; ++other)
        {
            const auto busy = BusyFrom(other);
            if (!m_scenario.host.IsHalfDuplex())
            {
                ConsiderWork(m_fastest, Work(busy, g_taking, m_fastest.ready));
            }
            ConsiderWork(m_fastest, Work(busy, g_working, m_fastest.ready));
            for (std::size_t resource = 0; resource < RESOURCES; ++resource)
            {
                ConsiderBesideCompute(BoundOf(busy.front(), static_cast<Resource>(resource)));
            }
        }
    }

    /** What goes on while workers compute again, but not before the first gradients are ready. */
    void ConsiderBesideCompute(const BoundTime& all)
    {
        m_communication.Await(all.LargestPart() == Limit::COMPUTE ? BoundTime{} : all);
        const auto begin = m_job.GathersWeights() ? BoundTime{}
                                                  : m_fastest.moreBatches + m_fastest.forward +
                                                        m_fastest.ready.front();
        Consider({begin + all, all});
    }

    void ConsiderNetwork()
    {
        double trunksPs = 0;
        for (const auto& chunk : m_job.chunks)
        {
            trunksPs += m_busy.TrunkPs(chunk);
        }
        ConsiderBesideCompute({Limit::LINK, trunksPs * m_job.exchangedBatches});
        if (m_sums && !m_job.GathersWeights())
        {
            const auto sums = m_sums->Of(ReductionsOf(m_job));
            m_communication.Await(sums);
            const auto end = m_fastest.ready.front() + sums;
            Consider(PaceOf(m_fastest, end, end));
        }
    }

    static constexpr Rank g_mostOthers = 64;
    static constexpr std::array g_own{Resource::SENDING_HOST,
                                      Resource::COMPRESSION,
                                      Resource::UPLINK,
                                      Resource::CODEC,
                                      Resource::ADDER};
    static constexpr std::array g_taking{
        Resource::DOWNLINK, Resource::DECOMPRESSION, Resource::RECEIVING_HOST};
    static constexpr std::array g_working{Resource::CODEC, Resource::ADDER, Resource::UPDATE};
    const Scenario& m_scenario;
    const GradientTrace& m_trace;
    const TrainingJob& m_job;
    ExchangeSpec m_spec;
    const ExchangeEntry& m_entry;
    bool m_inOrder; ///< exchanges follow each other, as chunks do
    MessageCost m_cost;
    RankBusy m_busy;
    std::unique_ptr<SumCost> m_sums;       ///< null where no switch adds
    ComputeChain m_fastest;                ///< of the fastest worker
    std::vector<ExchangeTime> m_exchanges; ///< by chunk
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
