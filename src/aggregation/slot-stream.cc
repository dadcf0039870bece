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
RequireAdder(const WordSum& adder, const WordSum& words)
{
    if (words == WordSum::FP32 || (words == WordSum::INT32 && !adder.isExact))
    {
        throw InvariantError("words that are neither or-ed nor added by integer adders");
    }
}

} // namespace

SlotStream::SlotStream(const SlotFormat& format, ReductionRequest request)
    : m_format(&format),
      m_request(std::move(request)),
      m_sequence(format.SequenceOf(m_request.size.phase)),
      m_packets(format.PacketsOf(m_request.size)),
      m_prologue(format.PrologueOf(m_request.size, m_request.words.has_value()))
{
    if (m_request.words)
    {
        RequireAdder(format.adder, *m_request.words);
    }
    if (m_request.read && m_prologue > 0)
    {
        m_exponents.assign(Blocks(), NO_EXPONENT);
    }
}

std::uint64_t
SlotStream::WordsOf(ElementRange range) const
{
    const auto perWord = m_request.size.perWord;
    return (range.count + perWord - 1) / perWord;
}

bool
SlotStream::IsSharedOut() const
{
    return m_request.size.phase != SumPhase::ALL_REDUCE;
}

bool
SlotStream::AreAdded() const
{
    return !m_request.words && m_request.size.phase != SumPhase::ALL_GATHER;
}

bool
SlotStream::IsOwn(std::uint64_t block) const
{
    return IsSharedOut() && m_packets.OwnerOf(block) == m_request.worker;
}

bool
SlotStream::IsMine(std::uint64_t block) const
{
    return !IsSharedOut() || m_packets.IsFor(block, m_request.worker);
}

bool
SlotStream::Sends(const StreamPacket& packet) const
{
    return packet.block &&
           SendsWords(m_request.size.phase, IsOwn(*packet.block), IsMine(*packet.block));
}

SlotPacket
SlotStream::MakePacket(const StreamPacket& packet, std::uint64_t& clamped)
{
    SlotPacket made;
    made.number = packet.number;
    made.sequence = static_cast<std::uint8_t>(m_sequence);
    made.orWords = m_request.words == WordSum::OR;
    made.exponent = m_request.words ? m_request.exponent : NO_EXPONENT;
    if (packet.exponentOf && m_request.read && IsMine(*packet.exponentOf))
    {
        auto values = ReadBlock(*packet.exponentOf);
        made.exponent = LargestExponent(values.data(), values.size());
        m_read[*packet.exponentOf] = std::move(values);
    }
    if (packet.block)
    {
        made.phase = m_request.size.phase;
        made.ofOwner = IsOwn(*packet.block);
        made.asks = IsMine(*packet.block);
    }
    if (Sends(packet))
    {
        made.values = static_cast<std::uint32_t>(WordsOf(m_packets.RangeOf(*packet.block)));
        made.payload = m_request.read ? Encode(*packet.block, clamped) : nullptr;
        made.valueBytes = static_cast<std::uint8_t>(m_format->adder.term->bytes);
    }
    return made;
}

std::uint64_t
SlotStream::Take(const StreamPacket& packet, const SlotPacket& sum)
{
    if (packet.exponentOf && !m_exponents.empty())
    {
        m_exponents[*packet.exponentOf] = sum.exponent;
    }
    if (!packet.block)
    {
        return 0;
    }
    m_exponentOfWords = std::max(m_exponentOfWords, sum.exponent);
    if (!GetsWords(m_request.size.phase, IsOwn(*packet.block), IsMine(*packet.block)))
    {
        return 0;
    }
    if (m_request.write)
    {
        Write(*packet.block, sum);
    }
    return WordsOf(m_packets.RangeOf(*packet.block)) * m_format->adder.sum->bytes;
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

std::vector<Word>
SlotStream::ReadBlock(std::uint64_t block) const
{
    const auto range = m_packets.RangeOf(block);
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
    if (!m_format->adder.isExact || !AreAdded())
    {
        return std::nullopt;
    }
    return IntegerScale(m_format->workers, ExponentOf(block), m_format->adder.sum->largestInteger);
}

/** Of what is scaled. */
std::int16_t
SlotStream::ExponentOf(std::uint64_t block) const
{
    return m_exponents.empty() ? m_format->fixedExponent : m_exponents[block];
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
    else if (const auto& type = *m_format->adder.term; type.round != nullptr && AreAdded())
    {
        clamped += CountBeyond(words.data(), words.size(), type.largest);
        ChangeFloats(words.size(), words.data(), type.round);
    }
    return std::make_shared<const PacketWords>(PacketWords{std::move(words)});
}

void
SlotStream::Write(std::uint64_t block, const SlotPacket& sum)
{
    const auto range = m_packets.RangeOf(block);
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
