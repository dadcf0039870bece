/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/run-estimate.h"

#include "base/wire-format.h"
#include "exchange/block-packets.h"
#include "plan/counted-ranks.h"
#include "plan/network-speed.h"
#include "plan/received-sample.h"
#include "scenario/specs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace inca
{

namespace
{

/**
 * What INCA takes on one core of a server of 2023, measured with inca-bench-estimates (docs: model.md, "Before it
 * starts"). @{
 */
constexpr double SECONDS_PER_FRAME{0.42e-6}; ///< through a switch, with its acknowledgement
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
/** @} */

/** Windows of a message, or of a sum, in which the network comes to repeat itself; mostly 2 to 10. */
constexpr double WINDOWS_BEFORE_STEADY{6};

/** Of all frames that come to a port without room for one of each sender, measured with 1.5 to 15 times as many senders. */
constexpr double DROPPED_IN_CROWDS{0.1};

/** A packet of each worker's shard, measured with 1,024 to 65,536 workers, and with 32 to 128. @{ */
constexpr double TURNS_BEFORE_STEADY{10};
constexpr double TURNS_BEFORE_STEADY_IN_TREES{200};
/** @} */

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

/** Of shards, whose packets are of all workers in turn: it is turns that repeat themselves. */
double
FramesOfTurns(const Scenario& scenario, const TrainingJob& job, const NetworkSumSize& sum)
{
    if (sum.halves == Halves::BOTH)
    {
        return 0;
    }
    return job.workers * (scenario.cluster.topology == "star" ? TURNS_BEFORE_STEADY
                                                              : TURNS_BEFORE_STEADY_IN_TREES);
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
        repeating += static_cast<double>(count) *
                     (MostFrames(scenario, job, slots) + FramesOfTurns(scenario, job, sum));
        estimate.messages += times * static_cast<double>(count);
        const auto bytes = times * static_cast<double>(words * count * VALUE_BYTES);
        estimate.payloadBytes += bytes;
        estimate.summedBytes += bytes;
    }
    if (!sums.empty())
    {
        const auto frames = static_cast<double>(MakeScheme(scenario)->TrafficOf(sums).frames);
        estimate.frames += times * std::min(frames, repeating);
    }
}

/** Frames that a rank gets, and those that are dropped on their way to it. */
struct ArrivingFrames
{
    double frames{0};
    double dropped{0}; ///< of the first windows, in the whole run
    bool isCrowded{
        false}; ///< its port has no room for a frame of each sender: frames are dropped all the time
};

/** Where the first windows of all who send to @p received's rank do not fit its port, they are dropped, once. */
ArrivingFrames
FramesTo(const Scenario& scenario, const Received& received)
{
    if (received.messages == 0)
    {
        return {};
    }
    const double window = scenario.transport.window;
    const auto room = std::max(RoomFrames(scenario), window);
    const auto payload = static_cast<double>(MaxPayloadBytes(scenario.cluster.mtu));
    const auto all = received.payloadBytes / payload + received.messages;
    const auto first = received.peers * std::min(window, all / received.messages);
    if (first <= room)
    {
        return {received.frames, 0, false};
    }
    const auto atLeast = scenario.transport.credits ? received.peers : first;
    const bool isCrowded = atLeast > room;
    return {isCrowded ? all * (1 + DROPPED_IN_CROWDS) : received.frames, first - room, isCrowded};
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
        estimate.addedBytes += times * received.addedBytes;
        estimate.values += times * received.values;
        estimate.addedValues += times * received.addedValues;
        estimate.peers += static_cast<double>(count) / counted * received.peers;
        const auto arriving = FramesTo(scenario, received);
        estimate.frames +=
            times * arriving.frames + static_cast<double>(count) / counted * arriving.dropped;
        estimate.crowd = std::max(estimate.crowd, arriving.isCrowded ? received.peers : 0);
        AddSums(scenario, job, received.sums, times, estimate);
    }
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
    cost.perFrame = SECONDS_PER_FRAME * links * Slowness(hosts, FRAMES_PER_DOUBLING);
    cost.perMessage = SECONDS_PER_MESSAGE * slowness;
    estimate.work.stored = estimate.frames * cost.perFrame + estimate.messages * cost.perMessage;
    estimate.boundSeconds =
        estimate.messages / job.BatchCount() * BoundWalks(job) * SECONDS_PER_WALKED_MESSAGE;
    estimate.cpuSeconds = estimate.work.stored + estimate.boundSeconds +
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

double
RoomFrames(const Scenario& scenario)
{
    const auto payload = MaxPayloadBytes(scenario.cluster.mtu);
    return static_cast<double>(scenario.cluster.bufferBytes) /
           static_cast<double>(FrameWireBytes(INCA_HEADER_BYTES + payload));
}

bool
MayRepeat(const Scenario& scenario, const TrainingJob& job)
{
    const bool sizesAreOfValues = scenario.training.values && job.engines;
    return !IsPacketLevel(scenario) && scenario.cluster.lossRate == 0 && !job.HasValues() &&
           !sizesAreOfValues;
}

RunEstimate
EstimateRun(const Scenario& scenario, const TrainingJob& job, const FoldChoice& fold)
{
    RunEstimate estimate;
    estimate.chunks = static_cast<double>(job.chunks.size());
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

} // namespace inca
