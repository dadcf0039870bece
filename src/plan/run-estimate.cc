/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/run-estimate.h"

#include "base/errors.h"
#include "base/units.h"
#include "base/wire-format.h"
#include "exchange/block-packets.h"
#include "exchange/exchange-catalog.h"
#include "plan/network-speed.h"
#include "plan/received-sample.h"
#include "plan/train-choice.h"
#include "scenario/specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace inca
{

namespace
{

/**
 * What INCA takes on one core of a server of 2023, measured with inca-bench-estimates (docs: model.md, "Before it
 * starts"). @{
 */
constexpr double SECONDS_PER_FRAME{0.42e-6}; ///< through a switch, with its acknowledgement
constexpr double SHARE_OF_A_TRAIN{0.1};      ///< of that time, what it does for each of its frames
constexpr double MORE_LINKS{1.6};            ///< times that, through more than one switch
constexpr double SECONDS_PER_MESSAGE{1.2e-6};
constexpr double SECONDS_PER_WALKED_MESSAGE{0.5e-6}; ///< of the lower bound
constexpr double SECONDS_PER_PEER{3e-6};             ///< a connection
constexpr double SECONDS_PER_HOST{60e-6};
constexpr double SECONDS_PER_COMPUTED_LAYER{0.4e-6}; ///< of a simulated worker, in a micro-batch
constexpr double SECONDS_PER_LAYER{2e-6};            ///< read, and planned
constexpr double SECONDS_PER_CHUNK{2e-6};
constexpr double SECONDS_PER_LAYER_ROW{0.15e-6}; ///< of each worker
constexpr double BYTES_PER_RUN{8e6};
constexpr double BYTES_PER_MESSAGE{50}; ///< what a rank did when
constexpr double BYTES_PER_PEER{1'100};
constexpr double BYTES_PER_HOST{11'000};
constexpr double BYTES_PER_FRAME{200};       ///< under way
constexpr double SLOTS_UNDER_WAY{128};       ///< of a worker, at most
constexpr double BYTES_PER_SLOT{450};        ///< of a worker, with a packet under way
constexpr double BYTES_PER_WORKER{1'300};    ///< of the job, whether simulated or not
constexpr double BYTES_PER_LAYER{800};       ///< its record
constexpr double BYTES_PER_CHUNK{400};       ///< its exchange
constexpr double BYTES_PER_LAYER_ROW{114};   ///< of each worker
constexpr double HOSTS_IN_CACHE{64};         ///< what they hold is read faster
constexpr double SLOWER_PER_DOUBLING{0.25};  ///< of more: what their messages take
constexpr double FRAMES_PER_DOUBLING{0.125}; ///< their frames
// -- values (docs: model.md, "What values cost")
constexpr double SECONDS_PER_CARRIED_VALUE{1e-9}; ///< in frames, on each hop
constexpr double SECONDS_PER_CODED_VALUE{2e-9};   ///< encoded, and decoded
constexpr double SECONDS_PER_OWN_VALUE{
    1e-9}; ///< of a worker's gradient: made, added in fp64, compared
constexpr double SECONDS_PER_REPLAYED_VALUE{0.3e-9}; ///< on each hop
constexpr double CODED_REPLAY{7};                    ///< times that, where a codec rounds
constexpr double COPIES_CARRIED{1.4};                ///< of all workers' gradients in memory
constexpr double WINDOW_BYTES{1e6};                  ///< of each rank, of a replay
/** @} */

/** Windows of a message, or of a sum, in which the network comes to repeat itself; mostly 2 to 10. */
constexpr double WINDOWS_BEFORE_STEADY{6};

constexpr Rank COUNTED_RANKS{32};

double
MostFrames(const Scenario& scenario, const TrainingJob& job, double window)
{
    return MayRepeat(scenario, job) ? WINDOWS_BEFORE_STEADY * window
                                    : std::numeric_limits<double>::infinity();
}

FramesOfMessages
FramesOf(const Scenario& scenario, const TrainingJob& job)
{
    return {static_cast<double>(MaxPayloadBytes(scenario.cluster.mtu)),
            MostFrames(scenario, job, scenario.transport.window)};
}

/** Adds the sums of switches that one worker gets. */
void
AddSums(const Scenario& scenario,
        const TrainingJob& job,
        const NetworkSums& sums,
        double times,
        RunEstimate& estimate)
{
    constexpr std::uint32_t slots = 512; // as many as most pools have, or more
    double repeating = 0;
    for (const auto& [sum, count] : sums)
    {
        const auto words = WordsGot(sum, 0, job.workers);
        const auto parts = sum.halves == Halves::BOTH ? 1 : job.workers; // each repeats itself
        repeating += static_cast<double>(count) * parts;
        estimate.messages += times * static_cast<double>(count);
        estimate.payloadBytes += times * static_cast<double>(words * count * VALUE_BYTES);
    }
    if (!sums.empty())
    {
        const auto frames = static_cast<double>(MakeScheme(scenario)->TrafficOf(sums).frames);
        estimate.frames += times * std::min(frames, repeating * MostFrames(scenario, job, slots));
    }
}

/** Of @p count ranks, number @p i of those that are counted: spread as evenly as any, in step with nothing. */
Rank
CountedRank(Rank i, Rank count)
{
    constexpr double goldenSection = 0.6180339887498949;
    const auto place = i * goldenSection;
    return count <= COUNTED_RANKS ? i : static_cast<Rank>((place - std::floor(place)) * count);
}

/** Adds what ranks @p first .. @p first + @p count - 1 do. */
void
AddRanks(const Scenario& scenario,
         const TrainingJob& job,
         const ReceivedSample& sample,
         Rank first,
         Rank count,
         RunEstimate& estimate)
{
    const auto counted = std::min(count, COUNTED_RANKS);
    for (Rank i = 0; i < counted; ++i)
    {
        const auto received = sample.Of(first + CountedRank(i, count));
        const double times = static_cast<double>(count) / counted * job.BatchCount();
        estimate.messages += times * received.messages;
        estimate.payloadBytes += times * received.payloadBytes;
        estimate.peers += static_cast<double>(count) / counted * received.peers;
        estimate.frames += times * received.frames;
        AddSums(scenario, job, received.sums, times, estimate);
    }
}

/** What a frame takes in a train, of what it takes alone. */
double
TrainShare(const Scenario& scenario)
{
    const auto frames = std::min(ChooseTrains(scenario).frames, scenario.transport.ackEvery);
    const bool isAlone = frames <= 1 || SumsInNetwork(scenario);
    return isAlone ? 1 : SHARE_OF_A_TRAIN + 1.0 / frames;
}

/** "3.5 h", "40 min" */
std::string
Duration(double seconds)
{
    constexpr double minute = 60;
    constexpr double hour = 3600;
    if (seconds >= 2 * hour)
    {
        return fmt::format("{:.0f} hours", seconds / hour);
    }
    return seconds >= 2 * minute ? fmt::format("{:.0f} minutes", seconds / minute)
                                 : fmt::format("{:.0f} seconds", seconds);
}

/** Whether they may be made: many meet others, and are given up. */
bool
MayGoInTrains(Scenario scenario)
{
    scenario.simulation.framesPerTrain = MOST_TRAIN_FRAMES;
    return ChooseTrains(scenario).frames > 1 && !SumsInNetwork(scenario);
}

/** What makes it smaller, most of all first. @param key that sets the limit */
std::string
WhatHelps(const Scenario& scenario,
          const RunEstimate& estimate,
          const FoldChoice& fold,
          const char* key)
{
    constexpr double fewFrames = 10; // of a message: then it is messages that take time and memory
    const bool isOfMessages = estimate.frames < fewFrames * estimate.messages;
    std::string text = isOfMessages
                           ? "fewer workers or iterations, and larger buckets or chunks, help"
                           : "fewer iterations, a smaller tensor or longer frames "
                             "(cluster.mtu) help";
    if (scenario.simulation.framesPerTrain)
    {
        text += ", as may simulation.frames_per_train = \"auto\"";
    }
    else if (!fold.IsFolded())
    {
        text += "; every worker is simulated by itself, for " + fold.whyNot;
        text += isOfMessages || !MayGoInTrains(scenario)
                    ? ""
                    : "; trains of frames (simulation.frames_per_train = 16) may be several times "
                      "faster, if transfers do not meet";
    }
    return text + "; a larger " + key + " lets it run";
}

/** How much slower @p hosts are than few, as their memory is nowhere near. */
double
Slowness(double hosts, double perDoubling)
{
    return 1 + perDoubling * std::log2(std::max(hosts / HOSTS_IN_CACHE, 1.0));
}

/** How often the lower bound walks through a job's messages. */
double
BoundWalks(const TrainingJob& job)
{
    constexpr double walkedIterations = 3;
    return 1 + std::min<double>(job.iterations, walkedIterations);
}

/** What is not counted in frames and messages: workers compute, and are told of, layer by layer. */
double
LayerSeconds(const TrainingJob& job, const FoldChoice& fold)
{
    const auto layers = static_cast<double>(job.layers.size());
    const double batches = static_cast<double>(job.iterations) * job.accumulation;
    const auto computed = layers * batches * job.WorkersAmong(fold.simulated);
    return computed * SECONDS_PER_COMPUTED_LAYER + layers * SECONDS_PER_LAYER +
           layers * job.workers * SECONDS_PER_LAYER_ROW +
           static_cast<double>(job.chunks.size()) * SECONDS_PER_CHUNK;
}

void
AddSeconds(const Scenario& scenario,
           const TrainingJob& job,
           const FoldChoice& fold,
           RunEstimate& estimate)
{
    const double hosts = fold.simulated;
    const auto links = scenario.cluster.topology == "star" ? 1 : MORE_LINKS;
    const auto slowness = Slowness(hosts, SLOWER_PER_DOUBLING);
    auto& cost = estimate.cost;
    cost.frames = FramesOf(scenario, job);
    cost.perFrame =
        SECONDS_PER_FRAME * TrainShare(scenario) * links * Slowness(hosts, FRAMES_PER_DOUBLING);
    cost.perMessage = SECONDS_PER_MESSAGE * slowness;
    estimate.messageSeconds = estimate.frames * cost.perFrame + estimate.messages * cost.perMessage;
    const auto boundSeconds =
        estimate.messages / job.BatchCount() * BoundWalks(job) * SECONDS_PER_WALKED_MESSAGE;
    estimate.cpuSeconds = estimate.messageSeconds + boundSeconds +
                          estimate.peers * SECONDS_PER_PEER * slowness + hosts * SECONDS_PER_HOST +
                          LayerSeconds(job, fold);
}

void
AddBytes(const Scenario& scenario,
         const TrainingJob& job,
         const FoldChoice& fold,
         RunEstimate& estimate)
{
    const double hosts = fold.simulated;
    const auto layers = static_cast<double>(job.layers.size());
    const auto perMessage = estimate.frames / std::max(estimate.messages, 1.0);
    const auto underWay =
        SumsInNetwork(scenario)
            ? std::min(SLOTS_UNDER_WAY, perMessage) * BYTES_PER_SLOT
            : std::min<double>(scenario.transport.window, perMessage) * BYTES_PER_FRAME;
    estimate.memoryBytes = BYTES_PER_RUN + estimate.messages * BYTES_PER_MESSAGE +
                           estimate.peers * BYTES_PER_PEER + hosts * (BYTES_PER_HOST + underWay) +
                           job.workers * BYTES_PER_WORKER +
                           layers * (BYTES_PER_LAYER + job.workers * BYTES_PER_LAYER_ROW) +
                           static_cast<double>(job.chunks.size()) * BYTES_PER_CHUNK;
}

} // namespace

bool
MayRepeat(const Scenario& scenario, const TrainingJob& job)
{
    const bool sizesAreOfValues = scenario.training.values && job.engines;
    return !scenario.simulation.framesPerTrain && scenario.cluster.lossRate == 0 &&
           !job.HasValues() && !sizesAreOfValues;
}

RunEstimate
EstimateRun(const Scenario& scenario, const TrainingJob& job, const FoldChoice& fold)
{
    RunEstimate estimate;
    const auto workers = job.WorkersAmong(fold.simulated);
    const ReceivedSample sample(
        job, std::min(fold.simulated, 2 * COUNTED_RANKS), FramesOf(scenario, job));
    AddRanks(scenario, job, sample, 0, workers, estimate);
    if (fold.simulated > workers)
    {
        AddRanks(scenario, job, sample, workers, fold.simulated - workers, estimate);
    }
    AddSeconds(scenario, job, fold, estimate);
    AddBytes(scenario, job, fold, estimate);
    return estimate;
}

void
AddValues(const TrainingJob& job, bool replayed, const FoldChoice& fold, RunEstimate& estimate)
{
    if (!job.HasValues())
    {
        return;
    }
    const auto own = static_cast<double>(job.layers.back().range.End()) * job.workers;
    const auto moved = estimate.payloadBytes / static_cast<double>(job.bytesPerElement) *
                       fold.ranks / fold.simulated;
    const auto exchanges = replayed ? 1.0 : static_cast<double>(job.BatchCount());
    const auto replayedMoves = replayed ? moved / job.BatchCount() : moved;
    const bool isCoded = job.engines || job.hostCodec;
    estimate.verifySeconds =
        own * exchanges * SECONDS_PER_OWN_VALUE +
        replayedMoves * SECONDS_PER_REPLAYED_VALUE * (isCoded ? CODED_REPLAY : 1);
    estimate.cpuSeconds += estimate.verifySeconds;
    estimate.memoryBytes += WINDOW_BYTES * job.RankCount();
    if (job.GathersWeights()) // what stands for weights, by the verifier and, where they travel, by their owners
    {
        estimate.memoryBytes += own / job.workers * VALUE_BYTES * (replayed ? 1 : 2);
    }
    if (!replayed)
    {
        const auto perValue = SECONDS_PER_CARRIED_VALUE + (isCoded ? SECONDS_PER_CODED_VALUE : 0);
        const auto carriedSeconds = moved * perValue + own * exchanges * SECONDS_PER_OWN_VALUE;
        estimate.cost.perFrame += carriedSeconds / std::max(estimate.frames, 1.0);
        estimate.messageSeconds += carriedSeconds;
        estimate.cpuSeconds += carriedSeconds;
        estimate.memoryBytes += own * VALUE_BYTES * COPIES_CARRIED;
    }
}

void
RequireFeasible(const Scenario& scenario, const RunEstimate& estimate, const FoldChoice& fold)
{
    constexpr double psPerSecond = 1e12;
    const auto& simulation = scenario.simulation;
    const auto mostSeconds = static_cast<double>(simulation.maxCpuPs) / psPerSecond;
    const auto what =
        fmt::format("this run has about {:.2g} frames in {:.2g} messages to simulate, which takes",
                    estimate.frames,
                    estimate.messages);
    if (estimate.cpuSeconds > mostSeconds)
    {
        throw InputError(
            fmt::format("simulation.max_cpu_time: {} about {}, more than {}; {}",
                        what,
                        Duration(estimate.cpuSeconds),
                        Duration(mostSeconds),
                        WhatHelps(scenario, estimate, fold, "simulation.max_cpu_time")));
    }
    if (estimate.memoryBytes > static_cast<double>(simulation.maxMemoryBytes))
    {
        throw InputError(fmt::format("simulation.max_memory: {} about {}, more than {}; {}",
                                     what,
                                     HumanBytes(static_cast<std::uint64_t>(estimate.memoryBytes)),
                                     HumanBytes(simulation.maxMemoryBytes),
                                     WhatHelps(scenario, estimate, fold, "simulation.max_memory")));
    }
}

} // namespace inca
