/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_RECORDER_H
#define INCA_EXPERIMENT_RECORDER_H

#include "inca/job/training-job.h"
#include "inca/rank/rank-application.h"
#include "inca/rank/worker-application.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace inca
{

/** Payload on a way: as it was, and as it travelled. (bytes) */
struct PayloadCount
{
    std::uint64_t plainBytes{0};
    std::uint64_t wireBytes{0};

    void Add(std::uint64_t plain, std::uint64_t wire)
    {
        plainBytes += plain;
        wireBytes += wire;
    }
};

/** What one worker saw of one chunk in the last iteration. */
struct ChunkSeen
{
    std::int64_t startPs{0};
    std::int64_t endPs{0};
    PayloadCount received;
};

/** What one worker saw of one layer in the last iteration. */
struct LayerSeen
{
    std::int64_t readyPs{0};
    std::int64_t updatedPs{0};
    std::int64_t weightsWaitPs{0}; ///< of all its passes, until its weights were gathered
};

/** When the exchanges of gradients of one micro-batch went on, over all workers, and within their machines. */
struct ExchangeWindow
{
    std::int64_t firstStartPs{std::numeric_limits<std::int64_t>::max()};
    std::int64_t lastEndPs{0};
};

/** Listens to the trace sources of a job's ranks, and keeps what a run record is made of. */
class Recorder
{
  public:
    /**
     * @param times by simulated rank: for how many it stands; the first ones are workers
     * @param warmup iterations before those that are measured
     */
    Recorder(std::shared_ptr<const TrainingJob> job, std::vector<Rank> times, std::uint32_t warmup);

    void Listen(const ns3::Ptr<RankApplication>& rank);

    /** Called when the last worker has ended its last update of an iteration; after the run's last one frames may drain. */
    std::function<void(std::uint32_t iteration)> atIterationEnd;

    /** When the last worker ended its last update of each iteration. (ps) */
    std::vector<std::int64_t> iterationEndPs;
    std::vector<ExchangeWindow> exchanges; ///< by micro-batch that is exchanged
    // -- by worker: those that are simulated
    std::vector<std::int64_t> lastUpdatePs;  ///< in the whole run so far
    std::vector<PathEnd> lastUpdatePaths;    ///< to that
    std::vector<std::int64_t> backwardEndPs; ///< last iteration
    /** Free to begin the first measured iteration, and the one after the last. */
    std::vector<Span> measured;
    std::vector<PathEnd> measuredPaths;         ///< to its end
    std::vector<std::vector<LayerSeen>> layers; ///< by layer, last iteration
    std::vector<std::vector<ChunkSeen>> chunks; ///< by chunk, last iteration

    // -- of all workers, whether simulated or not
    std::map<std::uint32_t, PayloadCount> steps; ///< gradients, by the receiving rank's step
    std::uint64_t gradientWireBytes{0};          ///< of all gradient messages of the run
    std::uint64_t progress{0};                   ///< grows with everything that happens
    std::uint64_t messages{0};                   ///< whole ones that simulated ranks got

    /** Of all messages of the run: bytes of the job's own values, without the zeros that pad blocks. */
    std::uint64_t OwnPlainBytes() const;

    /** Of all gradient messages of the run: what went over the wire, before a codec. (bytes) */
    std::uint64_t GradientPlainBytes() const;

  private:
    /** Words that one round of a chunk has moved in the run. */
    struct MovedWords
    {
        std::uint64_t ofGradients{0};
        std::uint64_t ofWeights{0};
    };

    /** Of a worker's next pass, for weights that are gathered. */
    struct WeightsWait
    {
        std::uint32_t layer{0};
        std::int64_t sincePs{-1}; ///< -1: only for other things so far
        bool hasWaited{false};    ///< they have come since
    };

    void TaskBegin(Rank worker, const ProgramPiece& piece, const Task& task, Span span);
    void TaskEnd(Rank worker, const ProgramPiece& piece, const Task& task);
    void BackwardEnd(Rank worker, std::uint32_t iteration, std::uint32_t layer);
    void PassBegin(Rank worker, std::uint32_t iteration, std::uint32_t layer);
    void LayerUpdated(Rank worker, std::uint32_t iteration, std::uint32_t layer);
    void IterationBegin(Rank worker, std::uint32_t iteration);
    void ExchangeStart(Rank rank, std::uint32_t exchange);
    void ExchangeEnd(Rank rank, std::uint32_t exchange);
    ChunkSeen* LastOf(Rank rank, std::uint32_t exchange);
    ExchangeWindow* WindowOf(Rank rank, std::uint32_t exchange);
    void WidenWindow(Rank rank, std::uint32_t exchange, Span span);
    void MessageSeen(Rank rank, std::uint32_t exchange, const StepMessage& message);
    bool IsLast(std::uint32_t iteration) const;
    std::uint64_t OwnBytes(const JobChunk& chunk,
                           std::size_t round,
                           std::uint64_t words,
                           const GradientType& type) const;

    std::shared_ptr<const TrainingJob> m_job;
    const JobClock* m_clock{nullptr}; ///< of one of the ranks; all show the same
    std::uint32_t m_warmup;
    Rank m_workers;            ///< simulated
    std::vector<Rank> m_times; ///< for how many each rank stands
    std::map<std::pair<std::size_t, std::size_t>, MovedWords> m_moved; ///< by chunk and round
    std::vector<std::uint64_t> m_updatesLeft; ///< of layers, of all simulated workers, by iteration
    std::vector<WeightsWait> m_weightsWaits;  ///< by worker
};

} // namespace inca

#endif // INCA_EXPERIMENT_RECORDER_H
