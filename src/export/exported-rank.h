/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPORT_EXPORTED_RANK_H
#define INCA_EXPORT_EXPORTED_RANK_H

#include "inca/exchange/step-plan.h"
#include "inca/job/training-job.h"
#include "inca/plan/resolved.h"

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
        // -- of all workers, made as the other tool likes
        ALL_REDUCE,
        REDUCE_SCATTER,
        ALL_GATHER,
    };

    Kind kind{Kind::COMPUTE};
    bool onHost{false}; ///< COMPUTE by the CPU, beside the GPU's work: sums and codecs
    std::string name;
    std::int64_t ps{0};             ///< of COMPUTE
    std::uint64_t bytes{0};         ///< of a message; of the last three, what each worker brings
    std::uint64_t plainBytes{0};    ///< of the last three: of gradients, before they are compressed
    Rank peer{0};                   ///< of SEND and RECEIVE
    std::uint32_t tag{0};           ///< the same: the k-th message of one rank to another has tag k
    std::vector<std::size_t> needs; ///< operations before it that must be done
};

/**
 * One iteration of a rank: what a worker computes, bucket by bucket, and each step of each exchange,
 * begun when the one before it in its channel is done, its bucket is ready, and no more exchanges than the job's
 * `concurrent` go on. Where weights are gathered, passes wait for them, as a run's do.
 *
 * Messages have the bytes that travel: of compressed gradients what the trace's statistics make of them; those of
 * nothing are left out, at both ends. Sums take what host.sum_rate says, a host's codec what its rates say, sketches
 * what they take to make and to decode. Copies, latencies, engines and networks are the other tool's to know.
 * @param collectives an exchange is one ALL_REDUCE (of sketches two), or a REDUCE_SCATTER and an ALL_GATHER, and not
 *        its steps
 * @throws InputError if gradients are added in the network, which steps cannot say
 */
std::vector<ExportedOperation> ExportRank(const Resolved& resolved,
                                          const TrainingJob& job,
                                          Rank rank,
                                          bool collectives);

/**
 * @param mostBytes of all ranks' operations, as text
 * @throws InputError as ExportRank does, if sizes are those of values, or if it is sure that operations take more than
 *         @p mostBytes
 */
void RequireExportable(const Resolved& resolved,
                       const TrainingJob& job,
                       bool collectives,
                       std::uint64_t mostBytes);

/** @return why what is larger is not written, and what helps */
std::string TooLargeToExport(std::uint64_t mostBytes);

} // namespace inca

#endif // INCA_EXPORT_EXPORTED_RANK_H
