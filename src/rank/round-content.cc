/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/round-content.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "transport/gradient-payload.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace inca
{

RoundContent::RoundContent(const RankHost& host, const JobChunk& chunk, std::uint32_t round)
    : m_host(host),
      m_job(*host.job),
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

void
RoundContent::Put(ElementRange range, SharedBytes words, bool updates)
{
    m_words->Put(range, std::move(words));
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
        return {bytes, AsFilled(transfer, m_input.own)}; // nothing was received yet
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
    return {bytes, AsFilled(transfer, read)};
}

std::shared_ptr<const PayloadSource>
RoundContent::AsFilled(const Transfer& transfer, RankValues::OwnWords words) const
{
    return m_job.IsForEngines(transfer.leg) ? MakeLazyPayload(transfer.range, std::move(words))
                                            : MakeGrowingPayload(transfer.range, std::move(words));
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
    const auto held = m_words->Held(range);
    if (auto known = held.StreamBy(&codec); known.AreThere()) // made by who sent it here
    {
        return {known.size(), MakePayload(std::move(known))};
    }
    const auto words = held.AreThere() ? held : SharedBytes::Of(ReadWords(range));
    thread_local std::vector<std::uint8_t> room; // grows once
    room.clear();
    codec.Encode(words.Floats(), range.count, room);
    LargeBytes stream(room.size());
    std::copy(room.begin(), room.end(), stream.begin());
    auto bytes = SharedBytes::Of(std::move(stream));
    if (held.AreThere())
    {
        held.KeepStream(&codec, bytes);
    }
    return {room.size(), MakePayload(std::move(bytes))};
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
    return Decoded(*codec, transfer.range.count, message.bytes);
}

/** Where its sender holds the values already, if they come out of it bit by bit; which is looked at once. */
SharedBytes
RoundContent::Decoded(const Codec& codec, std::uint64_t count, const SharedBytes& stream)
{
    auto source = stream.SourceBy(&codec);
    if (source.AreThere() && stream.ComesBack())
    {
        return source;
    }
    LargeFloats values(count);
    codec.Decode(stream.data(), stream.size(), values.data(), count);
    const auto bytes = count * sizeof(float);
    if (source.AreThere() && source.size() == bytes &&
        std::memcmp(source.data(), values.data(), bytes) == 0)
    {
        stream.SetComesBack();
        return source;
    }
    return SharedBytes::Of(std::move(values));
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
