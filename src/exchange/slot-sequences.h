/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SLOT_SEQUENCES_H
#define INCA_EXCHANGE_SLOT_SEQUENCES_H

#include "base/state-visitor.h"
#include "exchange/step-plan.h"

#include <cstdint>

namespace inca
{

/**
 * Packets of a job make one sequence, the same on all workers. Where sums are shared out, and several exchanges go on at
 * the same time, they make two, each with slots of its own: what is gathered is handed on when it is made, at each
 * worker's own pace, so the two could not keep to one order.
 */
constexpr std::uint32_t MOST_SEQUENCES{PACKET_SEQUENCES};

/** Which of @p sequences packets of @p phase are of. */
constexpr std::uint32_t
SequenceOf(SumPhase phase, std::uint32_t sequences)
{
    return sequences > 1 && phase == SumPhase::ALL_GATHER ? 1 : 0;
}

/** Of a pool of @p slots, those of one of @p sequences. */
constexpr std::uint64_t
SlotsOfSequence(std::uint64_t slots, std::uint32_t sequences, std::uint32_t sequence)
{
    return slots / sequences + (sequence < slots % sequences ? 1 : 0);
}

} // namespace inca

#endif // INCA_EXCHANGE_SLOT_SEQUENCES_H
