/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/slot-stream.h"

#include "base/errors.h"
#include "base/wire-format.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace inca
{

namespace
{

void
RequireAdder(const SlotCoding& coding, WordSum words)
{
    if (words == WordSum::FP32 || (words == WordSum::INT32 && !coding.scaledFor))
    {
        throw InvariantError("words that are neither or-ed nor added by integer adders");
    }
}

} // namespace

SlotStream::SlotStream(const SlotCoding& coding, ReductionRequest request, std::uint32_t sequence)
    : m_coding(&coding),
      m_request(std::move(request)),
      m_sequence(sequence)
{
    if (m_request.words)
    {
        RequireAdder(*m_coding, *m_request.words);
    }
    if (m_request.share.phase != SumPhase::ALL_REDUCE)
    {
        m_parts.emplace(m_request.values, m_request.share.workers, ValuesPerPacket());
    }
    if (m_request.read && ExponentsAhead())
    {
        m_exponents.assign(Blocks(), NO_EXPONENT);
    }
}

std::uint64_t
SlotStream::Blocks() const
{
    const auto perBlock = ValuesPerPacket();
    return m_parts ? m_parts->Count() : (m_request.values + perBlock - 1) / perBlock;
}

std::uint64_t
SlotStream::ValuesPerPacket() const
{
    return std::uint64_t{m_coding->valuesPerPacket} * m_request.share.perWord;
}

std::uint64_t
SlotStream::WordsOf(ElementRange range) const
{
    const auto perWord = m_request.share.perWord;
    return (range.count + perWord - 1) / perWord;
}

bool
SlotStream::AreAdded() const
{
    return !m_request.words && m_request.share.phase != SumPhase::ALL_GATHER;
}

bool
SlotStream::IsOwn(std::uint64_t block) const
{
    return m_parts && m_parts->OwnerOf(block) == m_request.share.worker;
}

bool
SlotStream::Sends(const SlotTurn& turn) const
{
    return turn.block && (m_request.share.phase != SumPhase::ALL_GATHER || IsOwn(*turn.block));
}

bool
SlotStream::Gets(std::uint64_t block) const
{
    return !m_parts || IsOwn(block) == (m_request.share.phase == SumPhase::REDUCE_SCATTER);
}

SlotPacket
SlotStream::MakePacket(const SlotTurn& turn, std::uint64_t& clamped)
{
    SlotPacket packet;
    packet.number = turn.number;
    packet.sequence = static_cast<std::uint8_t>(m_sequence);
    packet.orWords = m_request.words == WordSum::OR;
    packet.exponent = m_request.words ? m_request.exponent : NO_EXPONENT;
    if (turn.exponentOf && m_request.read)
    {
        auto values = ReadBlock(*turn.exponentOf);
        packet.exponent = LargestExponent(values.data(), values.size());
        m_read[*turn.exponentOf] = std::move(values);
    }
    if (turn.block)
    {
        packet.phase = m_request.share.phase;
        packet.ofOwner = IsOwn(*turn.block);
    }
    if (Sends(turn))
    {
        packet.values = static_cast<std::uint32_t>(WordsOf(RangeOf(*turn.block)));
        packet.payload = m_request.read ? Encode(*turn.block, clamped) : nullptr;
        packet.valueBytes = static_cast<std::uint8_t>(m_coding->adder.term->bytes);
    }
    return packet;
}

std::uint64_t
SlotStream::Take(const SlotTurn& turn, const SlotPacket& sum)
{
    if (turn.exponentOf && !m_exponents.empty())
    {
        m_exponents[*turn.exponentOf] = sum.exponent;
    }
    if (!turn.block)
    {
        return 0;
    }
    m_exponentOfWords = std::max(m_exponentOfWords, sum.exponent);
    if (!Gets(*turn.block))
    {
        return 0;
    }
    if (m_request.write)
    {
        Write(*turn.block, sum);
    }
    return WordsOf(RangeOf(*turn.block)) * m_coding->adder.sum->bytes;
}

void
SlotStream::End()
{
    m_ended = true;
    const auto request = std::exchange(m_request, {}); // whoever is told may ask for more
    if (request.words && request.writeExponent)
    {
        request.writeExponent(m_exponentOfWords);
    }
    request.done();
}

ElementRange
SlotStream::RangeOf(std::uint64_t block) const
{
    if (m_parts)
    {
        return m_parts->RangeOf(block);
    }
    const auto begin = block * ValuesPerPacket();
    return {begin, std::min(ValuesPerPacket(), m_request.values - begin)};
}

std::vector<Word>
SlotStream::ReadBlock(std::uint64_t block) const
{
    const auto range = RangeOf(block);
    std::vector<Word> words(WordsOf(range));
    m_request.read(range, words.data());
    return words;
}

/** What was read of it before, once; what is sent again is read again. */
std::vector<Word>
SlotStream::TakeBlock(std::uint64_t block)
{
    const auto found = m_read.find(block);
    if (found == m_read.end())
    {
        return ReadBlock(block);
    }
    auto words = std::move(found->second);
    m_read.erase(found);
    return words;
}

std::optional<IntegerScale>
SlotStream::ScaleOf(std::uint64_t block) const
{
    if (!m_coding->scaledFor || !AreAdded())
    {
        return std::nullopt;
    }
    return IntegerScale(
        *m_coding->scaledFor, ExponentOf(block), m_coding->adder.sum->largestInteger);
}

/** Of what is scaled. */
std::int16_t
SlotStream::ExponentOf(std::uint64_t block) const
{
    return m_exponents.empty() ? m_coding->fixedExponent : m_exponents[block];
}

SharedWords
SlotStream::Encode(std::uint64_t block, std::uint64_t& clamped)
{
    auto words = TakeBlock(block);
    if (const auto scale = ScaleOf(block))
    {
        clamped += CountBeyond(words.data(), words.size(), scale->Largest());
        scale->Round(words.data(), words.size());
    }
    else if (const auto& type = *m_coding->adder.term; type.round != nullptr && AreAdded())
    {
        clamped += CountBeyond(words.data(), words.size(), type.largest);
        ChangeFloats(words.size(), words.data(), type.round);
    }
    return std::make_shared<const PacketWords>(PacketWords{std::move(words)});
}

void
SlotStream::Write(std::uint64_t block, const SlotPacket& sum)
{
    const auto range = RangeOf(block);
    if (!sum.payload || sum.payload->words.size() != WordsOf(range))
    {
        throw InvariantError("the sum of packet " + std::to_string(sum.number) +
                             " has not as many words as its block");
    }
    const auto scale = ScaleOf(block);
    if (!scale)
    {
        m_request.write(range, sum.payload->words.data());
        return;
    }
    auto words = sum.payload->words;
    scale->Restore(words.data(), words.size());
    m_request.write(range, words.data());
}

} // namespace inca
