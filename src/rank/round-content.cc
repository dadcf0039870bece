/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/round-content.h"

#include "base/units.h"
#include "base/wire-format.h"

#include <utility>

namespace inca
{

RoundContent::RoundContent(const RankHost& host, const JobChunk& chunk, std::uint32_t round)
    : m_job(*host.job),
      m_chunk(chunk),
      m_round(chunk.rounds[round]),
      m_codedValues(round + 1 == chunk.CodedRounds() ? chunk.ValueCount() : 0)
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
    m_words->Receive(step, received);
}

void
RoundContent::Store(ElementRange range, const Word* words, const Step& step)
{
    const bool isGathered = step.phase == SumPhase::ALL_GATHER;
    m_words->Store(range, words, isGathered ? step.gathered : PayloadKind::GRADIENT);
    if (step.update)
    {
        m_words->Update(range);
    }
}

SendContent
RoundContent::OfSend(const Transfer& transfer) const
{
    if (!m_words)
    {
        return {m_job.HostBytes(m_chunk, transfer), {}};
    }
    std::vector<Word> words(transfer.range.count);
    m_words->Read(transfer.range, words.data());
    const auto* codec = StreamOf(transfer);
    if (codec == nullptr)
    {
        return {PlainBytes(transfer), SharedBytes::Of(std::move(words))};
    }
    std::vector<float> values(words.size());
    CopyFloats(words.data(), words.size(), values.data());
    std::vector<std::uint8_t> stream;
    codec->Encode(values.data(), values.size(), stream);
    const auto size = stream.size();
    return {size, SharedBytes::Of(std::move(stream))};
}

/** What makes a message's bytes of its words; null: they travel as they are. */
const Codec*
RoundContent::StreamOf(const Transfer& transfer) const
{
    if (const auto* codec = m_job.coding.HostCodecOf(transfer))
    {
        return codec;
    }
    const bool isNarrow =
        m_job.BytesPerElement(transfer.kind, transfer.crossesGroups) < VALUE_BYTES;
    return isNarrow ? m_job.TypeOf(transfer.kind).narrow.get() : nullptr;
}

SharedBytes
RoundContent::WordsOf(const Transfer& transfer, ReceivedMessage message) const
{
    const auto* codec = m_words ? StreamOf(transfer) : nullptr;
    if (codec == nullptr)
    {
        return std::move(message.bytes);
    }
    std::vector<float> values(transfer.range.count);
    codec->Decode(message.bytes.data(), message.bytes.size(), values.data(), values.size());
    return SharedBytes::Of(std::move(values));
}

std::uint64_t
RoundContent::WordBytes(ElementRange range) const
{
    return range.count * m_job.bytesPerElement;
}

std::uint64_t
RoundContent::PlainBytes(const Transfer& transfer) const
{
    return transfer.range.count * m_job.BytesPerElement(transfer.kind, transfer.crossesGroups);
}

std::uint64_t
RoundContent::OwnBytes(ElementRange range, PayloadKind kind) const
{
    const auto bytesPerElement = m_job.TypeOf(kind).bytes;
    if (!m_chunk.coding || m_round.weights)
    {
        return range.count * bytesPerElement;
    }
    if (m_codedValues == 0)
    {
        return 0;
    }
    const auto values = MulDivCeil(m_codedValues, range.count, m_round.plan->Elements());
    return static_cast<std::uint64_t>(values) * bytesPerElement;
}

} // namespace inca
