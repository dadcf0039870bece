/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/job-exchanges.h"

#include "base/errors.h"
#include "base/units.h"
#include "base/wire-format.h"
#include "base/word-sum.h"
#include "exchange/exchange-catalog.h"
#include "exchange/library.h"
#include "exchange/rank-load.h"
#include "exchange/shards.h"
#include "job/sharded-coding.h"
#include "job/trace-job.h"
#include "scenario/specs.h"
#include "trace/value-source.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace inca
{

namespace
{

constexpr std::uint64_t g_mostExchanges =
    1ULL << 31U; ///< iterations times chunks; their numbers are 32 bits

/** What a worker's GPUs send each other of @p bytes, to add them up or to share a sum. (ps) */
std::int64_t
LocalPs(const Scenario& scenario, std::uint64_t bytes)
{
    const auto& cluster = scenario.cluster;
    const auto gpus = AddedGpus(scenario);
    return (gpus - 1) * cluster.gpuLatencyPs +
           WorkPs(bytes / gpus * (gpus - 1), cluster.gpuBytesPerSecond);
}

std::int64_t
SparsifyPs(const Scenario& scenario, const GradientType& type, std::uint64_t elements)
{
    if (!Sparsifies(scenario))
    {
        return 0;
    }
    const auto bytes = elements / AddedGpus(scenario) * type.bytes;
    const auto& rate = scenario.sparsify.bytesPerSecond;
    if (rate)
    {
        return WorkPs(bytes, *rate);
    }
    const auto passes = SparsifyBytesPerValue(scenario.sparsify.method) / VALUE_BYTES;
    return WorkPs(static_cast<std::uint64_t>(static_cast<double>(bytes) * passes),
                  scenario.gpu.memoryBytesPerSecond);
}

void
CheckSketchSize(std::uint64_t values)
{
    constexpr std::uint64_t most = 1ULL << 32U;
    if (values >= most)
    {
        throw InputError(
            "exchange.chunk_bytes: homomorphic compression takes less than 2^32 values "
            "(16GiB) at a time, and one exchange has " +
            std::to_string(values) + "; such as \"1GiB\" cuts it");
    }
}

ValueHooks
HooksOfWords(const Resolved& resolved, const WordSum& sum)
{
    ValueHooks hooks;
    hooks.sum = sum;
    if (resolved.Scheme() != nullptr && resolved.scenario.training.values)
    {
        hooks.network =
            resolved.Scheme()->Reduction(sum == WordSum::FP32 ? std::nullopt : std::optional(sum));
    }
    return hooks;
}

/** @param phase where each worker has a shard */
ExchangeSpec
SpecOf(const Scenario& scenario, std::uint64_t bytesPerElement, SumPhase phase)
{
    auto spec = MakeExchangeSpec(scenario, bytesPerElement);
    spec.sharded = spec.sharded && phase != SumPhase::ALL_REDUCE;
    spec.phase = spec.sharded ? phase : SumPhase::ALL_REDUCE;
    return spec;
}

/** Weights are handed on in the blocks in which gradients were summed, whatever their types. */
ExchangeSpec
GatherSpec(const Scenario& scenario, const TrainingJob& job)
{
    auto spec = SpecOf(scenario, job.weightType.bytes, SumPhase::ALL_GATHER);
    spec.algorithm = ShardGroup(scenario) > 0 ? spec.algorithm : GatherAlgorithm(scenario);
    spec.ringChunkElements =
        PicksBySize(scenario) ? 0 : scenario.ring.chunkBytes / job.gradientType.bytes;
    return spec;
}

ExchangeSpec
EarlySpec(const Scenario& scenario, std::uint64_t bytesPerElement)
{
    auto spec = MakeExchangeSpec(scenario, bytesPerElement);
    spec.addsReplicas = false;
    return spec;
}

/** Where the shards' values stand in the model; zeros behind the chunk's end do not. */
std::vector<std::vector<ElementRange>>
InModel(const Shards& shards, ElementRange chunk)
{
    std::vector<std::vector<ElementRange>> there;
    for (const auto& shard : shards)
    {
        auto& ranges = there.emplace_back();
        for (const auto& range : shard)
        {
            const auto part = Clip(range, {0, chunk.count});
            if (part.count > 0)
            {
                ranges.push_back({chunk.begin + part.begin, part.count});
            }
        }
    }
    return there;
}

/** Rounds depend on the number of words only, and on what hosts see of them, so those of one size share their plan. */
class RoundsOf
{
  public:
    /** @param scenario outlives this */
    RoundsOf(const Scenario& scenario, ExchangeSpec spec)
        : m_scenario(scenario),
          m_spec(std::move(spec))
    {
    }

    /**
     * Of equal blocks: padded.
     * @param hostBytes of all words; 0: as they are
     * @throws InputError as MakeStepPlan does
     */
    JobRound Of(std::uint64_t words,
                const ValueHooks& hooks,
                bool weights = false,
                std::uint64_t hostBytes = 0)
    {
        hostBytes = hostBytes > 0 ? hostBytes : words * m_spec.bytesPerElement;
        const bool bySize = PicksBySize(m_scenario) || !m_scenario.host.protocols.empty();
        const auto [place, isNew] = m_rounds.try_emplace({words, bySize ? hostBytes : 0});
        if (isNew)
        {
            place->second = Make(words, hostBytes);
        }
        auto round = place->second;
        round.hooks = hooks;
        round.weights = weights;
        round.hostBytes = hostBytes;
        return round;
    }

  private:
    JobRound Make(std::uint64_t words, std::uint64_t hostBytes) const
    {
        auto [spec, protocol, costs, between] = PickExchange(m_spec, words, hostBytes);
        JobRound round;
        round.plan = MakeStepPlan(spec, PaddedElements(spec, words));
        round.costs = CostsOf(hostBytes, costs);
        const bool isMeasured = !m_scenario.host.protocols.empty();
        const bool picksForGroups = spec.shardGroup > 0 && PicksBySize(m_scenario) && !isMeasured;
        round.costs.sparesNodes = spec.IsInNodes() && !picksForGroups;
        if (between && !isMeasured)
        {
            round.costsBetween = CostsOf(hostBytes, *between);
        }
        round.exchange = std::make_shared<const ExchangeSpec>(std::move(spec));
        round.protocol = std::move(protocol);
        return round;
    }

    /** @param costs that the library knows; measured ones, of host.protocol, take their place */
    ProtocolCosts CostsOf(std::uint64_t bytes, ProtocolCosts costs) const
    {
        const auto& protocols = m_scenario.host.protocols;
        if (!protocols.empty())
        {
            const auto& measured = protocols[PlaceOfProtocol(protocols, bytes)];
            costs = {measured.startPs, measured.messagePs, measured.bytesPerSecond};
        }
        costs.roundTripPs = RoundTripPs(m_scenario);
        return costs;
    }

    const Scenario& m_scenario;
    ExchangeSpec m_spec;
    std::map<std::pair<std::uint64_t, std::uint64_t>, JobRound> m_rounds; ///< by words and bytes
};

/**
 * Gives chunks that are compressed homomorphically their coding and its rounds: index and counters. Where each worker
 * keeps a shard, each shard is a sketch by itself, as long as the longest of them, and both rounds are reduce-scatters
 * of words; weights are handed on in a third, unless they are gathered when they are used.
 */
class SketchRounds
{
  public:
    /** @param resolved outlives this */
    SketchRounds(const Resolved& resolved, const TrainingJob& job, const ValueHooks& ofValues)
        : m_resolved(resolved),
          m_scenario(resolved.scenario),
          m_planner(resolved),
          m_ofValues(ofValues),
          m_words(m_scenario, SpecOf(m_scenario, VALUE_BYTES, SumPhase::REDUCE_SCATTER)),
          m_toAll(m_scenario, SpecOf(m_scenario, VALUE_BYTES, SumPhase::ALL_REDUCE)),
          m_values(m_scenario,
                   SpecOf(m_scenario, job.gradientType.bytes, SumPhase::REDUCE_SCATTER)),
          m_weights(m_scenario, GatherSpec(m_scenario, job))
    {
    }

    /**
     * @param chunk that has its range
     * @return its sketches: one, or one for each shard
     * @throws InputError if the chunk is too large
     */
    std::vector<PlannedSketch> Add(JobChunk& chunk)
    {
        CheckSketchSize(chunk.range.count);
        const bool isSharded = IsSharded(m_scenario);
        const auto values = isSharded ? ShardsOfWords(m_values.Of(chunk.range.count, {}).plan)
                                      : Shards{{{0, chunk.range.count}}};
        auto sketches = m_planner.Plan(InModel(values, chunk.range));
        SketchWords longest;
        ShardedCodingSpec coding;
        for (const auto& sketch : sketches)
        {
            const auto words = WordsOf(sketch.spec);
            longest.index = std::max(longest.index, words.index);
            longest.counters = std::max(longest.counters, words.counters);
            coding.coding.push_back(MakeSketchCoding(sketch.spec));
        }
        const auto& spec = sketches.front().spec;
        const auto indexSum = IndexSum(spec.settings.index);
        const auto counterSum = spec.adder == WordSum::FP32 ? WordSum::FP32 : WordSum::INT32;
        auto& ofIndex = ScalesByIndex(spec) ? m_toAll : m_words;
        chunk.rounds = {
            ofIndex.Of(sketches.size() * longest.index, HooksOfWords(m_resolved, indexSum)),
            m_words.Of(sketches.size() * longest.counters, HooksOfWords(m_resolved, counterSum)),
        };
        if (!isSharded)
        {
            chunk.coding = coding.coding.front();
            return sketches;
        }
        coding.values = values;
        for (const auto& round : chunk.rounds)
        {
            coding.words.push_back(ShardsOfWords(round.plan));
        }
        chunk.coding = MakeShardedCoding(std::move(coding));
        if (!GathersWeights(m_scenario))
        {
            chunk.rounds.push_back(m_weights.Of(chunk.range.count, m_ofValues, true));
        }
        return sketches;
    }

  private:
    /** Which worker gets which words; of words that all get, which worker owns them. */
    const Shards& ShardsOfWords(const std::shared_ptr<const StepPlan>& plan)
    {
        const auto [place, isNew] = m_shards.try_emplace(plan);
        if (isNew)
        {
            place->second = ShardsOf(*plan);
        }
        return place->second;
    }

    const Resolved& m_resolved;
    const Scenario& m_scenario;
    SketchPlanner m_planner;
    ValueHooks m_ofValues;
    RoundsOf m_words;   ///< of which each worker gets all, or its shard
    RoundsOf m_toAll;   ///< of words that all need
    RoundsOf m_values;  ///< by which shards are cut
    RoundsOf m_weights; ///< handed on
    std::map<std::shared_ptr<const StepPlan>, Shards> m_shards;
};

/** Adds exchanges, in the order in which they are ready. */
class ExchangeListBuilder
{
  public:
    /** All must outlive it. */
    ExchangeListBuilder(const Resolved& resolved, const ValueHooks& hooks, TrainingJob& job)
        : m_scenario(resolved.scenario),
          m_hooks(hooks),
          m_job(job),
          m_plan(resolved.buckets),
          m_rounds(m_scenario, MakeExchangeSpec(m_scenario, job.gradientType.bytes)),
          m_early(m_scenario, EarlySpec(m_scenario, job.gradientType.bytes)),
          m_gathers(m_scenario, GatherSpec(m_scenario, job))
    {
        if (HasSketch(m_scenario))
        {
            m_coded.emplace(resolved, job, hooks);
        }
        for (const auto& bucket : m_plan.buckets)
        {
            const auto elements = bucket.elements.count;
            job.buckets.push_back({static_cast<std::uint32_t>(bucket.firstLayer),
                                   static_cast<std::uint32_t>(bucket.lastLayer),
                                   {},
                                   SparsifyPs(m_scenario, job.gradientType, elements)});
        }
    }

    /**
     * Where weights are gathered: those of a forward pass, then of each bucket, as backward begins it, the next one's
     * weights, and as backward ends it, its gradients; without overlap its gradients first. The first that backward
     * needs is kept since the forward pass.
     * @return sketches, by chunk, or by shard of each
     */
    std::vector<PlannedSketch> AddAll()
    {
        const bool gathers = GathersWeights(m_scenario);
        auto& buckets = m_job.buckets;
        for (auto bucket = buckets.size(); gathers && bucket-- > 0;)
        {
            Add(bucket, ExchangePurpose::FORWARD_WEIGHTS, buckets[bucket].forwardGathers);
        }
        for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket)
        {
            const auto next = bucket + 1;
            const bool hasNext = gathers && next < buckets.size();
            if (hasNext && m_job.overlap)
            {
                Add(next, ExchangePurpose::BACKWARD_WEIGHTS, buckets[next].backwardGathers);
            }
            Add(bucket, ExchangePurpose::GRADIENTS, buckets[bucket].chunks);
            if (hasNext && !m_job.overlap)
            {
                Add(next, ExchangePurpose::BACKWARD_WEIGHTS, buckets[next].backwardGathers);
            }
        }
        if (ShardGroup(m_scenario) > 0 && m_scenario.training.addsReplicasOnce)
        {
            AddEarly();
        }
        RequireSameShards();
        return std::move(m_sketches);
    }

  private:
    /** @throws InputError if workers gather other parts of the weights than they sum gradients for */
    void RequireSameShards() const
    {
        const auto& first = m_job.chunks.front();
        const bool picks = PicksBySize(m_scenario) && ShardGroup(m_scenario) == 0;
        const bool isSame = GatherAlgorithm(m_scenario) == m_scenario.exchange.algorithm;
        if (first.purpose == ExchangePurpose::GRADIENTS || (isSame && !picks))
        {
            return;
        }
        const auto sums =
            std::find_if(m_job.chunks.begin(), m_job.chunks.end(), [&first](const auto& chunk) {
                return chunk.purpose == ExchangePurpose::GRADIENTS && chunk.range == first.range;
            });
        const auto& plan = *sums->rounds.front().plan;
        auto spec = *first.rounds.front().exchange;
        spec.phase = SumPhase::REDUCE_SCATTER;
        const auto elements = first.rounds.front().plan->Elements();
        if (elements != plan.Elements() ||
            ShardsOf(*MakeStepPlan(spec, elements)) != ShardsOf(plan))
        {
            throw InputError("exchange.gather_algorithm: '" + GatherAlgorithm(m_scenario) +
                             "' hands on other parts of a bucket than those of which workers get "
                             "the sums by '" +
                             m_scenario.exchange.algorithm + "'; the same for both helps" +
                             (plan.ChannelCount() > 1 || m_scenario.ring.chunkBytes > 0
                                  ? ", as may ring.channels = 1 and ring.chunk_bytes = 0"
                                  : ""));
        }
    }

    /** Gradients of micro-batches before the last one, whose sums replicas do not add. */
    void AddEarly()
    {
        m_job.earlyChunks = m_job.chunks;
        for (auto& chunk : m_job.earlyChunks)
        {
            if (chunk.purpose == ExchangePurpose::GRADIENTS)
            {
                const auto& whole = chunk.rounds.front();
                chunk.rounds = {m_early.Of(chunk.range.count, m_hooks, false, whole.hostBytes)};
                chunk.startPs = StartPs(chunk);
            }
        }
    }

    std::int64_t StartPs(const JobChunk& chunk) const
    {
        const bool isCoded =
            chunk.purpose == ExchangePurpose::GRADIENTS && HasHostCodec(m_scenario);
        const auto& round = chunk.rounds.front();
        return round.costs.startPs + (round.costsBetween ? round.costsBetween->startPs : 0) +
               (isCoded ? m_scenario.codec.startPs : 0);
    }

    /** @param chunks of that purpose, by their numbers */
    void Add(std::size_t bucket, ExchangePurpose purpose, std::vector<std::uint32_t>& chunks)
    {
        const auto& all = m_plan.chunks; // bucket after bucket
        auto planned = std::lower_bound(
            all.begin(), all.end(), bucket, [](const Chunk& chunk, std::size_t number) {
                return chunk.bucket < number;
            });
        for (; planned != all.end() && planned->bucket == bucket; ++planned)
        {
            chunks.push_back(static_cast<std::uint32_t>(m_job.chunks.size()));
            auto& chunk = m_job.chunks.emplace_back(ChunkOf(*planned, purpose));
            chunk.startPs = StartPs(chunk);
        }
    }

    JobChunk ChunkOf(const Chunk& planned, ExchangePurpose purpose)
    {
        JobChunk chunk;
        chunk.range = planned.elements;
        chunk.firstLayer = static_cast<std::uint32_t>(planned.firstLayer);
        chunk.lastLayer = LastLayerOf(m_job, chunk.range);
        chunk.purpose = purpose;
        const bool isOfGradients = purpose == ExchangePurpose::GRADIENTS;
        const auto localPs = [&](const GradientType& type) {
            return LocalPs(m_scenario, chunk.range.count * type.bytes);
        };
        chunk.reducePs = isOfGradients ? localPs(m_job.gradientType) : 0;
        if (!isOfGradients || !GathersWeights(m_scenario)) // else it stays a shard
        {
            chunk.gatherPs = localPs(m_job.weightsReturn ? m_job.weightType : m_job.gradientType);
        }
        if (m_coded && isOfGradients)
        {
            for (auto& sketch : m_coded->Add(chunk))
            {
                m_sketches.push_back(std::move(sketch));
            }
            return chunk;
        }
        const auto count = chunk.range.count;
        chunk.rounds.push_back(
            isOfGradients
                ? m_rounds.Of(count, m_hooks, false, m_job.HostBytes(chunk, {0, {0, count}}))
                : m_gathers.Of(count, m_hooks));
        return chunk;
    }

    const Scenario& m_scenario;
    const ValueHooks& m_hooks;
    TrainingJob& m_job;
    const BucketPlan& m_plan;
    RoundsOf m_rounds;
    RoundsOf m_early; ///< of gradients that replicas do not add
    RoundsOf m_gathers;
    std::optional<SketchRounds> m_coded; ///< of what is compressed homomorphically
    std::vector<PlannedSketch> m_sketches;
};

void
CheckExchangeCount(const TrainingJob& job)
{
    const auto batches = std::uint64_t{job.iterations} * job.exchangedBatches;
    if (job.chunks.size() * job.RoundCount() * batches >= g_mostExchanges)
    {
        throw InputError("training.iterations: " + std::to_string(job.chunks.size()) +
                         " chunks in each of " + std::to_string(job.iterations) +
                         " are more exchanges than can be numbered, " +
                         std::to_string(g_mostExchanges) +
                         "; fewer iterations, larger chunks (exchange.chunk_bytes) or larger "
                         "buckets (training.send, exchange.bucket_bytes) help");
    }
}

/** Adds those of @p chunks, so many times. */
void
AddReductions(const TrainingJob& job,
              const std::vector<JobChunk>& chunks,
              std::uint64_t times,
              ReductionCounts& sums)
{
    std::map<const StepPlan*, ReductionCounts> known;
    for (const auto& chunk : chunks)
    {
        for (const auto& round : chunk.rounds)
        {
            const auto [place, isNew] = known.try_emplace(round.plan.get());
            place->second = isNew ? ReductionsOf(job, round) : place->second;
            for (const auto& [sum, count] : place->second)
            {
                sums[sum] += times * count;
            }
        }
    }
}

} // namespace

std::int64_t
RoundTripPs(const Scenario& scenario)
{
    constexpr std::uint64_t crossings = 4; // there and back, by a switch
    const auto& cluster = scenario.cluster;
    return 2 * (2 * cluster.latencyPs + scenario.inSwitch.latencyPs) +
           SerialisationPs(crossings * FrameWireBytes(0), cluster.WorkerBitsPerSecond());
}

std::vector<PlannedSketch>
AddExchanges(const Resolved& resolved, const ValueHooks& hooks, TrainingJob& job)
{
    auto sketches = ExchangeListBuilder(resolved, hooks, job).AddAll();
    CheckExchangeCount(job);
    return sketches;
}

bool
InCommunicators(const TrainingJob& job)
{
    return std::any_of(job.chunks.begin(), job.chunks.end(), [](const JobChunk& chunk) {
        const auto& round = chunk.rounds.back();
        const bool isOfSpec = round.exchange && round.exchange->shardGroup > 0;
        return !isOfSpec && round.plan->GetCommunicators() != nullptr;
    });
}

std::vector<const JobRound*>
RoundsOfPlans(const TrainingJob& job)
{
    std::set<const StepPlan*> seen;
    std::vector<const JobRound*> rounds;
    for (const auto* chunks : {&job.chunks, &job.earlyChunks})
    {
        for (const auto& chunk : *chunks)
        {
            for (const auto& round : chunk.rounds)
            {
                if (seen.insert(round.plan.get()).second)
                {
                    rounds.push_back(&round);
                }
            }
        }
    }
    return rounds;
}

ShiftSymmetry
SymmetryOf(const TrainingJob& job, bool alternates)
{
    if (InCommunicators(job))
    {
        std::vector<const StepPlan*> plans;
        for (const auto* round : RoundsOfPlans(job))
        {
            plans.push_back(round->plan.get());
        }
        return FindSymmetry(plans);
    }
    std::optional<ShiftSymmetry> common;
    std::set<const ExchangeSpec*> seen; // rounds of one size share theirs
    for (const auto& chunk : job.chunks)
    {
        for (const auto& round : chunk.rounds)
        {
            if (!seen.insert(round.exchange.get()).second)
            {
                continue;
            }
            const auto symmetry = SymmetryOf(*round.exchange, alternates);
            if (common && *common != symmetry)
            {
                return {};
            }
            common = symmetry;
        }
    }
    return common.value_or(ShiftSymmetry{});
}

std::string
PicksOf(const TrainingJob& job)
{
    std::map<std::string, std::size_t> counts;
    for (const auto& chunk : job.chunks)
    {
        for (const auto& round : chunk.rounds)
        {
            const auto& protocol = round.protocol;
            ++counts[round.exchange->algorithm + (protocol.empty() ? "" : " (" + protocol + ")")];
        }
    }
    std::string text;
    for (const auto& [name, count] : counts)
    {
        text += (text.empty() ? "" : ", ") + name + " " + std::to_string(count);
    }
    return text;
}

ReductionCounts
ReductionsOf(const TrainingJob& job, const JobRound& round)
{
    ReductionCounts sums;
    const auto first = round.plan->Elements() > 0 ? FirstReduction(*round.plan) : std::nullopt;
    if (!first)
    {
        return sums;
    }
    const auto inWord = static_cast<std::uint32_t>(VALUE_BYTES / job.TypeOf(first->gathered).bytes);
    for (auto sum : LoadOf(*round.plan, 0).reductions)
    {
        sum.perWord = sum.phase == SumPhase::ALL_GATHER ? inWord : 1;
        ++sums[sum];
    }
    return sums;
}

ReductionCounts
ReductionsOf(const TrainingJob& job)
{
    ReductionCounts sums;
    AddReductions(job, job.chunks, 1, sums);
    return sums;
}

ReductionCounts
ReductionsOfRun(const TrainingJob& job)
{
    const auto all = job.BatchCount();
    const auto early = job.earlyChunks.empty() ? 0 : all - all / job.exchangedBatches;
    ReductionCounts sums;
    AddReductions(job, job.chunks, all - early, sums);
    AddReductions(job, job.earlyChunks, early, sums);
    return sums;
}

} // namespace inca
