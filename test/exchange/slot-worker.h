/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXCHANGE_SLOT_WORKER_H
#define INCA_TEST_EXCHANGE_SLOT_WORKER_H

#include "base/random.h"
#include "exchange/block-packets.h"
#include "exchange/network-reduction.h"
#include "exchange/slot-packet.h"
#include "exchange/slot-sender.h"
#include "exchange/slot-timeouts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** What travels in the slots for a stream. */
enum class SlotNumbers : std::uint8_t
{
    SIZES,    ///< no payload
    INTEGERS, ///< words: any int32, which wrap, or small enough if adders saturate
    BITS,     ///< words that are or-ed
    SCALED,   ///< fp32 as int32, by blocks with exponents ahead
};

/** Words: of an int32 each, or of an fp32. */
using SlotBits = std::vector<Word>;

/** One sum. */
struct SlotSum
{
    SlotNumbers numbers{SlotNumbers::SIZES};
    std::uint64_t values{1};
    SumPhase phase{SumPhase::ALL_REDUCE};

    /** Whether exponents go ahead of it. */
    bool IsScaled() const
    {
        return numbers == SlotNumbers::SCALED && phase != SumPhase::ALL_GATHER;
    }

    /** Whether its packets carry a number of the worker's, of which the largest comes back. */
    bool IsOfWords() const
    {
        return numbers == SlotNumbers::INTEGERS || numbers == SlotNumbers::BITS;
    }
};

/** What the workers of a slot network add; everything follows from the seed. */
struct SlotJob
{
    std::uint64_t seed{0};
    Rank workers{2};
    std::uint32_t slots{1};
    std::uint32_t valuesPerPacket{1};
    std::string adder{"int32"}; ///< a name of AdderNames, but fp32
    std::vector<SlotSum> streams;

    std::uint64_t BlockCount(std::size_t stream) const
    {
        const auto& sum = streams[stream];
        return sum.phase == SumPhase::ALL_REDUCE
                   ? (sum.values + valuesPerPacket - 1) / valuesPerPacket
                   : BlockPackets(sum.values, workers, valuesPerPacket).Count();
    }

    /** The packets of a worker, prologues and all. */
    std::uint64_t PacketCount() const
    {
        std::uint64_t packets = 0;
        for (std::size_t stream = 0; stream < streams.size(); ++stream)
        {
            const auto blocks = BlockCount(stream);
            packets +=
                blocks + (streams[stream].IsScaled() ? std::min<std::uint64_t>(slots, blocks) : 0);
        }
        return packets;
    }

    /** A number that goes with words, drawn behind the stream's values. */
    std::int16_t OwnWordExponent(Rank worker, std::size_t stream) const
    {
        const auto& sum = streams[stream];
        return sum.IsOfWords() && sum.phase != SumPhase::ALL_GATHER
                   ? static_cast<std::int16_t>(RandomBits(seed, worker, stream, sum.values) >> 48U)
                   : NO_EXPONENT;
    }

    SlotBits OwnBits(Rank worker, std::size_t stream) const
    {
        SlotBits bits(streams[stream].values);
        for (std::size_t i = 0; i < bits.size(); ++i)
        {
            const auto random = RandomBits(seed, worker, stream, i);
            bits[i] = streams[stream].numbers == SlotNumbers::SCALED
                          ? BitsOf(ValueOf(random))
                          : WordOf(streams[stream].numbers, random);
        }
        return bits;
    }

    /** What a worker must end with, one entry per stream, by a path that knows no slots: 0 for what it does not get. */
    std::vector<SlotBits> ExpectedBits(Rank worker) const
    {
        std::vector<SlotBits> expected;
        for (std::size_t stream = 0; stream < streams.size(); ++stream)
        {
            const auto& sum = streams[stream];
            const bool adds = sum.phase != SumPhase::ALL_GATHER;
            auto got = adds ? SumsOf(stream) : SlotBits(sum.values, 0);
            for (Rank owner = 0; owner < workers && sum.phase != SumPhase::ALL_REDUCE; ++owner)
            {
                const auto part = BlockOf(sum.values, workers, owner);
                if (adds && owner != worker)
                {
                    std::fill_n(got.data() + part.begin, part.count, 0);
                }
                else if (!adds && owner != worker && sum.numbers != SlotNumbers::SIZES)
                {
                    const auto own = OwnBits(owner, stream);
                    std::copy_n(own.data() + part.begin, part.count, got.data() + part.begin);
                }
            }
            expected.push_back(got);
        }
        return expected;
    }

    /** The largest numbers that come back with words, one entry per stream. */
    std::vector<std::int16_t> ExpectedWordExponents() const
    {
        std::vector<std::int16_t> expected(streams.size(), NO_EXPONENT);
        for (std::size_t stream = 0; stream < expected.size(); ++stream)
        {
            for (Rank worker = 0; worker < workers; ++worker)
            {
                expected[stream] = std::max(expected[stream], OwnWordExponent(worker, stream));
            }
        }
        return expected;
    }

  private:
    /** Of any sign and magnitude, mostly near others; some zeros, and few that are no numbers. */
    static float ValueOf(std::uint64_t bits)
    {
        const auto kind = bits >> 59U; // 0..31
        const auto mantissa = static_cast<float>(UniformOf(bits << 5U) - 0.5);
        if (kind == 0)
        {
            return std::numeric_limits<float>::quiet_NaN();
        }
        if (kind < 4)
        {
            return 0;
        }
        const auto near = static_cast<int>(bits % 8);
        return std::ldexp(mantissa, kind < 8 ? -near * 20 : near);
    }

    /** Any 32 bits, or an integer of which as many as there are workers fit int32. */
    std::uint32_t WordOf(SlotNumbers numbers, std::uint64_t random) const
    {
        if (numbers == SlotNumbers::BITS || adder == "int32")
        {
            return static_cast<std::uint32_t>(random);
        }
        const auto limit =
            std::numeric_limits<std::int32_t>::max() / static_cast<std::int64_t>(workers);
        const auto word = static_cast<std::int64_t>(random >> 1U) % (2 * limit + 1) - limit;
        return static_cast<std::uint32_t>(word);
    }

    /** Of all workers' words; values are scaled by packet, of which none has values of two parts. */
    SlotBits SumsOf(std::size_t stream) const
    {
        const auto& sum = streams[stream];
        SlotBits sums(sum.values, 0);
        std::vector<SlotBits> own;
        for (Rank worker = 0; worker < workers; ++worker)
        {
            own.push_back(OwnBits(worker, stream));
            for (std::size_t i = 0; i < sums.size() && sum.IsOfWords(); ++i)
            {
                const auto word = own.back()[i];
                sums[i] = sum.numbers == SlotNumbers::BITS ? sums[i] | word : sums[i] + word;
            }
        }
        const Rank parts = sum.phase == SumPhase::ALL_REDUCE ? 1 : workers;
        for (Rank part = 0; part < parts && sum.IsScaled(); ++part)
        {
            const auto range = BlockOf(sum.values, parts, part);
            std::vector<const Word*> perWorker;
            for (const auto& bits : own)
            {
                perWorker.push_back(bits.data() + range.begin);
            }
            MakeNetworkReduction({workers, AdderNamed(adder), {}, valuesPerPacket})
                .add(perWorker, range.count, sums.data() + range.begin);
        }
        return sums;
    }
};

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
    SlotWorker(const SlotJob& job, Rank rank, std::uint32_t child, SlotPatience patience)
        : m_job(job),
          m_rank(rank),
          m_child(child),
          m_sender(job.slots),
          m_timeouts(job.slots, patience.timeout, patience.doubleAfter)
    {
        for (std::size_t stream = 0; stream < job.streams.size(); ++stream)
        {
            m_own.push_back(job.OwnBits(rank, stream));
            sums.emplace_back(job.streams[stream].values, 0);
            wordExponents.push_back(NO_EXPONENT);
            m_exponents.emplace_back(job.BlockCount(stream), NO_EXPONENT);
        }
    }

    /** @return whether some have not begun */
    bool HasStreams() const
    {
        return m_begun < m_job.streams.size();
    }

    void BeginStream()
    {
        m_sender.Begin(m_begun, m_job.BlockCount(m_begun), m_job.streams[m_begun].IsScaled());
        m_timeouts.Restart();
        ++m_begun;
    }

    /** @return whether all streams have begun and ended */
    bool IsDone() const
    {
        return m_ended == m_job.streams.size();
    }

    /** @return a packet that may go now */
    std::optional<SlotPacket> TakeReady(std::int64_t now)
    {
        return Sent(m_sender.Next(), now);
    }

    /** @return a packet to be sent again */
    std::optional<SlotPacket> TakeDue(std::int64_t now)
    {
        const auto number = m_timeouts.TakeDue(now);
        return Sent(number ? m_sender.Missing(*number).value() : std::optional<SlotTurn>(), now);
    }

    std::optional<std::int64_t> NextDue() const
    {
        return m_timeouts.NextPs();
    }

    void Receive(const SlotPacket& sum)
    {
        const auto turn = m_sender.Receive(sum.number);
        if (!turn)
        {
            return;
        }
        m_timeouts.Answered(sum.number);
        ++received;
        m_ended += turn->endsStream ? 1 : 0;
        if (turn->exponentOf)
        {
            m_exponents[turn->stream][*turn->exponentOf] = sum.exponent;
        }
        else if (m_job.streams[turn->stream].IsOfWords())
        {
            auto& largest = wordExponents[turn->stream];
            largest = std::max(largest, sum.exponent);
        }
        if (turn->block && sum.payload)
        {
            Store(turn->stream, *turn->block, sum.payload->words);
        }
    }

    std::vector<SlotBits> sums; ///< per stream; sizes alone leave zeros
    std::vector<std::int16_t>
        wordExponents;         ///< the largest number that came with words, per stream
    std::uint64_t received{0}; ///< sums, each once

  private:
    std::optional<SlotPacket> Sent(const std::optional<SlotTurn>& turn, std::int64_t now)
    {
        if (!turn)
        {
            return std::nullopt;
        }
        m_timeouts.Sent(turn->number, now);
        return PacketOf(*turn);
    }

    ElementRange RangeOf(std::size_t stream, std::uint64_t block) const
    {
        const auto& sum = m_job.streams[stream];
        const std::uint64_t size = m_job.valuesPerPacket;
        return sum.phase == SumPhase::ALL_REDUCE
                   ? Clip({block * size, size}, {0, sum.values})
                   : BlockPackets(sum.values, m_job.workers, size).RangeOf(block);
    }

    SlotPacket PacketOf(const SlotTurn& turn) const
    {
        const auto& sum = m_job.streams[turn.stream];
        SlotPacket packet;
        packet.number = turn.number;
        packet.child = m_child;
        packet.exponent = m_job.OwnWordExponent(m_rank, turn.stream);
        packet.orWords = sum.numbers == SlotNumbers::BITS;
        if (turn.exponentOf)
        {
            const auto range = RangeOf(turn.stream, *turn.exponentOf);
            packet.exponent = LargestExponent(&m_own[turn.stream][range.begin], range.count);
        }
        if (turn.block)
        {
            packet.phase = sum.phase;
            packet.ofOwner =
                sum.phase != SumPhase::ALL_REDUCE && *turn.block % m_job.workers == m_rank;
        }
        if (turn.block && (sum.phase != SumPhase::ALL_GATHER || packet.ofOwner))
        {
            packet.values = static_cast<std::uint32_t>(RangeOf(turn.stream, *turn.block).count);
            packet.payload = PayloadOf(turn.stream, *turn.block);
        }
        return packet;
    }

    IntegerScale ScaleOf(std::size_t stream, std::uint64_t block) const
    {
        return {m_job.workers, m_exponents[stream][block]};
    }

    SharedWords PayloadOf(std::size_t stream, std::uint64_t block) const
    {
        if (m_job.streams[stream].numbers == SlotNumbers::SIZES)
        {
            return nullptr;
        }
        const auto range = RangeOf(stream, block);
        const auto* own = &m_own[stream][range.begin];
        SlotBits words(own, own + range.count);
        if (m_job.streams[stream].IsScaled())
        {
            ScaleOf(stream, block).Round(words.data(), words.size());
        }
        return std::make_shared<const PacketWords>(PacketWords{std::move(words)});
    }

    void Store(std::size_t stream, std::uint64_t block, SlotBits words)
    {
        if (m_job.streams[stream].IsScaled())
        {
            ScaleOf(stream, block).Restore(words.data(), words.size());
        }
        std::copy(words.begin(), words.end(), &sums[stream][RangeOf(stream, block).begin]);
    }

    const SlotJob& m_job;
    Rank m_rank;
    std::uint32_t m_child;
    SlotSender m_sender;
    SlotTimeouts m_timeouts;
    std::size_t m_begun{0};
    std::size_t m_ended{0};
    std::vector<SlotBits> m_own;
    std::vector<std::vector<std::int16_t>> m_exponents; ///< the largest, by stream and block
};

} // namespace inca

#endif // INCA_TEST_EXCHANGE_SLOT_WORKER_H
