/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_SHARDED_CODING_H
#define INCA_JOB_SHARDED_CODING_H

#include "inca/exchange/shards.h"
#include "inca/job/chunk-coding.h"

#include <memory>
#include <vector>

namespace inca
{

/** A chunk that is cut into shards, each of which is coded by itself, so that its owner can decode it alone. */
struct ShardedCodingSpec
{
    Shards values;                                          ///< of the chunk, and zeros behind it
    std::vector<std::shared_ptr<const ChunkCoding>> coding; ///< by shard, of its values
    /** By round: where a shard's words stand among all; as many as they are, or more, which stay zeros. */
    std::vector<Shards> words;
};

/**
 * Every worker encodes all shards; each decodes its own, of which alone it needs to have the words. All take as
 * long to decode as the one that takes longest.
 */
std::shared_ptr<const ChunkCoding> MakeShardedCoding(ShardedCodingSpec spec);

} // namespace inca

#endif // INCA_JOB_SHARDED_CODING_H
