/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SLOT_FORMAT_H
#define INCA_EXCHANGE_SLOT_FORMAT_H

#include "inca/base/wire-format.h"
#include "inca/base/word-sum.h"
#include "inca/exchange/network-reduction.h"
#include "inca/exchange/shards.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace inca
{

/** The most slots that a switch may have: a bound for what is allocated before any packet came. */
constexpr std::uint32_t MOST_SLOTS{1U << 20U};

/** How integers are scaled: [isFixed] of a SlotFormat. */
constexpr std::array<const char*, 2> SCALING_NAMES{"block", "fixed"};

/**
 * The slot protocol (SwitchML, section 4) with one choice of its settings: how large packets and slots are, which sums
 * take which packets, and which of these go ahead. It is a plain value without a clock. Keys and attributes have its defaults;
 * the scheme (plan, bound, warnings), the clients and the programs of aggregation/ ask it and know none of this themselves.
 *
 * Packets of a job make one sequence, the same on all workers. Sharded training with several exchanges under way has
 * two, each with slots of its own: reduce-scatters, and all-gathers, which each worker begins at its own pace, so that
 * both together have no one order.
 */
struct SlotFormat
{
    // -- who uses it
    Rank workers{2};            ///< whose words are added
    std::uint32_t sequences{1}; ///< of packets, at most PACKET_SEQUENCES
    std::uint64_t copies{2}; ///< of every slot: with two, one fills while the other's sum is kept

    // -- the keys of table [switch]
    std::uint64_t slots{128};              ///< of a switch, for all sequences
    std::uint64_t valuesPerPacket{256};    ///< as many bytes each as the adder says
    std::uint64_t valuesPerSecond{0};      ///< that one switch adds; 0: as fast as they come
    std::uint64_t memoryBytes{16U << 20U}; ///< of one switch, for its slots
    WordSum adder{WordSum::INT32};
    bool isFixed{false}; ///< one scale holds for all integers; else each packet has its own
    std::int16_t fixedExponent{0};         ///< of the one scale: no |value| is above 2^this
    std::int64_t timeoutPs{1'000'000'000}; ///< before a packet is sent again
    std::uint32_t doubleAfter{100};        ///< timeouts after which the timeout doubles; 0: never
    std::uint64_t headerBytes{AGGREGATION_HEADER_BYTES}; ///< of a packet, behind Ethernet's

    /** @return what integers are scaled by; empty: by block, or no integers are added */
    std::optional<std::int16_t> FixedExponent() const
    {
        return adder.isExact && isFixed ? std::optional(fixedExponent) : std::nullopt;
    }

    /** @return the sequence that packets of @p phase belong to */
    std::uint32_t SequenceOf(SumPhase phase) const
    {
        return sequences > 1 && phase == SumPhase::ALL_GATHER ? 1 : 0;
    }

    /** @return how many of a switch's slots the packets of a sequence, or of a phase, have @{ */
    std::uint64_t SlotsOf(std::uint32_t sequence) const
    {
        return slots / sequences + (sequence < slots % sequences ? 1 : 0);
    }

    std::uint64_t SlotsOf(SumPhase phase) const
    {
        return SlotsOf(SequenceOf(phase));
    }

    /** @} */

    /**
     * Cuts @p sum into its packets with values: of all workers' parts in turn, where each has one. What is gathered fills as
     * many bytes, whatever the adder's type.
     */
    BlockPackets PacketsOf(const ReductionSize& sum) const
    {
        const auto words = valuesPerPacket * adder.sum->bytes / VALUE_BYTES;
        return {sum.words,
                sum.phase == SumPhase::ALL_REDUCE ? 1 : workers,
                sum.phase == SumPhase::ALL_GATHER ? std::max<std::uint64_t>(1, words) * sum.perWord
                                                  : valuesPerPacket,
                sum.oneIn};
    }

    /**
     * @return how many packets without values go ahead of those with, to tell the exponents of the first ones. What is
     * not scaled by block has none: floats, what is handed on, and words that are added @p asTheyAre.
     */
    std::uint64_t PrologueOf(const ReductionSize& sum, bool asTheyAre) const;

    /** Sizes of a full packet: of its values, as an IP packet, and on the wire from preamble to gap. (bytes) @{ */
    std::uint64_t PayloadBytes(const WordType& type) const
    {
        return type.bytes * valuesPerPacket;
    }

    std::uint64_t PacketBytes(const WordType& type) const
    {
        return headerBytes + PayloadBytes(type);
    }

    std::uint64_t FrameBytes(const WordType& type) const
    {
        return FrameWireBytes(PacketBytes(type));
    }

    /** @} */

    /** @return bytes on the wire of a packet without values */
    std::uint64_t EmptyFrameBytes() const
    {
        return FrameWireBytes(headerBytes);
    }

    /** @return the most values whose sums fit an IP packet of @p mtu bytes, which is no less than the header */
    std::uint64_t MostValues(std::uint64_t mtu) const
    {
        return (mtu - headerBytes) / adder.sum->bytes;
    }

    /** For people: "256 values make an IP packet of 44 + 4 * 256 = 1068 bytes". */
    std::string PacketText() const;

    /** @return bytes that a slot takes in a switch, all copies */
    std::uint64_t SlotBytes() const
    {
        return copies * PayloadBytes(*adder.sum);
    }

    /** @return bytes that all slots of a switch take */
    std::uint64_t UsedBytes() const
    {
        return slots * SlotBytes();
    }

    /** For people: "128 slots of 2 copies of 256 values need 256KiB". */
    std::string MemoryText() const;
};

} // namespace inca

#endif // INCA_EXCHANGE_SLOT_FORMAT_H
