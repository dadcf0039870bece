/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXCHANGE_SLOT_WORKER_H
#define INCA_TEST_EXCHANGE_SLOT_WORKER_H

#include "exchange/slot-job.h"
#include "exchange/slot-packet.h"
#include "exchange/slot-sender.h"
#include "exchange/slot-timeouts.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace inca
{

/** How a worker waits for sums. */
struct SlotPatience
{
    std::int64_t timeout{1};
    std::uint32_t doubleAfter{0};
};

/** A worker of a slot network: pure objects put together, and the values that they move. */
class SlotWorker
{
  public:
    SlotWorker(const SlotJob& job, Rank rank, std::uint32_t child, SlotPatience patience);

    bool HasStreams() const; ///< some have not begun
    void BeginStream();
    bool IsDone() const; ///< all streams have begun and ended

    /** @return a packet that may go now */
    std::optional<SlotPacket> TakeReady(std::int64_t now);

    /** @return a packet to be sent again */
    std::optional<SlotPacket> TakeDue(std::int64_t now);

    std::optional<std::int64_t> NextDue() const;

    void Receive(const SlotPacket& sum);

    /** Per stream; sizes alone leave zeros. */
    const std::vector<SlotBits>& Sums() const
    {
        return m_sums;
    }

    /** The largest number that came with words, per stream. */
    const std::vector<std::int16_t>& WordExponents() const
    {
        return m_wordExponents;
    }

    std::uint64_t Received() const ///< sums, each once
    {
        return m_received;
    }

  private:
    ElementRange RangeOf(std::size_t stream, std::uint64_t block) const;
    std::int16_t OwnExponent(std::size_t stream, std::uint64_t block) const;
    SlotPacket PacketOf(const SlotTurn& turn) const;
    IntegerScale ScaleOf(std::size_t stream, std::uint64_t block) const;
    SharedWords PayloadOf(std::size_t stream, std::uint64_t block) const;
    void Store(std::size_t stream, std::uint64_t block, const SharedWords& payload);

    const SlotJob& m_job;
    Rank m_rank;
    std::uint32_t m_child;
    SlotSender m_sender;
    SlotTimeouts m_timeouts;
    std::size_t m_begun{0};
    std::size_t m_ended{0};
    std::uint64_t m_received{0};
    std::vector<SlotBits> m_own;
    std::vector<SlotBits> m_sums;
    std::vector<std::int16_t> m_wordExponents;
    std::vector<std::vector<std::int16_t>> m_exponents; ///< the largest, by stream and block
};

} // namespace inca

#endif // INCA_TEST_EXCHANGE_SLOT_WORKER_H
