/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SHIFT_SYMMETRY_H
#define INCA_EXCHANGE_SHIFT_SYMMETRY_H

#include "inca/exchange/step-plan.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

namespace inca
{

/**
 * Which ranks of an exchange do the same. Rank r + period (modulo the ranks) does, step by step, what
 * rank r does, with every peer period further; it may add up what it receives together in another order.
 * Ranges may be other ones, but are as long: where blocks are equal (ExchangeEntry::blocks), a step's messages are.
 *
 * With more than one row, period counts places in the interleaved order (InterleavedPlace), not ranks: of 4 workers
 * and 4 servers in 2 rows, these are worker 0, server 0, worker 1, server 1, ...
 */
struct ShiftSymmetry
{
    Rank period{0}; ///< divides the ranks; 0: there is no such symmetry
    /**
     * All that a rank gets, acknowledgements included, is from ranks that are periods apart from each
     * other, or from its switch. Else frames of two that do different things may come at one instant,
     * and which goes first may differ from rank to rank.
     */
    bool oneSender{true};
    /**
     * Ranks are moved bit by bit: rank r xor k * period does what rank r does, with every peer p being p xor k * period,
     * period and ranks being powers of two.
     */
    bool bitwise{false};
    Rank rows{1}; ///< equally long rows of ranks: 2 are the workers, then the servers
    /** Ranks are in groups of so many, and are moved within their group, and groups among each other; 0: all are one. */
    Rank group{0};

    bool operator!=(const ShiftSymmetry& other) const
    {
        return std::tie(period, oneSender, bitwise, rows, group) !=
               std::tie(other.period, other.oneSender, other.bitwise, other.rows, other.group);
    }

    /** The rank to which @p rank is moved, of @p ranks, as rank 0 is moved to rank @p by. */
    Rank Moved(Rank rank, Rank by, Rank ranks) const
    {
        return bitwise ? rank ^ by
               : group == 0
                   ? (rank + by) % ranks
                   : (rank / group + by / group) % (ranks / group) * group + (rank + by) % group;
    }

    /** The rank that is moved to rank 0 as @p by is: it moves back what @p by moves. */
    Rank Back(Rank by, Rank ranks) const
    {
        const auto inGroup = group > 0 ? by % group : 0;
        return bitwise ? by
                       : (ranks - (by - inGroup)) % ranks + (group - inGroup) % std::max(group, 1U);
    }
};

/** The place of @p rank, of @p ranks in @p rows, where ranks are ordered by their place in their row, and then by row. */
inline Rank
InterleavedPlace(Rank rank, Rank ranks, Rank rows)
{
    const auto length = ranks / rows;
    return rank % length * rows + rank / length;
}

/** The rank that has @p place. */
inline Rank
InterleavedRank(Rank place, Rank ranks, Rank rows)
{
    return place % rows * (ranks / rows) + place / rows;
}

/** Which of ranks 0 .. @p standIns-1 does what @p rank does: whole periods before it. */
inline Rank
StandInOf(Rank rank, Rank standIns)
{
    return rank % standIns;
}

/**
 * Where ranks 0 .. @p standIns-1 represent all, a message of rank @p from to rank @p to goes to the representative of
 * @p to, which takes it for one of the returned rank.
 */
inline Rank
SenderSeen(Rank from, Rank to, Rank standIns, Rank ranks, const ShiftSymmetry& symmetry)
{
    return symmetry.Moved(from, symmetry.Back(to - StandInOf(to, standIns), ranks), ranks);
}

/**
 * Compares a symmetry with a few ranks and steps of a plan, whose first ranks are those that represent all (InterleavedPlan).
 * @return what contradicts it, for people; empty: nothing was found
 */
std::string ContradictionTo(const ShiftSymmetry& symmetry, const StepPlan& plan);

/**
 * The least period that all plans have, of ranks that exchange in communicators, of which no row of a catalogue says anything.
 * @param plans one at least, of as many ranks
 * @return of period 0 if there is none, or there are too many steps to look at
 */
ShiftSymmetry FindSymmetry(const std::vector<const StepPlan*>& plans);

} // namespace inca

#endif // INCA_EXCHANGE_SHIFT_SYMMETRY_H
