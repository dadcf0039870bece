/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SLOT_PACKET_H
#define INCA_EXCHANGE_SLOT_PACKET_H

#include "base/integer-scale.h"
#include "base/job-id.h"
#include "base/word.h"
#include "exchange/step-plan.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace inca
{

/** What packets carry. */
struct PacketWords
{
    std::vector<Word> words;
};

/** Words that several packets may share; null when only sizes travel. */
using SharedWords = std::shared_ptr<const PacketWords>;

/**
 * One packet of a pool of s slots, up (a contribution) or down (a sum). Packets of one job are
 * numbered without gaps, the same on all its workers (slot-sequences.h: or twice so); packet n belongs to slot n mod s, in
 * its round n / s, whose parity says which of the slot's two copies.
 */
struct SlotPacket
{
    JobId job;
    std::uint64_t number{0};
    std::uint32_t child{0}; ///< up: which contributor of the receiving pool
    /** Of a later block, or of words: up the own one, down the largest. */
    std::int16_t exponent{NO_EXPONENT};
    /** 0: it carries an exponent alone, or is of words that are shared out, and moves none of them. */
    std::uint32_t values{0};
    SharedWords payload; ///< as many as values; null: sizes only
    bool orWords{false}; ///< they are or-ed, not added by the pool's adder
    /** Up: it, or one that it sums up, was sent before; down: a packet was lost that it waited for. */
    bool afterLoss{false};
    /**
     * Words of one worker's part: REDUCE_SCATTER, which it alone gets; ALL_GATHER, which it alone has. Others get, or
     * send, such packets without values, as a word that the slot is free, or that they want it.
     */
    SumPhase phase{SumPhase::ALL_REDUCE};
    bool ofOwner{false};      ///< up: that worker is among those who have contributed
    std::uint8_t sequence{0}; ///< which of the job's; each has its own numbers, and slots
};

/** What goes to @p child of @p sum, of which the owner's child says who has, or gets, the words (SlotPool::Sum). */
SlotPacket PartFor(SlotPacket sum, std::uint32_t child);

} // namespace inca

#endif // INCA_EXCHANGE_SLOT_PACKET_H
