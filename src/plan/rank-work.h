/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_RANK_WORK_H
#define INCA_PLAN_RANK_WORK_H

#include "exchange/network-sum.h"
#include "job/training-job.h"

#include <cstdint>

namespace inca
{

/** What one rank moves in one direction during all exchanges of an iteration. (bytes of payload) */
struct Flow
{
    std::uint64_t elements{0};
    std::uint64_t messages{0};
    double plainBytes{0};  ///< as hosts move it; what a host has encoded counts as encoded
    double markedBytes{0}; ///< of them, through an engine
    double wireBytes{0};   ///< as it travels
};

/** What one rank does during all exchanges of an iteration. */
struct RankWork
{
    Flow sent;
    Flow received;
    std::uint64_t addedBytes{0};
    std::uint64_t encodedBytes{0}; ///< plain bytes, by a codec on the host
    std::uint64_t decodedBytes{0};
    /** Coding of chunks, before, between and after their rounds; only what nothing can hide. (ps) */
    std::int64_t codedPs{0};
    NetworkSums networkSums; ///< of all exchanges of an iteration
};

/**
 * Walks through all steps of @p rank in one exchange of each size. When values travel, what a codec
 * makes of them is not known beforehand, and counts as nothing (unless it makes the same of every
 * value, as truncate and cast do).
 */
RankWork WorkOf(const TrainingJob& job, Rank rank);

/** The same of one round of each exchange, without coding. */
RankWork WorkOfRound(const TrainingJob& job, Rank rank, std::uint32_t round);

} // namespace inca

#endif // INCA_PLAN_RANK_WORK_H
