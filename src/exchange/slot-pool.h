/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SLOT_POOL_H
#define INCA_EXCHANGE_SLOT_POOL_H

#include "exchange/adder.h"
#include "exchange/slot-packet.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** What became of a packet that came to a pool. One column each. */
enum class SlotOutcome : std::uint8_t
{
    COMBINED,  ///< added, and others are missing
    COMPLETED, ///< added as the last one: at the root the sum is there, else it goes up
    RESULT,    ///< the sum came down: it goes to all children
    ASK_AGAIN, ///< a contribution to a complete slot whose sum has not come down: goes up again
    ANSWER,    ///< a contribution to a slot whose sum is there: the child gets it again
    DUPLICATE, ///< contributed already, others are missing: dropped
    LATE,      ///< of a round that is over, or a sum that is there already: dropped
    NO_SLOT,   ///< the pool has no such slot: dropped
};

/** "combined", "completed", ... */
const char* SlotOutcomeName(SlotOutcome outcome);

/** What a pool is. */
struct SlotPoolSpec
{
    std::uint32_t slots{128};
    std::uint32_t children{2}; ///< who contribute: workers, or switches below
    bool isRoot{true};         ///< no switch above it
};

/** An aggregation that is begun and not ended. */
struct OpenSlot
{
    std::uint64_t number{0}; ///< the packet's
    std::vector<std::uint32_t>
        missing; ///< children; empty: complete, and waits for the sum from above
};

/**
 * The slots of one switch (SwitchML, algorithm 3, and trees of it): pure, it knows no clock and no
 * frames. Each slot has two copies, used in turn, so that a sum stays to be asked for again while
 * the next one is added up.
 *
 * A child's first packet of a round is added (the first child's overwrites), sets the child's bit
 * in its copy, and clears it in the other. The last child's completes the copy. What is repeated
 * finds its bit set, and is answered with the sum if that is there. Packets carry their number, so
 * that one that comes after its round is over is known as late, however packets are reordered.
 *
 * Why a copy may be overwritten: a worker sends packet n + s only when it has the sum of n, so when
 * somebody sends n + 2 s, everybody has sent n + s, and has the sum of n.
 *
 * Memory: slots x 2 x (values x 4 bytes + children bits), payloads only when values travel.
 */
class SlotPool
{
  public:
    /** @param adder combines payloads; may be null when only sizes travel */
    SlotPool(const SlotPoolSpec& spec, std::shared_ptr<const Adder> adder);

    /** A packet from a child. */
    SlotOutcome Add(const SlotPacket& packet);

    /** A sum from above; never at the root. @return RESULT, LATE or NO_SLOT */
    SlotOutcome TakeResult(const SlotPacket& sum);

    /**
     * The own sum of packet @p number: after COMPLETED and ASK_AGAIN what goes up (at the root: down),
     * after RESULT and ANSWER what goes down. Its child is 0.
     */
    SlotPacket Sum(std::uint64_t number) const;

    /** Copies with an aggregation begun whose sum is not there: of 2 x slots. */
    std::uint32_t Open() const
    {
        return m_open;
    }

    /** For people: the first @p most of them, by packet number. */
    std::vector<OpenSlot> OpenSlots(std::size_t most) const;

  private:
    enum class CopyState : std::uint8_t
    {
        EMPTY,
        ADDING,   ///< some children are missing
        COMPLETE, ///< and the sum from above is missing
        DONE,     ///< the sum is there
    };

    struct Copy
    {
        CopyState state{CopyState::EMPTY};
        std::uint64_t number{0};
        std::uint32_t contributed{0};
        std::int16_t exponent{NO_EXPONENT};
        std::uint32_t values{0};
        std::vector<bool> seen;                             ///< by child
        std::shared_ptr<std::vector<std::uint8_t>> payload; ///< what is added up here; null: sizes
        SharedBytes result;                                 ///< what came from above
    };

    Copy* CopyOf(std::uint64_t number);
    const Copy* CopyOf(std::uint64_t number) const;

    SlotPoolSpec m_spec;
    std::shared_ptr<const Adder> m_adder;
    std::vector<std::array<Copy, 2>> m_slots;
    std::uint32_t m_open{0};
};

} // namespace inca

#endif // INCA_EXCHANGE_SLOT_POOL_H
