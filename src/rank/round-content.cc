/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/round-content.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "transport/gradient-payload.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace inca
{

RoundContent::RoundContent(const RankHost& host, const JobChunk& chunk, std::uint32_t round)
    : m_host(host),
      m_job(*host.job),
      m_chunk(chunk),
      m_round(chunk.rounds[round]),
      m_isLast(round + 1 == chunk.rounds.size())
{
}

void
RoundContent::Begin(RoundInput input)
{
    m_input = std::move(input);
    if (m_job.HasValues())
    {
        m_words = std::make_unique<RankValues>(
            ElementRange{0, m_round.plan->Elements()}, m_input.own, m_round.hooks);
    }
}

std::unique_ptr<RankValues>
RoundContent::TakeWords()
{
    return std::move(m_words);
}

void
RoundContent::Receive(const Step& step, std::vector<SharedBytes> received)
{
    if (m_words)
    {
        m_words->Receive(step, std::move(received));
    }
}

void
RoundContent::HandOver(const Step& step)
{
    for (const auto& send : step.sends)
    {
        if (m_words && send.handsOver)
        {
            m_words->HandOver(send.range);
        }
    }
}

void
RoundContent::Store(ElementRange range, const Word* words, bool updates)
{
    m_words->Store(range, words);
    if (updates)
    {
        m_words->Update(range);
    }
}

SendContent
RoundContent::OfSend(const Step& step, const Transfer& transfer, bool isFirst) const
{
    const auto bytes = PlainBytes(transfer);
    if (!m_words)
    {
        return {IsHostCoded(transfer) ? CodedBytes(transfer.range) : bytes, nullptr};
    }
    if (const auto* codec = StreamOf(transfer))
    {
        return Encoded(*codec, transfer.range);
    }
    if (isFirst && m_job.IsWorker(m_host.rank))
    {
        return {bytes, MakeLazyPayload(transfer.range, m_input.own)}; // nothing was received yet
    }
    if (auto held = m_words->Held(transfer.range); held.AreThere())
    {
        return {bytes, MakePayload(std::move(held))};
    }
    if (transfer.handsOver || MayChangeWhileSent(step, transfer.range))
    {
        return {bytes, MakePayload(SharedBytes::Of(ReadWords(transfer.range)))};
    }
    const auto read = [words = m_words.get()](ElementRange range, Word* out) {
        words->Read(range, out);
    };
    return {bytes, MakeLazyPayload(transfer.range, read)};
}

/**
 * Frames are filled before a step ends, which waits for all of a send to leave, or, between the two kinds
 * of duplex, for a part of it. In a step, what is received may come before what is sent has left.
 */
bool
RoundContent::MayChangeWhileSent(const Step& step, ElementRange range) const
{
    const auto duplex = m_host.path->Duplex();
    const bool endsBefore = duplex > 0 && duplex < 1;
    return endsBefore ||
           std::any_of(step.receives.begin(), step.receives.end(), [range](const auto& receive) {
               return Clip(receive.range, range).count > 0;
           });
}

/** What makes a message's bytes of its words; null: they travel as they are. */
const Codec*
RoundContent::StreamOf(const Transfer& transfer) const
{
    if (IsHostCoded(transfer))
    {
        return m_job.hostCodec.get();
    }
    const bool isNarrow = m_job.BytesPerElement(transfer.leg) < VALUE_BYTES;
    return isNarrow ? m_job.gradientType.narrow.get() : nullptr;
}

SendContent
RoundContent::Encoded(const Codec& codec, ElementRange range) const
{
    const auto words = ReadWords(range);
    LargeFloats values(words.size());
    CopyFloats(words.data(), words.size(), values.data());
    std::vector<std::uint8_t> stream;
    codec.Encode(values.data(), values.size(), stream);
    const auto bytes = stream.size();
    return {bytes, MakePayload(SharedBytes::Of(std::move(stream)))};
}

/** By the host's codec, where only sizes travel. */
std::uint64_t
RoundContent::CodedBytes(ElementRange range) const
{
    const auto bits = static_cast<double>(range.count) * MeanBits(range);
    return static_cast<std::uint64_t>(std::floor(bits / 8));
}

LargeWords
RoundContent::ReadWords(ElementRange range) const
{
    LargeWords words(range.count);
    m_words->Read(range, words.data());
    return words;
}

SharedBytes
RoundContent::WordsOf(const Transfer& transfer, ReceivedMessage message) const
{
    const auto* codec = m_words ? StreamOf(transfer) : nullptr;
    if (codec == nullptr)
    {
        return std::move(message.bytes);
    }
    LargeFloats values(transfer.range.count);
    codec->Decode(message.bytes.data(), message.bytes.size(), values.data(), values.size());
    LargeWords words(values.size());
    CopyBits(values.data(), values.size(), words.data());
    return SharedBytes::Of(std::move(words));
}

bool
RoundContent::IsHostCoded(const Transfer& transfer) const
{
    return m_job.hostCodec != nullptr && transfer.leg == Leg::GRADIENT;
}

double
RoundContent::MeanBits(ElementRange range) const
{
    return m_job.MeanBitsOf(m_chunk, range);
}

std::uint64_t
RoundContent::WordBytes(ElementRange range) const
{
    return range.count * m_job.bytesPerElement;
}

std::uint64_t
RoundContent::PlainBytes(const Transfer& transfer) const
{
    return transfer.range.count * m_job.BytesPerElement(transfer.leg);
}

std::uint64_t
RoundContent::GradientBytes(ElementRange range) const
{
    const auto bytesPerElement = m_job.gradientType.bytes;
    if (!m_chunk.coding)
    {
        return range.count * bytesPerElement;
    }
    if (!m_isLast)
    {
        return 0;
    }
    const auto before = [this](std::uint64_t words) {
        return static_cast<std::uint64_t>(
            MulDivCeil(m_chunk.range.count, words, m_round.plan->Elements()));
    };
    return (before(range.End()) - before(range.begin)) * bytesPerElement;
}

} // namespace inca
