/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_EXCHANGE_OUTCOME_H
#define INCA_JOB_EXCHANGE_OUTCOME_H

#include "job/chunk-coding.h"
#include "job/rank-values.h"

#include <memory>
#include <vector>

namespace inca
{

/** What a rank has at the end of an exchange. */
struct ExchangeOutcome
{
    std::unique_ptr<RankValues> values; ///< of the chunk; null when only sizes travel
    ChunkReport report;                 ///< of a worker's decoding
    std::shared_ptr<const std::vector<RoundResult>>
        rounds; ///< what it has decoded; null if it has not
};

} // namespace inca

#endif // INCA_JOB_EXCHANGE_OUTCOME_H
