/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_FUSION_CYCLES_H
#define INCA_JOB_FUSION_CYCLES_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace inca
{

/**
 * The coordinator of workers that fuse gradients in cycles, as Horovod's background thread does (RunLoopOnce in its
 * operations.cc).
 *
 * A cycle begins a certain time after the one before, or when all that this one has started has ended on all workers, if
 * that is later. First comes a round, in which workers tell the coordinator which gradients they have, and learn
 * which ones all have. What all had when the cycle began is exchanged in it, one bucket after the other.
 * Cycles that find nothing exchange nothing.
 *
 * Horovod's thread and a training know nothing of each other's times. Here cycles are counted from when the last worker begins
 * its backward pass, so iterations that take the same times have the same cycles.
 */
class FusionCycles
{
  public:
    /** Takes when a bucket starts. */
    using Starter = std::function<void(std::int64_t startPs)>;

    /** @param cyclePs from one to the next, above 0 @param roundPs of the coordinator, in which no other cycle begins */
    FusionCycles(std::uint32_t workers, std::int64_t cyclePs, std::int64_t roundPs)
        : m_workers(workers),
          m_cyclePs(std::max(cyclePs, roundPs)),
          m_roundPs(roundPs)
    {
    }

    /** A worker begins a backward pass, now or later. */
    void BeginPass(std::int64_t beginPs)
    {
        m_nextPs = std::max(m_nextPs, beginPs);
    }

    /**
     * A worker has the gradients of a bucket.
     * @param exchange number of the bucket's first exchange; those before it are of earlier buckets
     * @param starter is called when the start is known: all workers have the gradients, and have ended what is before
     */
    void AwaitStart(std::uint32_t exchange, std::int64_t nowPs, Starter starter);

    /** A worker has ended an exchange. */
    void End(std::int64_t nowPs);

    /** When the latest cycle began that starts a bucket. (ps) */
    std::int64_t BeginPs() const
    {
        return m_beginPs;
    }

  private:
    /** Workers that have the gradients of a bucket. */
    struct Waiting
    {
        std::int64_t readyPs{0}; ///< when the latest of them got these
        std::vector<Starter> starters;
    };

    void StartNext(std::int64_t nowPs);

    std::uint32_t m_workers;
    std::int64_t m_cyclePs;
    std::int64_t m_roundPs;
    std::int64_t m_beginPs{-1};                 ///< of the latest cycle that starts a bucket
    std::int64_t m_nextPs{0};                   ///< when the next cycle begins at the earliest
    std::uint64_t m_ends{0};                    ///< of exchanges, on all workers
    std::map<std::uint32_t, Waiting> m_waiting; ///< by first exchange
};

} // namespace inca

#endif // INCA_JOB_FUSION_CYCLES_H
