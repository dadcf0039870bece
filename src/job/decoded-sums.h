/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_DECODED_SUMS_H
#define INCA_JOB_DECODED_SUMS_H

#include "base/shared-bytes.h"
#include "job/training-job.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace inca
{

/** What a worker has decoded, and of what. */
struct DecodedSum
{
    std::shared_ptr<const std::vector<RoundResult>> rounds;
    SharedBytes values; ///< of the whole chunk
    ChunkReport report;
};

/**
 * Decodes for the workers of a job. Of an exchange, who brings the words of the first one, bit by bit, gets the same
 * memory; others, and who decodes a shard, one of their own. The first one's are forgotten when all workers have come.
 */
class DecodedSums
{
  public:
    explicit DecodedSums(Rank workers)
        : m_workers(workers)
    {
    }

    /** To be called once by each worker. @param results of all coded rounds of @p chunk */
    DecodedSum Decode(std::uint32_t exchange,
                      Rank worker,
                      const JobChunk& chunk,
                      std::vector<RoundResult> results);

  private:
    struct First
    {
        DecodedSum sum;
        Rank workers{0}; ///< that have come
    };

    Rank m_workers;
    std::map<std::uint32_t, First> m_first; ///< by exchange
};

} // namespace inca

#endif // INCA_JOB_DECODED_SUMS_H
