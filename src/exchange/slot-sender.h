/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SLOT_SENDER_H
#define INCA_EXCHANGE_SLOT_SENDER_H

#include "base/state-visitor.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace inca
{

/** A packet that a worker may send now, or whose sum has arrived. */
struct SlotTurn
{
    std::uint64_t number{0};
    std::uint64_t stream{0}; ///< as given to Begin
    /** Which block of the stream's values it carries; empty: none, it is one of the prologue. */
    std::optional<std::uint64_t> block;
    /** The block whose exponent it carries; empty: none. */
    std::optional<std::uint64_t> exponentOf;
    bool endsStream{false}; ///< as a sum: the last of its stream that was missing
};

/**
 * When a worker sends which packet through a pool of s slots: pure. Streams (the exchanges of a
 * job) follow each other without a gap, block after block. Packet n may go once the sum of n - s is
 * there (a slot is used for one packet at a time), so at most s are on their way, and each sum lets
 * the next packet of its slot go: self-clocked. Slots do not wait for each other, so a lost packet
 * holds up its slot alone, and streams may end in another order than they began.
 *
 * With exponents ahead (each stream has them or not), a stream of B blocks begins with a prologue
 * of L = min(s, B) packets without values; its packet m carries the exponent of block m for m < B.
 * So block b's largest exponent is known when the sum of the packet L before its own is there, and
 * until then it may not go.
 *
 * Time is O(1) per packet, but for O(log(streams)) to find a packet's stream; memory is O(slots +
 * streams that have not ended).
 */
class SlotSender
{
  public:
    /** @param slots at least 1 */
    explicit SlotSender(std::uint32_t slots);

    /**
     * Queues a stream.
     * @param stream any number
     * @param blocks at least 1
     * @param turn blocks after which the pattern of packets repeats; the last ones may be shorter. At least 1
     */
    void Begin(std::uint64_t stream,
               std::uint64_t blocks,
               bool exponentsAhead,
               std::uint64_t turn = 1);

    /** @return the next packet that may go now, which counts as sent; empty: none */
    std::optional<SlotTurn> Next();

    /** The sum of @p number has come. @return empty if it came before, or nothing was sent for it */
    std::optional<SlotTurn> Receive(std::uint64_t number);

    /** @return the packet as it was when sent, if its sum is still missing: to send it again */
    std::optional<SlotTurn> Missing(std::uint64_t number) const;

    /** Slots rotate as their packets are moved on. */
    void VisitState(StateVisitor& visitor, std::size_t sequence = 0);

    /** Packets sent whose sums are missing. */
    std::uint32_t Outstanding() const;

    /** The lowest of them; looks at every slot. */
    std::optional<std::uint64_t> Oldest() const;

  private:
    enum class SlotState : std::uint8_t
    {
        WAITING, ///< its packet may not go yet
        READY,
        SENT,
    };

    /** One slot; the sums of all its packets below number have arrived. */
    struct Slot
    {
        std::uint64_t number{0};
        SlotState state{SlotState::WAITING};
    };

    struct Stream
    {
        std::uint64_t name;
        std::uint64_t first; ///< packet
        std::uint64_t blocks;
        std::uint64_t prologue; ///< packets; 0: no exponents ahead
        std::uint64_t missing;  ///< sums
        std::uint64_t turn;     ///< blocks

        std::uint64_t End() const
        {
            return first + prologue + blocks;
        }
    };

    Slot& SlotOf(std::uint64_t number);
    const Slot& SlotOf(std::uint64_t number) const;
    std::size_t StreamOf(std::uint64_t number) const; ///< position in m_streams
    static bool IsMissing(const Slot& slot, std::uint64_t number);
    SlotTurn TurnOf(std::uint64_t number, const Stream& stream) const;
    bool KnowsExponent(std::uint64_t number) const;
    void MakeReady(std::uint64_t number); ///< if nothing is in its way
    void DropEnded();

    std::vector<Slot> m_slots;
    std::uint64_t m_end{0};            ///< packets of all streams
    std::deque<Stream> m_streams;      ///< by first packet, from the first that has not ended
    std::deque<std::uint64_t> m_ready; ///< packets, as they became it
    std::uint32_t m_outstanding{0};
};

} // namespace inca

#endif // INCA_EXCHANGE_SLOT_SENDER_H
