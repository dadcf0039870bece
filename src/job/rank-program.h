/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_RANK_PROGRAM_H
#define INCA_JOB_RANK_PROGRAM_H

#include "inca/job/timeline.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** The parts of a rank that do one thing at a time, first come first served. */
enum class Resource : std::uint8_t
{
    GPU,         ///< passes, and updates
    GPU_LINKS,   ///< between the GPUs of one worker
    PROTOCOL,    ///< the start of an exchange, in turn with what these links do
    COPY_ENGINE, ///< between the memories of GPU and host
    CODEC,       ///< threads of the host that code
    PROCESSOR,   ///< of the host: updates of an offloaded optimizer
};

/** A task of a piece, by its number there. */
using TaskId = std::uint32_t;

/** What happens to a task. */
enum class TaskEvent : std::uint8_t
{
    BEGIN,
    SUMMED, ///< An exchange has this rank's sums, which it may have to update before it goes on.
    END,
};

/** A task waits for an event of another one, of its own piece or of an earlier one. */
struct TaskWait
{
    TaskWait(TaskId taskId, TaskEvent ofTask = TaskEvent::END, std::uint32_t pieces = 0)
        : task(taskId),
          event(ofTask),
          piecesBefore(pieces)
    {
    }

    TaskId task;
    TaskEvent event;
    std::uint32_t piecesBefore;
};

/** A task begins when all these have happened; none: as soon as its piece is opened. */
using TaskWaits = std::vector<TaskWait>;

/** What a task means to those who watch a training; whoever runs it does not ask. */
enum class TaskMark : std::uint8_t
{
    NONE,
    WEIGHTS_AWAITED, ///< From now on nothing but weights that are gathered keeps a pass of the layer from beginning.
    WEIGHTS_HERE,  ///< They are here.
    LAYER_UPDATED, ///< The layer has the weights of the next iteration.
    ITERATION_END, ///< This worker may begin the next iteration.
};

/** What one rank does without a pause. Durations are asked for when it begins. */
struct Task
{
    enum class Kind : std::uint8_t
    {
        POINT, ///< takes no time: several tasks come together, or something is said to those who watch
        COMPUTE, ///< a pass or an update of a layer, as long as TrainingJob::computePs says
        COPY, ///< of a chunk's values between GPU and host; where that costs nothing, may end at once
        OCCUPY,   ///< takes durationPs
        EXCHANGE, ///< takes part in the exchange of a chunk
        CYCLE,    ///< waits for the cycle in which a bucket starts, whose first chunk it names
    };

    Kind kind{Kind::POINT};
    Resource resource{Resource::GPU};
    Activity activity{Activity::FORWARD}; ///< on the rank's timeline
    TaskMark mark{TaskMark::NONE};
    bool mayEndAtOnce{false};   ///< of COPY: needs no event of its own where it takes no time
    std::uint32_t subject{0};   ///< the layer, or the chunk
    std::int64_t durationPs{0}; ///< of OCCUPY
};

/** For people: "the forward pass of layer 3". */
std::string Describe(const Task& task);

/**
 * Tasks, and which of them wait for which: a part of a program, such as a micro-batch. It has no times, so that
 * all ranks that do the same share it. Tasks that one event sets free begin in the order of their ids.
 */
class TaskGraph
{
  public:
    /** A task that an event sets free. */
    struct Follower
    {
        TaskId later;
        TaskEvent event;
    };

    /** Each adds a task. @return its id: they count from 0 @{ */
    TaskId Forward(std::uint32_t layer, const TaskWaits& waits);
    TaskId Backward(std::uint32_t layer, const TaskWaits& waits);
    TaskId Update(std::uint32_t layer,
                  const TaskWaits& waits,
                  Resource resource = Resource::GPU,
                  TaskMark mark = TaskMark::LAYER_UPDATED);
    TaskId Copy(std::uint32_t chunk, const TaskWaits& waits, bool mayEndAtOnce = false);
    TaskId Occupy(Resource resource,
                  Activity activity,
                  std::int64_t durationPs,
                  std::uint32_t chunk,
                  const TaskWaits& waits);
    TaskId Exchange(std::uint32_t chunk,
                    const TaskWaits& waits); ///< @throws InvariantError at a chunk's second one
    TaskId Cycle(std::uint32_t chunk, const TaskWaits& waits);
    TaskId Point(const TaskWaits& waits, TaskMark mark = TaskMark::NONE, std::uint32_t layer = 0);
    /** @} */

    /** @p later waits for one thing more; for one of a piece before, whose ids were not known. */
    void Await(TaskId later, TaskWait wait);

    /** The piece that follows is opened when @p task has ended; without a call, when all tasks of this one have. */
    void OpenNextAfter(TaskId task)
    {
        m_opensNext = task;
    }

    std::optional<TaskId> OpensNext() const
    {
        return m_opensNext;
    }

    const std::vector<Task>& Tasks() const
    {
        return m_tasks;
    }

    /** What @p task waits for. */
    const TaskWaits& WaitsOf(TaskId task) const
    {
        return m_waits[task];
    }

    /** The tasks of this piece that wait for @p task of the piece that is @p piecesBefore before it. */
    const std::vector<Follower>& FollowersOf(TaskId task, std::uint32_t piecesBefore) const;

    /** @return the exchange of @p chunk; empty if it has none */
    std::optional<TaskId> ExchangeOf(std::uint32_t chunk) const;

  private:
    TaskId Add(Task task, const TaskWaits& waits);

    std::vector<Task> m_tasks;
    std::vector<TaskWaits> m_waits;                              ///< by task
    std::vector<std::vector<std::vector<Follower>>> m_followers; ///< by pieces before, by task
    std::vector<std::optional<TaskId>> m_exchanges;              ///< by chunk
    std::optional<TaskId> m_opensNext;
};

/** A piece, and where in the training it stands. */
struct ProgramPiece
{
    std::shared_ptr<const TaskGraph> graph;
    std::uint32_t iteration{0};
    std::uint32_t microBatch{0};
    /** Of its exchanges: pieces before it that exchange the same chunks (TrainingJob::BatchOf). */
    std::uint32_t batch{0};
};

/**
 * What a worker does in a run: pieces, one after the other, perhaps overlapping. It is asked for a piece when that is
 * opened, so that a long training takes no more memory than a short one. Workers of a job share it.
 */
class RankProgram
{
  public:
    virtual ~RankProgram() = default;

    virtual std::uint64_t PieceCount() const = 0;            ///< at least 1
    virtual ProgramPiece At(std::uint64_t number) const = 0; ///< @p number < PieceCount()
};

} // namespace inca

#endif // INCA_JOB_RANK_PROGRAM_H
