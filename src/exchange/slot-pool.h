/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SLOT_POOL_H
#define INCA_EXCHANGE_SLOT_POOL_H

#include "inca/base/state-visitor.h"
#include "inca/base/word-sum.h"
#include "inca/exchange/slot-packet.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** What a pool did with a packet. One column each. */
enum class SlotOutcome : std::uint8_t
{
    COMBINED,  ///< added, and others are missing
    COMPLETED, ///< added as the last one: at the root the sum is there, else it goes up
    RESULT,    ///< the sum came down: it goes to all children
    ASK_AGAIN, ///< a contribution to a complete slot whose sum has not come down: goes up again
    ANSWER,    ///< a contribution to a slot whose sum is there: the child gets it again
    DUPLICATE, ///< contributed already, others are missing: dropped
    LATE,      ///< of a round that is over, or a sum that is there already: dropped
    NO_SLOT,   ///< the slot is not free yet: the senders' window is beyond the pool; dropped
};

/** What a pool is. */
struct SlotPoolSpec
{
    std::uint32_t slots{128};
    std::uint32_t children{2}; ///< contributors: workers, or switches below
    bool isRoot{true};         ///< no switch above it
    WordSum adder{WordSum::INT32};
};

/** An aggregation that has begun and not ended. */
struct OpenSlot
{
    std::uint64_t number{0}; ///< the packet's
    /** Children whose contributions are missing; empty: none, the slot waits for the sum from above. */
    std::vector<std::uint32_t> missing;
};

/**
 * The slots of one switch (SwitchML, algorithm 3, and trees of it): pure, it knows no clock and no
 * frames. Each slot has two copies, used alternately, so that a sum can still be asked for while
 * the next one is added up.
 *
 * A child's first packet of a round is added (the first child's overwrites), sets the child's bit
 * in its copy, and clears it in the other. The last child's completes the copy. A repeated packet
 * finds its bit set, and is answered with the sum if that is there. Packets carry their number, so
 * that one that arrives after its round is recognised as late, however packets are reordered: its number
 * is below its copy's, or the child's bit is cleared because the child has gone on.
 *
 * Why a copy may be overwritten: a worker sends packet n + s only when it has the sum of n, so when
 * any worker sends n + 2 s, all have sent n + s, and have the sum of n. The pool enforces this:
 * packet n begins only when the sum of n - s is there; with a window beyond the pool's s that
 * may not be, and the packet is dropped (NO_SLOT), so that no sum is ever wrong. But in a window
 * other than s a worker may go on in a slot although the sum of n was lost on its way to it:
 * the copy may be overwritten, the worker's repetitions are late, and it waits for ever.
 *
 * Packets whose words are to be or-ed are or-ed, all others added by the pool's adder. Words that are
 * gathered (SumPhase::ALL_GATHER) come in their owner's packet alone, and go to those who ask for them. In a
 * REDUCE_SCATTER some children may have no words to add.
 *
 * All packets of one number agree on that, have as many values (but packets without words have none), and all or
 * none of them carry a payload of a word per value (0 values: none, or an empty one). The largest exponent is the sum's. A packet that breaks this, or is of no child of the
 * pool, is a bug of the sender: InvariantError.
 *
 * A path keeps order, so the first copy of a repeated packet that is combined was lost: the sum says so
 * (afterLoss).
 *
 * Memory: slots x 2 x (a word per value + a bit per child), payloads only when values travel. A sum
 * that was handed out is shared, never changed: the copy's next round takes new memory if somebody
 * still holds it.
 */
class SlotPool
{
  public:
    /** @param spec at least one slot and one child */
    explicit SlotPool(const SlotPoolSpec& spec);

    /** A packet from a child. */
    SlotOutcome Add(const SlotPacket& packet);

    /** A sum from above; never at the root. @return RESULT, LATE, or NO_SLOT: was not asked for */
    SlotOutcome TakeResult(const SlotPacket& sum);

    /**
     * The sum of packet @p number: after COMPLETED and ASK_AGAIN the own one, which goes up (at the
     * root: down), after RESULT and ANSWER the whole one, which goes down. Its job is 0, its child that of the owner's
     * contribution (ofOwner), or 0.
     * @throws InvariantError if there is none
     */
    SlotPacket Sum(std::uint64_t number) const;

    /** What @p child gets of @p sum, which Sum made. */
    SlotPacket PartFor(SlotPacket sum, std::uint32_t child) const;

    /** Slots with an aggregation begun whose sum is not there; of each, one copy at most is. */
    std::uint32_t Open() const
    {
        return m_open;
    }

    /** Copies turn as their packets are moved on. */
    void VisitState(StateVisitor& visitor, std::size_t sequence = 0);

    /** For people: the first @p most of them, by packet number. */
    std::vector<OpenSlot> OpenSlots(std::size_t most) const;

  private:
    static constexpr std::uint32_t NO_CHILD{0xffff'ffff};

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
        bool orWords{false};
        bool afterLoss{false};
        SumPhase phase{SumPhase::ALL_REDUCE};
        std::uint32_t owner{NO_CHILD};        ///< the child that the words belong to, if any
        std::vector<bool> seen;               ///< by child
        std::vector<bool> asks;               ///< by child, of an ALL_GATHER (SlotPacket::asks)
        std::shared_ptr<PacketWords> payload; ///< what is added up here; null: sizes
        SharedWords result;                   ///< what came from above
    };

    Copy& CopyOf(std::uint64_t number);
    const Copy& CopyOf(std::uint64_t number) const;
    void VisitState(StateVisitor& visitor, Copy& copy, std::size_t sequence) const;
    bool IsOver(const Copy& copy, std::uint64_t firstPacket) const;
    void MoveOn(std::uint64_t packets);
    void KeepShapes(const std::vector<std::array<Copy, 2>>& before, std::uint64_t packets);
    std::vector<std::uint32_t> Missing(const Copy& copy) const;
    bool MayBegin(std::uint64_t number) const; ///< whether the round before is over
    void Begin(Copy& copy, const SlotPacket& packet);
    void Combine(Copy& copy, const SlotPacket& packet);
    SlotOutcome Contribute(Copy& copy, const SlotPacket& packet); ///< sets and clears the bits
    void RequireSameShape(const Copy& copy, const SlotPacket& packet) const;
    void RequireResult(const Copy& copy, const SlotPacket& sum) const;
    void TakeWords(Copy& copy, const SlotPacket& packet) const;
    static void Overwrite(Copy& copy, const SharedWords& words);
    static SlotOutcome Repeated(const Copy& copy, std::uint32_t child);

    SlotPoolSpec m_spec;
    std::vector<std::array<Copy, 2>> m_slots;
    std::uint32_t m_open{0};
};

} // namespace inca

#endif // INCA_EXCHANGE_SLOT_POOL_H
