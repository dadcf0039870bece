/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_TRAINING_JOB_H
#define INCA_JOB_TRAINING_JOB_H

#include "inca/base/job-id.h"
#include "inca/exchange/communicators.h"
#include "inca/exchange/exchange-spec.h"
#include "inca/exchange/protocol-costs.h"
#include "inca/exchange/step-plan.h"
#include "inca/job/chunk-coding.h"
#include "inca/job/gradient-type.h"
#include "inca/job/message-coding.h"
#include "inca/job/rank-program.h"
#include "inca/job/rank-values.h"
#include "inca/job/worker-gradient.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** The parts of an iteration that a worker computes. */
enum class ComputePhase : std::uint8_t
{
    FORWARD,
    BACKWARD,
    UPDATE,
};

/** One computation of one worker, and all that its duration may depend on. */
struct ComputeKey
{
    Rank worker{0};
    std::uint32_t iteration{0};
    std::uint32_t microBatch{0};
    std::uint32_t layer{0};
    ComputePhase phase{ComputePhase::FORWARD};
};

/** A layer of the model: where its gradient stands, and what an aggregator needs to update it. */
struct JobLayer
{
    ElementRange range; ///< of the whole model, layers end to end
    std::int64_t aggregatorUpdatePs{0};
};

/** What workers exchange for. */
enum class ExchangePurpose : std::uint8_t
{
    GRADIENTS,        ///< their sums, or the weights that these made: of all, or of a shard each
    FORWARD_WEIGHTS,  ///< all weights, of which each has a shard, for a forward pass
    BACKWARD_WEIGHTS, ///< the same for a backward pass
};

/** Consecutive tensors whose gradients are ready, and copied, together; a layer may lie in several. */
struct JobBucket
{
    std::uint32_t firstLayer{0};
    std::uint32_t lastLayer{0};
    std::vector<std::uint32_t> chunks; ///< gradients, in the order in which they are exchanged
    std::int64_t sparsifyPs{0}; ///< dropping the smallest values, once all its chunks are added up
    /**
     * Chunks that bring its layers' weights before these are used; empty: they are there. Those of a pass begin when
     * the pass begins the bucket before, or begins at all.
     * @{
     */
    std::vector<std::uint32_t> forwardGathers{};
    std::vector<std::uint32_t> backwardGathers{};
    /** @} */
};

/** One all-reduce of words, 4 bytes each (bytesPerElement, where they are values), or a half of one. */
struct JobRound
{
    std::shared_ptr<const StepPlan> plan; ///< its elements are words, counted from 0
    ValueHooks hooks;
    bool weights{false}; ///< of a coded chunk: handed on as they are, made of decoded sums
    std::shared_ptr<const ExchangeSpec> exchange{}; ///< of which the plan is
    std::string protocol{};                         ///< for people; empty: it has no name
    ProtocolCosts costs{};                          ///< of its messages
    std::optional<ProtocolCosts> costsBetween{};    ///< of those between groups, if these differ
    std::uint64_t hostBytes{0}; ///< of all its words, as hosts see them (HostBytes)
};

/** What one exchange moves: a bucket, or a part of one. */
struct JobChunk
{
    ElementRange range; ///< of the whole model
    std::uint32_t firstLayer{0};
    std::uint32_t lastLayer{0};
    /**
     * One, of the values of range; or one for each part of what coding makes of them, and one of weights where
     * workers hand on what they have made of their shards of the sums.
     */
    std::vector<JobRound> rounds;
    std::shared_ptr<const ChunkCoding> coding; ///< null: words are values
    std::int64_t reducePs{0};                  ///< adding up over a worker's GPUs, before it
    std::int64_t startPs{0};                   ///< of its protocols, and of its codec, behind that
    std::int64_t gatherPs{0}; ///< giving the result to all of a worker's GPUs, afterwards
    ExchangePurpose purpose{ExchangePurpose::GRADIENTS};

    /** Of what coding makes; 0 without one. */
    std::size_t CodedRounds() const;

    /** What is exchanged: the values of range, and zeros behind them that make equal shards. */
    std::uint64_t ValueCount() const;

    /** Among whose members it means that; all workers are one, if it has no others. */
    std::vector<Communicator> InCommunicators() const
    {
        return CommunicatorsOf(*rounds.back().plan);
    }

    std::size_t MemberCount() const ///< workers that take part
    {
        return inca::MemberCount(*rounds.back().plan);
    }

    /** Whether @p rank takes part; else it passes the exchange over. */
    bool Involves(Rank rank) const
    {
        return TakesPart(*rounds.back().plan, rank);
    }

    /** The workers whose gradients are added for what one communicator's @p members end with. */
    Communicator SummedFor(const Communicator& members) const
    {
        return SummedRanks(*rounds.back().plan, members);
    }

    /** What workers end with, once all rounds have ended and what was coded is decoded. */
    Meaning Means() const
    {
        return rounds.back().plan->Means();
    }
};

/** What a rank has at the end of an exchange. */
struct ExchangeOutcome
{
    std::unique_ptr<RankValues> values; ///< of the chunk; null when only sizes travel
    ChunkReport report;                 ///< of a worker's decoding
    std::shared_ptr<const std::vector<RoundResult>>
        rounds; ///< what it has decoded; null if it has not
};

/**
 * One training job as all its ranks know it: what is computed, what is exchanged and in which
 * order, and what the values are where they travel. Who sits on which host is said when it is
 * installed. Const while it runs; ranks share it.
 */
struct TrainingJob
{
    JobId id; ///< its own among the jobs on one network
    Rank workers{0};
    Rank nodeSize{1}; ///< consecutive workers that are the GPUs of one node
    /** Ranks are numbered in turn, worker 0, server 0, worker 1, ..., of as many rows; 1: all workers come first. */
    Rank rows{1};

    // -- the iteration
    std::uint32_t iterations{1};
    std::uint32_t accumulation{1}; ///< micro-batches of forward and backward per update
    /** Of these, whose gradients are exchanged, and whose weights are gathered: the last one, or all. */
    std::uint32_t exchangedBatches{1};
    std::uint32_t exchangedIterations{1}; ///< Of so many iterations, the last one exchanges.
    bool overlap{true};                   ///< gradients leave while backward goes on
    /** A worker updates weights when it has the sums of all gradients; else those of each chunk when it has these. */
    bool updatesAtEnd{true};
    bool updatesOnHost{false}; ///< beside passes; else on the GPU, between them
    bool barrier{false}; ///< whenever weights are updated, a forward pass waits for all of them
    std::function<std::int64_t(const ComputeKey&)> computePs; ///< at least 0

    // -- what is exchanged
    std::vector<JobLayer> layers;   ///< in model order
    std::vector<JobBucket> buckets; ///< in the order in which backward finishes them
    /** In the order in which they are ready; those of gradients have as many rounds each, others no more. */
    std::vector<JobChunk> chunks;
    /** What micro-batches before the last one exchange in their place, where that differs; else none. */
    std::vector<JobChunk> earlyChunks;
    std::uint32_t concurrent{1}; ///< exchanges in flight per rank
    bool gathersApart{
        false};           ///< gathers of weights follow each other beside all others, which do, too
    bool priority{false}; ///< of those ready, the lowest layer goes first
    /** Buckets start in cycles of that, each with a round of a coordinator (FusionCycles); 0: as they are ready. @{ */
    std::int64_t cyclePs{0};
    std::int64_t cycleRoundPs{0};
    /** @} */
    bool startTogether{false};     ///< an exchange starts when all workers are ready for it
    bool weightsReturn{false};     ///< whoever sums updates: workers get weights, not sums
    std::uint32_t updatingGpus{1}; ///< of a worker, that share the update of its shard
    std::uint32_t addingGpus{1};   ///< of a worker, that share its sums
    Rank sumSharers{1};            ///< workers of one node, whose sums its CPU makes
    Rank codecSharers{1};          ///< the same of what its CPU codes
    bool sumOnArrival{false};      ///< an aggregator or server adds while gradients still arrive
    GradientType gradientType;     ///< in which gradients are exchanged and added
    GradientType weightType;       ///< in which weights travel
    /** As hosts add gradients and send them: their type's, or an fp32 word's where these are taken widened. */
    std::uint64_t bytesPerElement{4};

    // -- how it travels
    MessageCoding coding;

    /**
     * What workers do: one program for all of them, or one for each. None: when the job is installed, they get the
     * program that MakeDataParallelProgram makes of it.
     */
    std::vector<std::shared_ptr<const RankProgram>> programs;

    // -- values; empty when only sizes travel
    WorkerGradient ownGradient; ///< of the whole model's elements
    /**
     * Where a worker's gradient is rounded as its GPUs add up theirs: those, GPU i of worker w being
     * w * gpusOfWorker + i. Null: a worker's gradient is what it is.
     */
    WorkerGradient gpuGradient;
    std::uint32_t gpusOfWorker{1}; ///< of those

    /** Whether workers keep a shard of the weights, and get the others when they use them. */
    bool GathersWeights() const
    {
        return chunks.front().purpose != ExchangePurpose::GRADIENTS;
    }

    /** Whether each worker updates a shard of the weights. */
    bool UpdatesShards() const
    {
        return weightsReturn && RankCount() == workers;
    }

    /** The same, and all of it once all gradients are summed. */
    bool UpdatesShardsAtEnd() const
    {
        return updatesAtEnd && UpdatesShards();
    }

    /** Whether a forward pass waits for all updates, not just for its layer's own. */
    bool AwaitsAllUpdates() const
    {
        return barrier || (updatesAtEnd && !weightsReturn);
    }

    /** Exchanges of gradients for an update. */
    std::uint32_t GradientChunkCount() const;

    const RankProgram& ProgramOf(Rank worker) const
    {
        return *programs[programs.size() == 1 ? 0 : worker];
    }

    /** Whether they are GPUs of one node, between which messages cost hosts nothing, nor do their sums. */
    bool AreInOneNode(Rank one, Rank other) const
    {
        return nodeSize > 1 && one / nodeSize == other / nodeSize;
    }

    bool HasValues() const
    {
        return ownGradient != nullptr;
    }

    /**
     * Exchanges are numbered through the run: number e is of chunk e mod C, C being their number, of the e / C-th
     * micro-batch that is exchanged.
     * @{
     */
    const JobChunk& ChunkOf(std::uint32_t exchange) const
    {
        const bool isEarly = !earlyChunks.empty() && !IsOfLastBatch(exchange);
        return (isEarly ? earlyChunks : chunks)[exchange % chunks.size()];
    }

    std::uint32_t BatchOf(std::uint32_t exchange) const
    {
        return static_cast<std::uint32_t>(exchange / chunks.size());
    }

    std::uint32_t ExchangeNumber(std::uint32_t batch, std::uint32_t chunk) const
    {
        return batch * static_cast<std::uint32_t>(chunks.size()) + chunk;
    }

    std::uint32_t IterationOf(std::uint32_t exchange) const
    {
        return (BatchOf(exchange) / exchangedBatches + 1) * exchangedIterations - 1;
    }

    /** Whether it is of the micro-batch after which weights are updated. */
    bool IsOfLastBatch(std::uint32_t exchange) const
    {
        return (BatchOf(exchange) + 1) % exchangedBatches == 0;
    }

    std::uint32_t BatchCount() const ///< that are exchanged in the run
    {
        return iterations / exchangedIterations * exchangedBatches;
    }

    /** @} */

    /**
     * What workers bring into a chunk's exchange, weights rounded to their type. It is counted from the chunk's first value;
     * behind its last there are zeros (exchanges in shards are of as many values as make equal ones).
     */
    WorkerGradient GradientsOf(const JobChunk& chunk) const;

    /**
     * What a message takes as its host sees it, and its library, its protocol and its way to the NIC: coded, where the
     * host codes it, on CPU or GPU; plain, of the type that hosts add, where none or the NIC does. 0: values decide it.
     */
    std::uint64_t HostBytes(const JobChunk& chunk, const Transfer& transfer) const
    {
        return coding.HostCodecOf(transfer)
                   ? coding.StreamBytes(chunk.range, transfer)
                   : transfer.range.count * BytesPerElement(transfer.kind, transfer.crossesGroups);
    }

    /** What workers bring, before any of it was added: of all GPUs, or of workers. */
    WorkerGradient TermsOf(const JobChunk& chunk) const;

    /**
     * Rounds are numbered through the run, too, and messages carry their numbers: those of exchange e from
     * e * RoundCount() on, the most that an exchange has; gradients, which have them, are exchanged last.
     * @{
     */
    std::uint32_t RoundCount() const
    {
        return static_cast<std::uint32_t>(chunks.back().rounds.size());
    }

    std::uint32_t ExchangeOf(std::uint32_t round) const
    {
        return round / RoundCount();
    }

    std::uint32_t RoundOfExchange(std::uint32_t round) const
    {
        return round % RoundCount();
    }

    /** @} */

    /** In which elements of a message are, unless they are taken widened. */
    const GradientType& TypeOf(PayloadKind kind) const
    {
        return kind == PayloadKind::GRADIENT ? gradientType : weightType;
    }

    /** In which a worker's GPUs and its host hand it to each other: gradients on their way out, gathered weights on theirs in. */
    const GradientType& CopiedType(const JobChunk& chunk) const
    {
        return chunk.purpose == ExchangePurpose::GRADIENTS ? gradientType : weightType;
    }

    /** What workers end an exchange of gradients with: sums, or the weights that were made of them. */
    GradientType HeldType() const
    {
        return weightsReturn ? Coarser(gradientType, weightType) : gradientType;
    }

    /** Of an element in a message, before a codec; what no codec sees of a job that has one is not widened for it. */
    std::uint64_t BytesPerElement(PayloadKind kind, bool crossesGroups = false) const
    {
        const bool isSpared =
            coding.IsSome() && coding.PlaceOf(kind, crossesGroups) == CodingPlace::NONE;
        return kind == PayloadKind::WEIGHT ? weightType.bytes
               : isSpared                  ? gradientType.bytes
                                           : bytesPerElement;
    }

    Rank RankCount() const; ///< workers, and aggregators or servers

    bool IsWorker(Rank rank) const
    {
        return rows == 1 ? rank < workers : rank % rows == 0;
    }

    /** Of the first @p ranks. */
    Rank WorkersAmong(Rank ranks) const;

    /** For people: "worker 3", "aggregator 0", or "server 0" where sums return. */
    std::string NameOf(Rank rank) const;

    /** An aggregator's update of part of the model: each layer by the share of it in @p range. (ps) */
    std::int64_t AggregatorUpdatePs(const JobChunk& chunk, ElementRange range) const;

    /**
     * A worker's update of its part of a chunk, by its share of the elements, whatever layers they are of, and whether
     * they are behind its end; its GPUs share it. (ps)
     */
    std::int64_t ShardUpdatePs(Rank worker,
                               std::uint32_t iteration,
                               const JobChunk& chunk,
                               ElementRange range) const;
};

/**
 * A job that exchanges one tensor once and computes nothing: the exchange alone. Change what you
 * like before it is installed.
 * @param elements fp32 values, at least 1
 * @throws InputError if the exchange is unknown or cannot run with so many workers
 */
std::shared_ptr<TrainingJob> MakeTensorJob(const ExchangeSpec& exchange, std::uint64_t elements);

} // namespace inca

#endif // INCA_JOB_TRAINING_JOB_H
