/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_DOUBLE_TREE_H
#define INCA_EXCHANGE_DOUBLE_TREE_H

#include "exchange/exchange-spec.h"

#include <cstdint>
#include <memory>

namespace inca
{

/**
 * One of the N >= 2 places of a binary tree whose odd places are leaves. Place 0 is the root and has
 * one child, the largest power of two below N. Any other place p, with b its lowest set bit, hangs below
 * p + b, or below p - b if that bit is set in p, too, or p + b is no place.
 */
struct TreePlace
{
    Rank parent{0}; ///< of the root: itself
    Rank depth{0};  ///< of the root: 0
    Rank children[2]{};
    std::uint32_t childCount{0};
};

/** @param place < @p places */
TreePlace TreePlaceOf(Rank place, Rank places);

/**
 * The two-tree all-reduce (Sanders, Speck, Traeff: "Two-tree algorithms for full bandwidth broadcast,
 * reduction and scan", Parallel Computing 35, 2009), as NCCL has it: each half of the elements is added
 * up a binary tree of all workers, and its sum comes down the same tree, in chunks of
 * spec.treeChunkElements that follow each other like in a pipeline. The second tree has the workers in
 * reverse order if N is even, and moved by one place if it is odd: a leaf of one tree is inside the other
 * (but for one worker of an odd N), so that all links carry the same load.
 *
 * A tree is a channel (StepPlan::ChannelCount). Chunk k is on its way for 2 D of its K + 2 D - 1 steps, D
 * the depth of the tree: in step k + D - d it leaves depth d upwards, in step k + D + d downwards.
 *
 * With m elements of a tree, its root sends m, a leaf m, others m up and m to each child: 2 (N - 1) m and
 * 2 (N - 1) K messages in all, so 2 (N - 1) n over both, as in a ring; but after ceil(log2 N) steps, not
 * N - 1, the first chunk is added up. Order of addition: own, then the child below, then the one above.
 *
 * @throws InputError if a tree would have too many chunks to count
 */
std::unique_ptr<StepPlan> MakeDoubleTree(const ExchangeSpec& spec, std::uint64_t elements);

} // namespace inca

#endif // INCA_EXCHANGE_DOUBLE_TREE_H
