/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPORT_EXPORTED_RANK_H
#define INCA_EXPORT_EXPORTED_RANK_H

#include "job/training-job.h"
#include "scenario/scenario.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** One operation of a rank, as others' tools know them. */
struct ExportedOperation
{
    enum class Kind : std::uint8_t
    {
        COMPUTE,
        SEND,
        RECEIVE,
        ALL_REDUCE, ///< of all workers, made as the other tool likes
    };

    Kind kind{Kind::COMPUTE};
    std::string name;
    std::int64_t ps{0};             ///< of COMPUTE
    std::uint64_t bytes{0};         ///< of the others
    Rank peer{0};                   ///< of SEND and RECEIVE
    std::uint32_t tag{0};           ///< the same: the k-th message of one rank to another has tag k
    std::vector<std::size_t> needs; ///< operations before it that must be done
};

/**
 * One iteration of a rank: what a worker computes, bucket by bucket, and each step of each exchange,
 * begun when the one before it in its strand is done, its bucket is ready, and no more exchanges than the job's
 * `concurrent` go on. Messages have plain bytes; those without any are left out, at both ends. Sums
 * take what host.sum_rate says. Copies, latencies and networks are the other tool's to know.
 * @param collectives an exchange is one ALL_REDUCE, and not its steps
 * @throws InputError if gradients are compressed, or added in the network, which these cannot say
 */
std::vector<ExportedOperation> ExportRank(const Scenario& scenario,
                                          const TrainingJob& job,
                                          Rank rank,
                                          bool collectives);

/** @throws InputError as ExportRank does, or if there are more than 20 million operations */
void RequireExportable(const Scenario& scenario, const TrainingJob& job, bool collectives);

} // namespace inca

#endif // INCA_EXPORT_EXPORTED_RANK_H
