/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SLOT_PACKET_H
#define INCA_EXCHANGE_SLOT_PACKET_H

#include "inca/base/integer-scale.h"
#include "inca/base/job-id.h"
#include "inca/base/wire-format.h"
#include "inca/base/word.h"
#include "inca/exchange/step-plan.h"

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
 * One packet of a pool of s slots, up (a contribution) or down (a sum). Packets of one sequence are
 * numbered without gaps, the same on all its workers; packet n belongs to slot n mod s, and to copy (n / s) mod 2 of
 * it: the version bit of SwitchML's pools.
 */
struct SlotPacket
{
    JobId job;
    std::uint64_t number{0};
    std::uint32_t child{0}; ///< up: which contributor of the receiving pool
    /** Of a later block, or of words: up the own one, down the largest. */
    std::int16_t exponent{NO_EXPONENT};
    /** 0: it carries an exponent alone, or is a packet of a REDUCE_SCATTER or ALL_GATHER that moves no words of the worker's. */
    std::uint32_t values{0};
    SharedWords payload; ///< as many as values; null: sizes only
    bool orWords{false}; ///< words are or-ed, not added by the pool's adder
    /** Up: it, or one that it sums up, was sent before; down: it waited for a packet that was lost. */
    bool afterLoss{false};
    /**
     * REDUCE_SCATTER: the words' owner alone gets them; ALL_GATHER: the owner alone has them. Others get packets without
     * values, which tell that the slot is free, or send packets without values, which ask for the words.
     */
    SumPhase phase{SumPhase::ALL_REDUCE};
    bool ofOwner{false};      ///< up: the owner is among the contributors
    bool asks{true};          ///< up, of an ALL_GATHER: so is one that is to get the words
    std::uint8_t sequence{0}; ///< which of the job's (SlotFormat)
    std::uint8_t valueBytes{VALUE_BYTES}; ///< of each in a frame, where words stay words
};

} // namespace inca

#endif // INCA_EXCHANGE_SLOT_PACKET_H
