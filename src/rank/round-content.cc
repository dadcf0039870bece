/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/round-content.h"

#include "base/units.h"

#include "transport/gradient-payload.h"

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
RoundContent::Receive(const Step& step, const std::vector<const Word*>& received)
{
    if (m_words)
    {
        m_words->Receive(step, received);
    }
}

SendContent
RoundContent::OfSend(const Transfer& transfer, bool isFirst) const
{
    if (IsHostCoded(transfer))
    {
        return EncodedOnHost(transfer.range);
    }
    const auto bytes = PlainBytes(transfer.range);
    if (!m_words)
    {
        return {bytes, nullptr};
    }
    if (isFirst && m_host.rank < m_job.workers)
    {
        // Nothing was received yet, so these are the worker's own: made as frames are filled.
        return {bytes, MakeLazyPayload(transfer.range, m_input.own)};
    }
    return {bytes, MakeWordPayload(ReadWords(transfer.range))};
}

SendContent
RoundContent::EncodedOnHost(ElementRange range) const
{
    if (!m_words)
    {
        const auto bits = static_cast<double>(range.count) * MeanBits(range);
        return {static_cast<std::uint64_t>(std::floor(bits / 8)), nullptr};
    }
    const auto words = ReadWords(range);
    std::vector<float> values(words.size());
    CopyFloats(words.data(), words.size(), values.data());
    std::vector<std::uint8_t> stream;
    m_job.hostCodec->Encode(values.data(), values.size(), stream);
    const auto bytes = stream.size();
    return {bytes, MakeBytePayload(std::move(stream))};
}

std::vector<Word>
RoundContent::ReadWords(ElementRange range) const
{
    std::vector<Word> words(range.count);
    m_words->Read(range, words.data());
    return words;
}

std::vector<Word>
RoundContent::WordsOf(const Transfer& transfer, const ReceivedMessage& message) const
{
    if (!m_words)
    {
        return {};
    }
    if (!IsHostCoded(transfer))
    {
        return inca::WordsOf(message.bytes);
    }
    std::vector<float> values(transfer.range.count);
    m_job.hostCodec->Decode(
        message.bytes.data(), message.bytes.size(), values.data(), values.size());
    std::vector<Word> words(values.size());
    CopyBits(values.data(), values.size(), words.data());
    return words;
}

bool
RoundContent::IsHostCoded(const Transfer& transfer) const
{
    return m_job.hostCodec != nullptr && transfer.leg == Leg::GRADIENT;
}

double
RoundContent::MeanBits(ElementRange range) const
{
    return m_job.meanBits({m_chunk.range.begin + range.begin, range.count});
}

std::uint64_t
RoundContent::PlainBytes(ElementRange range) const
{
    return range.count * m_job.bytesPerElement;
}

std::uint64_t
RoundContent::GradientBytes(ElementRange range) const
{
    if (!m_chunk.coding)
    {
        return PlainBytes(range);
    }
    if (!m_isLast)
    {
        return 0;
    }
    const auto before = [this](std::uint64_t words) {
        return static_cast<std::uint64_t>(
            MulDivCeil(m_chunk.range.count, words, m_round.plan->Elements()));
    };
    return (before(range.End()) - before(range.begin)) * m_job.bytesPerElement;
}

} // namespace inca
