/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/exchange-runner.h"

#include <algorithm>
#include <utility>

namespace inca
{

ExchangeRunner::ExchangeRunner(RankHost& host, std::uint32_t exchange, const JobChunk& chunk)
    : m_host(host),
      m_job(*host.job),
      m_chunk(chunk),
      m_rounds(chunk.rounds.size())
{
    const auto first = exchange * static_cast<std::uint32_t>(m_rounds.size());
    for (std::uint32_t i = 0; i < m_rounds.size(); ++i)
    {
        m_rounds[i].runner = std::make_unique<RoundRunner>(host, first + i, chunk);
    }
}

void
ExchangeRunner::Start(MessageSeen messageSeen, Done done)
{
    m_messageSeen = std::move(messageSeen);
    m_done = std::move(done);
    const auto atOnce = Overlaps() ? m_rounds.size() : 1;
    for (std::size_t i = 0; i < atOnce; ++i)
    {
        BeginRound(i);
    }
}

void
ExchangeRunner::BeginRound(std::size_t round)
{
    if (!IsCodedHere())
    {
        RunRound(round);
        return;
    }
    m_rounds[round].stage = Stage::ENCODES;
    m_host.codec.Run(
        Activity::CODEC, m_chunk.coding->EncodePs(round), [this, round] { RunRound(round); });
}

void
ExchangeRunner::RunRound(std::size_t round)
{
    m_rounds[round].stage = Stage::RUNS;
    if (m_chunk.rounds[round].plan->Elements() == 0)
    {
        RoundEnded(round);
        return;
    }
    m_rounds[round].runner->Start(
        InputOf(round), m_messageSeen, [this, round] { RoundEnded(round); });
}

void
ExchangeRunner::RoundEnded(std::size_t round)
{
    m_rounds[round].stage = Stage::ENDED;
    if (IsCodedHere() && m_job.HasValues())
    {
        m_rounds[round].result = ResultOf(round);
    }
    ++m_endedCount;
    if (m_endedCount == m_rounds.size())
    {
        AllEnded();
    }
    else if (!Overlaps())
    {
        BeginRound(m_endedCount);
    }
}

void
ExchangeRunner::AllEnded()
{
    const auto finish = [this] {
        const auto done = std::move(m_done); // whoever is told may end this object
        done();
    };
    if (!IsCodedHere())
    {
        m_outcome.values = m_rounds.front().runner->TakeValues();
        finish();
        return;
    }
    m_decodes = true;
    m_host.codec.Run(Activity::CODEC, m_chunk.coding->DecodePs(), [this, finish] {
        Decode();
        finish();
    });
}

void
ExchangeRunner::Decode()
{
    if (!m_job.HasValues())
    {
        return;
    }
    std::vector<RoundResult> results;
    for (auto& round : m_rounds)
    {
        results.push_back(std::move(round.result));
    }
    const auto values = std::make_shared<std::vector<float>>(m_chunk.range.count);
    m_outcome.report = m_chunk.coding->Decode(results, *values);
    const auto decoded = [values](ElementRange range, Word* out) {
        CopyBits(values->data() + range.begin, range.count, out);
    };
    m_outcome.values =
        std::make_unique<RankValues>(ElementRange{0, m_chunk.range.count}, decoded, ValueHooks{});
    m_outcome.rounds = std::move(results);
}

RoundInput
ExchangeRunner::InputOf(std::size_t round) const
{
    if (!m_job.HasValues() || !m_job.IsWorker(m_host.rank))
    {
        return {};
    }
    if (m_chunk.purpose != ExchangePurpose::GRADIENTS)
    {
        if (const auto weights = m_host.weights.Of(m_chunk))
        {
            return {weights};
        }
    }
    if (!m_chunk.coding)
    {
        const auto own = [words = WordsOf(m_job.GradientsOf(m_chunk)), rank = m_host.rank](
                             ElementRange range, Word* out) { words(rank, range, out); };
        return {own};
    }
    std::vector<RoundResult> ended;
    for (std::size_t i = 0; i < round; ++i)
    {
        ended.push_back(m_rounds[i].result);
    }
    const auto values = OwnValues();
    const auto words =
        std::make_shared<const std::vector<Word>>(m_chunk.coding->Encode(round, values, ended));
    const auto own = [words](ElementRange range, Word* out) {
        std::copy_n(words->data() + range.begin, range.count, out);
    };
    return {own, round == 0 ? m_chunk.coding->Exponent(values) : NO_EXPONENT};
}

std::vector<float>
ExchangeRunner::OwnValues() const
{
    std::vector<float> values(m_chunk.range.count);
    m_job.ownGradient(m_host.rank, m_chunk.range, values.data());
    return values;
}

RoundResult
ExchangeRunner::ResultOf(std::size_t round)
{
    RoundResult result;
    const auto elements = m_chunk.rounds[round].plan->Elements();
    auto& runner = *m_rounds[round].runner;
    if (const auto values = runner.TakeValues())
    {
        result.words.resize(elements);
        values->Read({0, elements}, result.words.data());
    }
    result.exponent = runner.LargestExponent();
    return result;
}

bool
ExchangeRunner::IsCodedHere() const
{
    return m_chunk.coding != nullptr && m_job.IsWorker(m_host.rank);
}

bool
ExchangeRunner::Overlaps() const
{
    return m_chunk.coding && m_chunk.coding->Overlaps();
}

void
ExchangeRunner::Deliver(ReceivedMessage message)
{
    m_rounds[message.tag.round % m_rounds.size()].runner->Deliver(std::move(message));
}

std::string
ExchangeRunner::State() const
{
    std::string text;
    for (const auto& round : m_rounds)
    {
        if (round.stage == Stage::RUNS)
        {
            text += (text.empty() ? "" : "; ") + round.runner->State();
        }
    }
    if (!text.empty())
    {
        return text;
    }
    return m_decodes ? "is decoding" : m_done ? "is encoding" : m_rounds.front().runner->State();
}

ExchangeOutcome
ExchangeRunner::TakeOutcome()
{
    return std::move(m_outcome);
}

} // namespace inca
