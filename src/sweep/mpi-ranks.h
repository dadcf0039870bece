/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_MPI_RANKS_H
#define INCA_SWEEP_MPI_RANKS_H

#include "inca/sweep/run-slots.h"

#include <cstdlib>
#include <memory>
#include <vector>

namespace inca
{

/** @return whether a launcher of MPI has started this process */
inline bool
IsMpiRank()
{
    return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr ||
           std::getenv("PMIX_RANK") != nullptr;
}

/**
 * The ranks that mpirun or srun has started this process with: rank 0 hands out points and alone writes, the others
 * run one at a time each, in processes that know nothing of MPI. Without them, or in a build without MPI, there is
 * rank 0 alone.
 */
class MpiRanks
{
  public:
    explicit MpiRanks(const RunLimits& limits);

    /** Rank 0 ends the others. */
    ~MpiRanks();

    MpiRanks(const MpiRanks&) = delete;
    MpiRanks& operator=(const MpiRanks&) = delete;

    int Number() const
    {
        return m_number;
    }

    int Count() const
    {
        return m_count;
    }

    /** Of ranks but 0: runs what rank 0 hands out, until that ends it. */
    void Serve();

    /** Of rank 0: the runs of all others, or, if it is alone, of this machine. @param points must outlive them */
    std::unique_ptr<RunSlots> Slots(const std::vector<SweepPoint>& points);

    /** Ends all ranks at once, the job with this exit code; returns where there is no MPI. */
    void Abort(int exitCode);

  private:
    RunLimits m_limits;
    std::unique_ptr<WorkerPool>
        m_runner; ///< does what this rank is handed out; was forked before MPI began
    int m_number{0};
    int m_count{1};
};

} // namespace inca

#endif // INCA_SWEEP_MPI_RANKS_H
