/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_PIECES_H
#define INCA_EXCHANGE_PIECES_H

#include "inca/exchange/composed-plan.h"
#include "inca/exchange/exchange-entry.h"
#include "inca/exchange/exchange-spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** The value of the lowest bit that is set; 0 of 0. */
Rank LowestBit(Rank position);

/** The least k for which 2^k is at least @p members. */
Rank CeilLog2(Rank members);

/**
 * The two phases of a ring all-reduce among N >= 2 members (INCEPTIONN, Algorithm 1): N blocks
 * (BlockOf), N - 1 steps each; every step sends one block to the next member and receives one from
 * the previous member.
 *
 * A host that cannot send and receive at once sends first at even and receives first at odd
 * positions: neighbours alternate, and where an odd N puts two even ones side by side, the odd ones
 * still take what is sent, so no circle of waits arises.
 * @{
 */

/** What becomes of a reduce-scatter's sums. */
enum class RingSums
{
    FINAL,        ///< they are the exchange's results (Step::ownsResult)
    INTERMEDIATE, ///< they are added further
    UPDATED,      ///< their owners make weights of them (Step::update)
};

/**
 * In step s = 1 .. N-1 member i sends block (i + lastBlock - s) mod N and adds block (i + lastBlock - s - 1) mod N to its
 * own. Afterwards member i owns block (i + lastBlock) mod N, added round the ring from member i + 1, the
 * block's first sender: ((g[i+1] + g[i+2]) + ...) + g[i].
 * @param range is cut into blocks @param lastBlock usually 1 @param step from 0
 */
Step RingReduceScatterStep(Rank members,
                           ElementRange range,
                           RingSums sums,
                           Rank lastBlock,
                           Rank position,
                           std::uint32_t step);

/**
 * In step s = 1 .. N-1 member i sends block (i + firstBlock - s + 1) mod N and stores block
 * (i + firstBlock - s) mod N. Member i must hold block (i + firstBlock) mod N before:
 * the last one of a reduce-scatter.
 */
Step RingAllGatherStep(Rank members,
                       ElementRange range,
                       Rank firstBlock,
                       PayloadKind kind,
                       Rank position,
                       std::uint32_t step);

/** The same as pieces, of all elements and of gradients. @{ */
Piece RingReduceScatter(Rank members, std::uint64_t elements, RingSums sums);
Piece RingAllGather(Rank members, std::uint64_t elements, Rank firstBlock);
/** @} */

/** Sums come back as gradients, or, where each worker makes weights of its shard, as these. */
PayloadKind KindOfSums(const ExchangeSpec& spec);

/** What keeps @p spec from being cut into two or more equal groups of its size. */
std::vector<std::string> GroupComplaints(const ExchangeSpec& spec);

/** @} */

/**
 * All other members send their @p elements gradients to position 0 in one message each. Position 0
 * buffers them, adds them in the order of positions, ((g[1] + g[2]) + g[3]) ..., and updates the
 * weights.
 */
Piece SumAtRoot(Rank members, std::uint64_t elements);

/**
 * Position 0 sends block j of @p elements sums (BlockOf) to position j, for j = 1 .. members-1, one
 * after the other, and keeps block 0.
 */
Piece Scatter(Rank members, std::uint64_t elements);

/** flat, binomial */
std::vector<std::string> BroadcastNames();

/**
 * Position 0 sends @p elements weights to all members; members - 1 whole copies travel.
 *
 * flat: the root sends to 1, 2, ... one after the other: members - 1 sends.
 *
 * binomial: MPICH's tree. Position p > 0 receives from p minus its lowest set bit, and then sends
 * to p + m for all powers of two m below that bit (the root: all), largest m first. The root sends
 * ceil(log2(members)) copies; the last position has its copy after as many message times.
 *
 * @param spec its broadcast
 * @throws InputError for an unknown name
 */
Piece Broadcast(const ExchangeSpec& spec, Rank members, std::uint64_t elements);

/** Adds what keeps a broadcast of @p spec from working. */
void ComplainOfBroadcast(const ExchangeSpec& spec, std::vector<std::string>& complaints);

} // namespace inca

#endif // INCA_EXCHANGE_PIECES_H
