/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SLOT_SENDER_H
#define INCA_EXCHANGE_SLOT_SENDER_H

#include "inca/base/path-log.h"
#include "inca/base/state-visitor.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace inca
{

/** Names a packet that a worker may send now, or whose sum has arrived, by its place in its stream. */
struct StreamPacket
{
    std::uint64_t number{0};
    std::uint64_t stream{0}; ///< as given to Begin
    /** Which block of the stream's values it carries; empty: none, it is one of the prologue. */
    std::optional<std::uint64_t> block;
    /** The block whose exponent it carries; empty: none. */
    std::optional<std::uint64_t> exponentOf;
    bool endsStream{false}; ///< as a sum: the last of its stream that was missing
};

/** When a packet that is not answered goes again. */
struct SlotTimeout
{
    std::int64_t firstPs{1};      ///< at least 1
    std::uint32_t doubleAfter{0}; ///< timeouts after which the timeout doubles; 0: never
};

/**
 * When a worker sends which packet through a pool of s slots: pure, times are given. Streams (the exchanges of a
 * job) follow each other without a gap, block after block. Packet n may go once the sum of n - s is
 * there (a slot is used for one packet at a time), so at most s are on their way, and each sum lets
 * the next packet of its slot go: self-clocked. Slots do not wait for each other, so a lost packet
 * holds up its slot alone, and streams may end in another order than they began.
 *
 * A stream of B blocks that are scaled by exponents begins with a prologue of L packets without values, and its packet
 * m carries the exponent of block m for m < B. So block b's largest exponent is known when the sum of the packet L
 * before its own is there, and until then it may not go.
 *
 * A packet is due to go again one timeout after it was last sent. After every `doubleAfter` timeouts the timeout
 * doubles, up to 2^10 times the first (SwitchML's release). It is the first one again at the begin of a stream, and
 * when a sum says that a packet was lost, so that the timeout was not too short. What was sent stays due when it was.
 *
 * Time per packet is O(log(slots) + log(streams)): a queue orders sent packets by due time, and answered ones leave it when
 * they reach its front. Memory is O(slots + streams that have not ended).
 */
class SlotSender
{
  public:
    /** @param slots at least 1 */
    explicit SlotSender(std::uint32_t slots, SlotTimeout timeout = {});

    /**
     * Queues a stream.
     * @param stream any number
     * @param blocks at least 1
     * @param prologue packets without values that go ahead: no more than slots or blocks (SlotFormat::PrologueOf)
     * @param patternBlocks blocks after which the pattern of packets repeats; the last ones may be shorter. At least 1
     */
    void Begin(std::uint64_t stream,
               std::uint64_t blocks,
               std::uint64_t prologue = 0,
               std::uint64_t patternBlocks = 1);

    /** @return the next packet that may go now, which counts as sent; empty: none */
    std::optional<StreamPacket> Next();

    /** @return the next packet whose timeout has passed, and whose sum is still missing; empty: none */
    std::optional<StreamPacket> NextAgain();

    /**
     * @p number, of which the sum is missing, has left, at first or again.
     * @param nowPs a time before an earlier call's counts as that one
     * @return when it is due (ps)
     */
    std::int64_t Sent(std::uint64_t number, std::int64_t nowPs);

    /** @return when the next packet is due (ps); empty: none is */
    std::optional<std::int64_t> NextDuePs() const;

    /** Times out what is due at @p nowPs: NextAgain returns it. */
    void TimeOut(std::int64_t nowPs);

    /**
     * The sum of @p number has come.
     * @param afterLoss it tells that a packet was lost
     * @return empty if it came before, or nothing was sent for it
     */
    std::optional<StreamPacket> Receive(std::uint64_t number, bool afterLoss = false);

    /** @return the packet as it was when sent, if its sum is still missing: to send it again */
    std::optional<StreamPacket> Missing(std::uint64_t number) const;

    /** Slots rotate as their packets are moved on. */
    void VisitState(StateVisitor& visitor, std::size_t sequence = 0);

    /** Packets sent whose sums are missing. */
    std::uint32_t Outstanding() const;

    /** The lowest of them; looks at every slot. */
    std::optional<std::uint64_t> Oldest() const;

    /** How often @p number, whose sum is missing, has left. */
    std::uint32_t TimesSent(std::uint64_t number) const
    {
        return SlotOf(number).timesSent;
    }

    /** Why it left when it did the last time. */
    const PathEnd& PathOf(std::uint64_t number) const
    {
        return SlotOf(number).path;
    }

    /** What its timeout doubles to at most. (ps) */
    std::int64_t LongestTimeoutPs() const;

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
        std::uint32_t timesSent{0};
        std::optional<std::int64_t> duePs; ///< empty: has not left yet, or its timeout has passed
        PathEnd path;                      ///< to when it left
    };

    /** When a packet is due (ps), and its number. */
    using Due = std::pair<std::int64_t, std::uint64_t>;

    struct Stream
    {
        std::uint64_t name;
        std::uint64_t first; ///< packet
        std::uint64_t blocks;
        std::uint64_t prologue; ///< packets; 0: no exponents go ahead
        std::uint64_t missing;  ///< sums
        std::uint64_t patternBlocks;

        std::uint64_t End() const
        {
            return first + prologue + blocks;
        }
    };

    Slot& SlotOf(std::uint64_t number);
    const Slot& SlotOf(std::uint64_t number) const;
    std::size_t StreamOf(std::uint64_t number) const; ///< position in m_streams
    static bool IsMissing(const Slot& slot, std::uint64_t number);
    StreamPacket PacketOf(std::uint64_t number, const Stream& stream) const;
    bool KnowsExponent(std::uint64_t number) const;
    void MakeReady(std::uint64_t number); ///< if nothing is in its way
    void DropEnded();
    void DropAnswered();
    void Restart();
    std::int64_t TimeoutPs(unsigned doublings) const;

    std::vector<Slot> m_slots;
    std::uint64_t m_end{0};            ///< packets of all streams
    std::deque<Stream> m_streams;      ///< by first packet, from the first that has not ended
    std::deque<std::uint64_t> m_ready; ///< packets, as they became it
    std::uint32_t m_outstanding{0};

    SlotTimeout m_timeout;
    std::uint64_t m_timeouts{0}; ///< since the timeout doubled
    unsigned m_doublings{0};
    std::int64_t m_latestPs{0}; ///< of the times that packets were sent
    std::priority_queue<Due, std::vector<Due>, std::greater<>> m_dues; ///< the earliest first
    std::deque<std::uint64_t> m_again; ///< packets whose timeout has passed
};

} // namespace inca

#endif // INCA_EXCHANGE_SLOT_SENDER_H
