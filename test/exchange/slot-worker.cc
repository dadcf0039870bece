/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-worker.h"

#include "exchange/block-packets.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace inca
{

SlotWorker::SlotWorker(const SlotJob& job, Rank rank, std::uint32_t child, SlotPatience patience)
    : m_job(job),
      m_rank(rank),
      m_child(child),
      m_sender(job.slots),
      m_timeouts(job.slots, patience.timeout, patience.doubleAfter)
{
    for (std::size_t stream = 0; stream < job.streams.size(); ++stream)
    {
        m_own.push_back(OwnBits(job, rank, stream));
        m_sums.emplace_back(job.streams[stream].values, 0);
        m_wordExponents.push_back(NO_EXPONENT);
        m_exponents.emplace_back(BlockCount(job, stream), NO_EXPONENT);
    }
}

bool
SlotWorker::HasStreams() const
{
    return m_begun < m_job.streams.size();
}

void
SlotWorker::BeginStream()
{
    const bool scaled = IsScaled(m_job.streams[m_begun]);
    m_sender.Begin(m_begun, BlockCount(m_job, m_begun), scaled);
    m_timeouts.Restart();
    ++m_begun;
}

bool
SlotWorker::IsDone() const
{
    return m_ended == m_job.streams.size();
}

std::optional<SlotPacket>
SlotWorker::TakeReady(std::int64_t now)
{
    const auto turn = m_sender.Next();
    if (!turn)
    {
        return std::nullopt;
    }
    m_timeouts.Sent(turn->number, now);
    return PacketOf(*turn);
}

std::optional<SlotPacket>
SlotWorker::TakeDue(std::int64_t now)
{
    const auto number = m_timeouts.TakeDue(now);
    if (!number)
    {
        return std::nullopt;
    }
    m_timeouts.Sent(*number, now);
    return PacketOf(m_sender.Missing(*number).value());
}

std::optional<std::int64_t>
SlotWorker::NextDue() const
{
    return m_timeouts.NextPs();
}

void
SlotWorker::Receive(const SlotPacket& sum)
{
    const auto turn = m_sender.Receive(sum.number);
    if (!turn)
    {
        return;
    }
    m_timeouts.Answered(sum.number);
    ++m_received;
    m_ended += turn->endsStream ? 1 : 0;
    if (turn->exponentOf)
    {
        m_exponents[turn->stream][*turn->exponentOf] = sum.exponent;
    }
    else if (sum.exponent > m_wordExponents[turn->stream] &&
             IsOfWords(m_job.streams[turn->stream].numbers))
    {
        m_wordExponents[turn->stream] = sum.exponent;
    }
    if (turn->block && sum.payload)
    {
        Store(turn->stream, *turn->block, sum.payload);
    }
}

ElementRange
SlotWorker::RangeOf(std::size_t stream, std::uint64_t block) const
{
    const std::uint64_t size = m_job.valuesPerPacket;
    if (m_job.streams[stream].halves != Halves::BOTH)
    {
        return BlockPackets(m_job.streams[stream].values, m_job.workers, size).RangeOf(block);
    }
    return Clip({block * size, size}, {0, m_job.streams[stream].values});
}

std::int16_t
SlotWorker::OwnExponent(std::size_t stream, std::uint64_t block) const
{
    const auto range = RangeOf(stream, block);
    return LargestExponent(&m_own[stream][range.begin], range.count);
}

SlotPacket
SlotWorker::PacketOf(const SlotTurn& turn) const
{
    SlotPacket packet;
    packet.number = turn.number;
    packet.child = m_child;
    packet.exponent = OwnWordExponent(m_job, m_rank, turn.stream);
    packet.orWords = m_job.streams[turn.stream].numbers == SlotNumbers::BITS;
    if (turn.exponentOf)
    {
        packet.exponent = OwnExponent(turn.stream, *turn.exponentOf);
    }
    const auto halves = m_job.streams[turn.stream].halves;
    if (turn.block)
    {
        packet.halves = halves;
        packet.ofOwner = halves != Halves::BOTH && *turn.block % m_job.workers == m_rank;
    }
    if (turn.block && (halves != Halves::ALL_GATHER || packet.ofOwner))
    {
        packet.values = static_cast<std::uint32_t>(RangeOf(turn.stream, *turn.block).count);
        packet.payload = PayloadOf(turn.stream, *turn.block);
    }
    return packet;
}

IntegerScale
SlotWorker::ScaleOf(std::size_t stream, std::uint64_t block) const
{
    return {m_job.workers, m_exponents[stream][block]};
}

SharedWords
SlotWorker::PayloadOf(std::size_t stream, std::uint64_t block) const
{
    const auto numbers = m_job.streams[stream].numbers;
    if (numbers == SlotNumbers::SIZES)
    {
        return nullptr;
    }
    const auto range = RangeOf(stream, block);
    const auto* own = &m_own[stream][range.begin];
    SlotBits words(own, own + range.count);
    if (IsScaled(m_job.streams[stream]))
    {
        ScaleOf(stream, block).Round(words.data(), words.size());
    }
    return std::make_shared<const PacketWords>(PacketWords{std::move(words)});
}

void
SlotWorker::Store(std::size_t stream, std::uint64_t block, const SharedWords& payload)
{
    auto words = payload->words;
    if (IsScaled(m_job.streams[stream]))
    {
        ScaleOf(stream, block).Restore(words.data(), words.size());
    }
    std::copy(words.begin(), words.end(), &m_sums[stream][RangeOf(stream, block).begin]);
}

} // namespace inca
