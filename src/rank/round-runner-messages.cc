/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What an exchange's messages carry, and whom it waits for.
#include "rank/round-runner.h"

#include "transport/gradient-payload.h"

#include "ns3/simulator.h"

#include <cmath>

namespace inca
{

RoundRunner::Outgoing
RoundRunner::Prepare(const Transfer& transfer)
{
    Outgoing outgoing{
        {transfer.peer, m_sent[transfer.peer]++}, PlainBytes(transfer.range), nullptr};
    const bool hostCoded = IsHostCoded(transfer);
    if (RepeatsSend(m_step, m_outgoing.size()))
    {
        outgoing.bytes = m_outgoing.back().bytes;
        outgoing.payload = m_outgoing.back().payload;
        return outgoing;
    }
    if (!m_values)
    {
        if (hostCoded)
        {
            const auto bits = m_job.meanBits(InModel(transfer.range));
            outgoing.bytes = static_cast<std::uint64_t>(
                std::floor(static_cast<double>(transfer.range.count) * bits / 8));
        }
        return outgoing;
    }
    if (hostCoded)
    {
        const auto words = ReadWords(transfer.range);
        std::vector<float> values(words.size());
        CopyFloats(words.data(), words.size(), values.data());
        std::vector<std::uint8_t> stream;
        m_job.hostCodec->Encode(values.data(), values.size(), stream);
        outgoing.bytes = stream.size();
        outgoing.payload = MakeBytePayload(std::move(stream));
    }
    else if (m_stepIndex == 0 && m_host.rank < m_job.workers)
    {
        // Nothing was received yet, so these are the worker's own: made as frames are filled.
        outgoing.payload = MakeLazyPayload(transfer.range, m_input.own);
    }
    else
    {
        outgoing.payload = MakeWordPayload(ReadWords(transfer.range));
    }
    return outgoing;
}

std::vector<Word>
RoundRunner::ReadWords(ElementRange range) const
{
    std::vector<Word> words(range.count);
    m_values->Read(range, words.data());
    return words;
}

std::vector<Word>
RoundRunner::Decode(const Transfer& transfer, const ReceivedMessage& message) const
{
    if (!m_values)
    {
        return {};
    }
    if (!IsHostCoded(transfer))
    {
        return WordsOf(message.bytes);
    }
    std::vector<float> values(transfer.range.count);
    m_job.hostCodec->Decode(
        message.bytes.data(), message.bytes.size(), values.data(), values.size());
    std::vector<Word> words(values.size());
    CopyBits(values.data(), values.size(), words.data());
    return words;
}

bool
RoundRunner::Alternates() const
{
    return m_host.path->Duplex() < 1.0;
}

bool
RoundRunner::AddsOnArrival() const
{
    return m_step.combine == Combine::SUM_ALL && m_job.sumOnArrival;
}

bool
RoundRunner::IsHostCoded(const Transfer& transfer) const
{
    return m_job.hostCodec != nullptr && transfer.leg == Leg::GRADIENT;
}

std::uint64_t
RoundRunner::LeftBytes(std::uint64_t bytes) const
{
    return Alternates() ? static_cast<std::uint64_t>(
                              std::ceil((1.0 - m_host.path->Duplex()) * static_cast<double>(bytes)))
                        : bytes;
}

ElementRange
RoundRunner::InModel(ElementRange range) const
{
    return {m_chunk.range.begin + range.begin, range.count};
}

std::uint64_t
RoundRunner::PlainBytes(ElementRange range) const
{
    return range.count * m_job.bytesPerElement;
}

/**
 * What stands for @p range as gradients: itself, or, of a coded chunk, its share of the last round,
 * such that pieces add up to the whole chunk.
 */
std::uint64_t
RoundRunner::GradientBytes(ElementRange range) const
{
    if (!m_chunk.coding)
    {
        return PlainBytes(range);
    }
    if (m_roundIndex + 1 < m_chunk.rounds.size())
    {
        return 0;
    }
    const auto before = [this](std::uint64_t words) {
        const auto share =
            static_cast<double>(words) / static_cast<double>(m_round.plan->Elements());
        return static_cast<std::uint64_t>(static_cast<double>(m_chunk.range.count) * share);
    };
    return (before(range.End()) - before(range.begin)) * m_job.bytesPerElement;
}

std::optional<Rank>
RoundRunner::WaitsFor() const
{
    if (m_waitsForGrant)
    {
        return m_outgoing[m_nextSend].key.first;
    }
    for (const auto& incoming : m_incoming)
    {
        if (m_receivesBegun && !incoming.arrived)
        {
            return incoming.key.first;
        }
    }
    return std::nullopt;
}

void
RoundRunner::NoteWait()
{
    const auto now = WaitsFor();
    if (now == m_waitsFor)
    {
        return;
    }
    const auto nowPs = ns3::Simulator::Now().GetPicoSeconds();
    if (m_waitsFor)
    {
        m_host.timeline.AddWait({{m_waitSincePs, nowPs}, *m_waitsFor});
    }
    m_waitsFor = now;
    m_waitSincePs = nowPs;
}

std::string
RoundRunner::State() const
{
    const auto rounds = static_cast<std::uint32_t>(m_chunk.rounds.size());
    auto text = "exchange " + std::to_string(m_number / rounds) +
                (rounds == 1 ? "" : ", round " + std::to_string(m_roundIndex + 1)) + ", step " +
                std::to_string(m_stepIndex + 1) + " of " +
                std::to_string(m_round.plan->StepCount(m_host.rank));
    if (m_step.networkSum)
    {
        return text + ", waits for the network's sum: " + m_host.aggregation->State();
    }
    const auto peer = WaitsFor();
    if (!peer)
    {
        return text + (m_nextSend < m_outgoing.size() ? ", is sending" : ", is working");
    }
    return text +
           (m_waitsForGrant ? ", waits until it may send to " : ", waits for a message from ") +
           m_job.NameOf(*peer);
}

} // namespace inca
