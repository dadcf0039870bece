/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_AGGREGATION_SLOT_STREAM_H
#define INCA_AGGREGATION_SLOT_STREAM_H

#include "inca/aggregation/aggregation-client.h"
#include "inca/exchange/slot-format.h"
#include "inca/exchange/slot-packet.h"
#include "inca/exchange/slot-sender.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace inca
{

/**
 * One sum that a worker has asked for, cut into blocks of one packet each: makes the packets'
 * payload of its words, and words of the sums. Without values (nothing to read) packets carry
 * sizes only. Words travel as they are, and a number of the worker's with each of their packets.
 *
 * Of a sum that is shared out, packets are those of all workers one after the other (BlockPackets): what is added comes
 * back to its owner alone, what is gathered goes out from its owner alone. The others' are without values, as are those
 * of parts that are not for the worker (BlockPackets::IsFor).
 */
class SlotStream
{
  public:
    /**
     * @param format outlives it
     * @param request what the worker asks for
     * @throws InvariantError if the request is for words that the switches cannot add
     */
    SlotStream(const SlotFormat& format, ReductionRequest request);

    /** @return its packets with values, a block each */
    std::uint64_t Blocks() const
    {
        return m_packets.Count();
    }

    /** What the worker asked for. */
    const ReductionSize& Size() const
    {
        return m_request.size;
    }

    /** @return the sequence that its packets belong to */
    std::uint32_t Sequence() const
    {
        return m_sequence;
    }

    /** @return blocks after which packets are of the same workers' parts again */
    std::uint64_t PatternBlocks() const
    {
        return m_packets.Pattern();
    }

    /** @return whether packets after @p packet are as those before it */
    bool EndsPattern(const StreamPacket& packet) const
    {
        return packet.block && (!IsSharedOut() || (IsOwn(*packet.block) && IsMine(*packet.block)));
    }

    /** @return how many packets without values go before its blocks, with their exponents */
    std::uint64_t Prologue() const
    {
        return m_prologue;
    }

    /** @return whether @p packet has values as the worker sends it */
    bool Sends(const StreamPacket& packet) const;

    /** @return whether nothing was taken of it before */
    bool TakeFirst()
    {
        const bool first = !m_begun;
        m_begun = true;
        return first;
    }

    /**
     * Makes @p packet as the worker sends it; its child is 0.
     * @param packet one of this stream
     * @param clamped grows by the values that did not fit
     */
    SlotPacket MakePacket(const StreamPacket& packet, std::uint64_t& clamped);

    /**
     * Takes the sum of @p packet.
     * @return bytes of words
     * @throws InvariantError if they are not all there
     */
    std::uint64_t Take(const StreamPacket& packet, const SlotPacket& sum);

    /** Tells whoever asked what came with the words, and that all is there, once. */
    void End();

    /** Whether whoever asked was told of the end. */
    bool HasEnded() const
    {
        return m_ended;
    }

  private:
    bool IsSharedOut() const;               ///< each worker has, or gets, a part of its own
    bool AreAdded() const;                  ///< values; else words travel as they are
    bool IsOwn(std::uint64_t block) const;  ///< whether it is shared out to this worker
    bool IsMine(std::uint64_t block) const; ///< whether this worker adds to it, or gets it
    std::uint64_t WordsOf(ElementRange range) const;        ///< that a range takes in packets
    std::vector<Word> ReadBlock(std::uint64_t block) const; ///< the worker's own words of a block
    std::vector<Word> TakeBlock(std::uint64_t block);
    std::optional<IntegerScale> ScaleOf(std::uint64_t block) const; ///< empty: words as they are
    std::int16_t ExponentOf(std::uint64_t block) const;
    /**
     * The words of @p block as a packet carries them. @p clamped grows by the values that did not
     * fit.
     */
    SharedWords Encode(std::uint64_t block, std::uint64_t& clamped);
    void Write(std::uint64_t block, const SlotPacket& sum); ///< gives whoever asked a block's sum

    const SlotFormat* m_format;            ///< of all packets of the job
    ReductionRequest m_request;            ///< what the worker asked for; moved away at the end
    std::uint32_t m_sequence;              ///< of its packets
    BlockPackets m_packets;                ///< with values
    std::uint64_t m_prologue;              ///< packets without values that go ahead
    std::vector<std::int16_t> m_exponents; ///< by block, over all workers; empty: none are needed
    /** Of which the exponent has left, and the words have not. */
    std::unordered_map<std::uint64_t, std::vector<Word>> m_read;
    std::int16_t m_exponentOfWords{NO_EXPONENT}; ///< the largest over all workers
    bool m_begun{false};                         ///< whether TakeFirst was called
    bool m_ended{false};                         ///< whether End was called
};

} // namespace inca

#endif // INCA_AGGREGATION_SLOT_STREAM_H
