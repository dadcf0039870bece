/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_HOMOMORPHIC_LIMITS_H
#define INCA_VALIDATION_HOMOMORPHIC_LIMITS_H

#include "record/run-record.h"

#include <cstdint>

namespace inca
{

/**
 * Where the time of a compressed iteration goes, on the worker that ends last; the largest part is
 * what limits it. Identity: the parts add up to the run's shares. (ps)
 */
struct HomomorphicParts
{
    std::int64_t computePs{0}; ///< forward, backward and update
    std::int64_t roundsPs{0};  ///< encoding, peeling and its rounds' checks: the codec
    std::int64_t indexPs{0};   ///< communication that is not hidden, of the index
    std::int64_t densityPs{0}; ///< the same of counters, tails and values that are not coded
    std::int64_t hostsPs{0};   ///< copies, GPUs of one worker among each other, sums of hosts

    std::int64_t TotalPs() const;
};

/**
 * @param indexShare of the bytes that are exchanged, 0..1: communication is divided by bytes,
 *                   whatever of it was hidden
 */
HomomorphicParts PartsOf(const TimeShares& shares, double indexShare);

/** The parts that an exchange alone has: rounds, index and density. */
HomomorphicParts WithinExchange(const HomomorphicParts& parts);

/**
 * @return "compute", "rounds", "index", "density" or "hosts", whichever is largest; of equal ones
 *         the first
 */
const char* LargestPart(const HomomorphicParts& parts);

} // namespace inca

#endif // INCA_VALIDATION_HOMOMORPHIC_LIMITS_H
