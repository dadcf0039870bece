/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_WEIGHT_SHARDS_H
#define INCA_JOB_WEIGHT_SHARDS_H

#include "job/rank-values.h"
#include "job/training-job.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace inca
{

/**
 * The weights that a worker keeps where each keeps a shard of them. INCA knows no weights: what stands for those that
 * an update has made is the sum of which it made them.
 */
class WeightShards
{
  public:
    /** Keeps what was updated (RankValues::Updated), in place of what was kept of that part of the model before. */
    void Keep(const JobChunk& chunk, const RankValues& values);

    /** @return what is kept of a chunk's part of the model, counted from its first value; empty: nothing yet */
    RankValues::OwnWords Of(const JobChunk& chunk) const;

  private:
    using Shard = std::vector<std::pair<ElementRange, std::vector<Word>>>;

    std::map<std::uint64_t, std::shared_ptr<const Shard>> m_shards; ///< by a chunk's first value
};

} // namespace inca

#endif // INCA_JOB_WEIGHT_SHARDS_H
