/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_WORKER_APPLICATION_H
#define INCA_RANK_WORKER_APPLICATION_H

#include "inca/job/rank-program.h"
#include "inca/rank/rank-application.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/**
 * @ingroup inca
 *
 * A rank that trains: runs the program of its job (TrainingJob::programs), which says what it computes, copies and
 * exchanges, and what waits for what. Tasks of one resource go one after the other, in the order in which they
 * may begin; those of different ones go beside each other.
 *
 * A piece of the program is open from when the one before it says so until all its tasks have ended.
 */
class WorkerApplication : public RankApplication
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    WorkerApplication();

    bool IsFinished() const override;
    std::int64_t BusyUntilPs() const override;
    std::string State() const override;

    /** Signature of TaskBegin: from when to when it takes its resource. */
    using TaskBeginCallback = void (*)(Rank worker,
                                       const ProgramPiece& piece,
                                       const Task& task,
                                       Span span);
    /** Signature of TaskEnd. */
    using TaskEndCallback = void (*)(Rank worker, const ProgramPiece& piece, const Task& task);

  private:
    /** Where a task stands, in one word: many workers have many of them. */
    class TaskState
    {
      public:
        /** Whether an event has happened to it. */
        bool Has(TaskEvent event) const
        {
            return (m_bits & Bit(event)) != 0;
        }

        /** An event has happened to it. */
        void Set(TaskEvent event)
        {
            m_bits |= Bit(event);
        }

        /** It waits for so many events more. */
        void Await(std::int64_t events)
        {
            m_bits += static_cast<std::uint32_t>(events) * ONE_EVENT;
        }

        /** Whether it waits for nothing. */
        bool IsFree() const
        {
            return m_bits < ONE_EVENT;
        }

        /** One of the events has happened. */
        void CountEvent()
        {
            m_bits -= ONE_EVENT;
        }

      private:
        static constexpr std::uint32_t ONE_EVENT{8}; ///< above the bits of what has happened

        /** The place of an event in m_bits. */
        static std::uint32_t Bit(TaskEvent event)
        {
            return 1U << static_cast<std::uint32_t>(event);
        }

        std::uint32_t m_bits{0}; ///< what has happened, and above that how many events it waits for
    };

    /** A piece of the program that has been opened, with tasks that have not ended. */
    struct OpenPiece
    {
        ProgramPiece placed;          ///< what it is, and its place in the training
        std::vector<TaskState> tasks; ///< by id
        std::size_t left{0};          ///< tasks that have not ended
    };

    /** A task of a piece, pieces being numbered as they are opened, modulo 2^32: few are open at once. */
    struct TaskRef
    {
        std::uint32_t piece; ///< its number
        TaskId task;         ///< its id in the piece
    };

    void DoStart() override; ///< opens the first piece
    void DoExchanged(std::uint32_t batch,
                     std::uint32_t chunk) override; ///< ends the task that waits for it
    void DoShardSummed(std::uint32_t batch, std::uint32_t chunk) override;

    /** The program that it runs. */
    const RankProgram& Program() const
    {
        return GetJob().ProgramOf(GetRank());
    }

    void OpenNext(); ///< opens the next piece
    void BeginThoseThatMay(std::uint32_t number);
    void Begin(TaskRef ref); ///< a task waits for nothing any more
    void Tell(TaskRef ref, TaskEvent event);
    void End(TaskRef ref);                 ///< a task has ended
    OpenPiece* Find(std::uint32_t number); ///< an open piece
    bool HasHappened(const TaskWait& wait, std::uint32_t number);
    TaskRef ExchangeTask(std::uint32_t batch, std::uint32_t chunk);
    RankResource& ResourceOf(const Task& task); ///< which one a task occupies
    std::int64_t DurationPs(const ProgramPiece& placed, const Task& task) const; ///< of a task

    ns3::DataRate m_copyRate;      ///< attribute
    RankResource m_links;          ///< between the worker's GPUs
    RankResource m_copyEngine;     ///< between GPU and host
    std::vector<OpenPiece> m_open; ///< pieces with tasks that have not ended
    std::uint32_t m_first{0};      ///< number of the first of these
    std::uint64_t m_opened{0};     ///< pieces, so far
    ns3::TracedCallback<Rank, const ProgramPiece&, const Task&, Span>
        m_taskBeginTrace; ///< trace source TaskBegin
    ns3::TracedCallback<Rank, const ProgramPiece&, const Task&>
        m_taskEndTrace; ///< trace source TaskEnd
};

} // namespace inca

#endif // INCA_RANK_WORKER_APPLICATION_H
