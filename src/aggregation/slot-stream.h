/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_AGGREGATION_SLOT_STREAM_H
#define INCA_AGGREGATION_SLOT_STREAM_H

#include "aggregation/aggregation-client.h"
#include "exchange/shards.h"
#include "exchange/slot-packet.h"
#include "exchange/slot-sender.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace inca
{

/** How a worker's values become what switches add. */
struct SlotCoding
{
    std::uint32_t valuesPerPacket{256};
    WordSum adder{WordSum::FP32}; ///< what values are sent as
    /** So many workers' values are scaled to integers (IntegerScale); empty: floats. */
    std::optional<std::uint32_t> scaledFor;
    bool exponentsAhead{false}; ///< of the blocks; else fixedExponent holds for all
    std::int16_t fixedExponent{0};
    std::uint32_t slots{128}; ///< whose last sums switches keep, of two packets each
};

/**
 * One sum that a worker has asked for, cut into blocks of one packet each: makes the packets'
 * payload of its words, and words of the sums. Without values (nothing to read) packets carry
 * sizes only. Words travel as they are, and a number of the worker's with each of their packets.
 *
 * Of a sum that is shared out, packets are those of all workers in turn (BlockPackets): what is added comes back
 * to its owner alone, what is gathered goes out from its owner alone. The others' are without values.
 */
class SlotStream
{
  public:
    /**
     * @param coding outlives it
     * @param sequence of its packets
     * @throws InvariantError if the request is for words that the switches cannot add
     */
    SlotStream(const SlotCoding& coding, ReductionRequest request, std::uint32_t sequence = 0);

    std::uint64_t Blocks() const;

    std::uint32_t Sequence() const
    {
        return m_sequence;
    }

    /** Blocks after which packets are of the same workers again. */
    std::uint64_t Turn() const
    {
        return m_parts ? m_request.share.workers : 1;
    }

    /** @return whether packets after that of @p turn are as those before it */
    bool EndsTurn(const SlotTurn& turn) const
    {
        return turn.block && (!m_parts || IsOwn(*turn.block));
    }

    /** @return whether packets without values go before its blocks, with their exponents */
    bool ExponentsAhead() const
    {
        return m_coding->exponentsAhead && AreAdded();
    }

    /** @return whether the worker's packet of @p turn has values */
    bool Sends(const SlotTurn& turn) const;

    /** @return whether nothing was taken of it before */
    bool TakeFirst()
    {
        const bool first = !m_begun;
        m_begun = true;
        return first;
    }

    /**
     * The packet of @p turn; its child is 0.
     * @param clamped grows by the values that did not fit
     */
    SlotPacket MakePacket(const SlotTurn& turn, std::uint64_t& clamped);

    /**
     * Takes the sum of a packet.
     * @return bytes of words
     * @throws InvariantError if they are not all there
     */
    std::uint64_t Take(const SlotTurn& turn, const SlotPacket& sum);

    /** Tells whoever asked what came with the words, and that all is there, once. */
    void End();

    bool HasEnded() const
    {
        return m_ended;
    }

  private:
    bool AreAdded() const; ///< values; else words travel as they are
    bool IsOwn(std::uint64_t block) const;
    bool Gets(std::uint64_t block) const; ///< its sum, with values
    std::uint64_t ValuesPerPacket() const;
    std::uint64_t WordsOf(ElementRange range) const;
    ElementRange RangeOf(std::uint64_t block) const;
    std::vector<Word> ReadBlock(std::uint64_t block) const;
    std::vector<Word> TakeBlock(std::uint64_t block);
    std::optional<IntegerScale> ScaleOf(std::uint64_t block) const; ///< empty: words as they are
    std::int16_t ExponentOf(std::uint64_t block) const;
    SharedWords Encode(std::uint64_t block, std::uint64_t& clamped);
    void Write(std::uint64_t block, const SlotPacket& sum);

    const SlotCoding* m_coding;
    ReductionRequest m_request;
    std::uint32_t m_sequence;
    std::optional<BlockPackets> m_parts;   ///< where words are shared out
    std::vector<std::int16_t> m_exponents; ///< by block, over all workers; empty: none are needed
    /** Of which the exponent has left, and the words have not. */
    std::unordered_map<std::uint64_t, std::vector<Word>> m_read;
    std::int16_t m_exponentOfWords{NO_EXPONENT}; ///< the largest over all workers
    bool m_begun{false};
    bool m_ended{false};
};

} // namespace inca

#endif // INCA_AGGREGATION_SLOT_STREAM_H
