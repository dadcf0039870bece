/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_WORKER_POOL_H
#define INCA_SWEEP_WORKER_POOL_H

#include "inca/base/errors.h"

#include <cstddef>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** Work was ended because it took longer than it may. */
class TimeoutError : public RunError
{
  public:
    using RunError::RunError;
};

/** One piece of work that has ended. */
struct EndedWork
{
    std::size_t index{0}; ///< as it was started with
    std::string message;  ///< how it ended, see DecodeMessage
};

/**
 * Reads the message of work that has ended.
 * @return the text that the work has returned
 * @throws InputError, RunError, Interrupted or std::bad_alloc as the work has thrown it, a UnitError as InputError;
 *         TimeoutError if it took too long; RunError if its process died; InvariantError for all else
 */
std::string DecodeMessage(const std::string& message);

/**
 * Processes that are forked from this one when they are needed, and end with the pool. A worker does one piece of work after
 * the other; it is replaced when it dies, fails or takes too long.
 */
class WorkerPool
{
  public:
    /** What workers do; they have the memory of this process as it was when they were forked. */
    using Work = std::function<std::string(const std::string& request)>;

    /** @param timeLimit of one piece of work, in seconds of the wall clock */
    explicit WorkerPool(Work work, std::optional<double> timeLimit = {});
    ~WorkerPool();

    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /** Forks an idle worker now. @throws RunError if there is no process to be had */
    void AddWorker();

    /** Gives work to an idle worker, or to a new one. @throws RunError if there is no process to be had */
    void Start(std::size_t index, const std::string& request);

    /** How many pieces of work have started and not ended. */
    std::size_t Running() const;

    /** Waits until something has happened, at most @p mostMs. @throws Interrupted */
    std::vector<EndedWork> Wait(int mostMs = 200);

  private:
    class Worker;

    Work m_work;
    std::optional<double> m_timeLimit;
    std::list<Worker> m_workers;
};

} // namespace inca

#endif // INCA_SWEEP_WORKER_POOL_H
