/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/exchange-runner.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

std::vector<ElementRange>
HeldOf(const RoundResult& result, std::uint64_t words)
{
    return result.held.empty() ? std::vector<ElementRange>{{0, words}} : result.held;
}

} // namespace

ExchangeRunner::ExchangeRunner(RankHost& host, std::uint32_t exchange, const JobChunk& chunk)
    : m_host(host),
      m_job(*host.job),
      m_chunk(chunk),
      m_exchange(exchange),
      m_rounds(chunk.rounds.size()),
      m_sumRounds(chunk.coding ? chunk.CodedRounds() : chunk.rounds.size())
{
    for (std::uint32_t round = 0; round < m_rounds.size(); ++round)
    {
        MakeChannels(round);
    }
}

void
ExchangeRunner::MakeChannels(std::uint32_t round)
{
    m_rounds[round].content = std::make_unique<RoundContent>(m_host, m_chunk, round);
    auto& channels = m_rounds[round].channels;
    const auto& whole = *m_chunk.rounds[round].plan;
    const auto plans = ChannelsOf(whole, m_host.path->IsHalfDuplex());
    MakeStages(m_rounds[round], whole, plans.size());
    ChannelPlace place;
    place.round = m_exchange * m_job.RoundCount() + round;
    place.channels = static_cast<std::uint32_t>(plans.size());
    for (const auto* plan : plans)
    {
        const auto& stage = m_rounds[round].stages[whole.StageOf(place.channel)];
        place.together = static_cast<std::uint32_t>(stage.channels);
        channels.push_back(std::make_unique<ChannelRunner>(
            m_host, place, *plan, m_chunk, *m_rounds[round].content));
        ++place.channel;
        place.firstStep += plan->StepCount(m_host.rank);
    }
}

void
ExchangeRunner::MakeStages(Round& round, const StepPlan& plan, std::size_t channels)
{
    auto& stages = round.stages;
    for (std::uint32_t channel = 0; channel < channels; ++channel)
    {
        const auto number = plan.StageOf(channel);
        if (number == stages.size())
        {
            const auto awaited = plan.AwaitedBy(number);
            stages.push_back({channel, 0, 0, awaited.size(), {}});
            for (const auto before : awaited)
            {
                stages[before].waiting.push_back(number);
            }
        }
        ++stages[number].channels;
        ++stages[number].running;
    }
    round.running = stages.size();
}

void
ExchangeRunner::Start(MessageSeen messageSeen, Done done)
{
    m_messageSeen = std::move(messageSeen);
    m_done = std::move(done);
    const auto atOnce = Overlaps() ? m_sumRounds : 1;
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
        PathKind::ENCODE, m_chunk.coding->EncodePs(round), [this, round] { RunRound(round); });
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
    m_rounds[round].content->Begin(InputOf(round));
    for (const auto& channel : m_rounds[round].channels)
    {
        channel->ReserveReductions();
    }
    std::vector<std::uint32_t> firsts;
    for (std::uint32_t stage = 0; stage < m_rounds[round].stages.size(); ++stage)
    {
        if (m_rounds[round].stages[stage].awaited == 0)
        {
            firsts.push_back(stage);
        }
    }
    RunStages(round, firsts);
}

/** A channel without steps ends at once, and with the last one this object may. */
void
ExchangeRunner::RunStages(std::size_t round, const std::vector<std::uint32_t>& stages)
{
    for (const auto number : stages)
    {
        const auto& stage = m_rounds[round].stages[number];
        for (auto channel = stage.first, end = stage.first + stage.channels; channel < end;
             ++channel)
        {
            m_rounds[round].channels[channel]->Start(
                m_messageSeen, [this, round, number] { ChannelEnded(round, number); });
        }
    }
}

void
ExchangeRunner::ChannelEnded(std::size_t round, std::uint32_t stage)
{
    auto& ended = m_rounds[round].stages[stage];
    if (--ended.running > 0)
    {
        return;
    }
    if (--m_rounds[round].running == 0)
    {
        RoundEnded(round);
        return;
    }
    std::vector<std::uint32_t> next;
    for (const auto waiting : ended.waiting)
    {
        if (--m_rounds[round].stages[waiting].awaited == 0)
        {
            next.push_back(waiting);
        }
    }
    RunStages(round, next);
}

void
ExchangeRunner::RoundEnded(std::size_t round)
{
    m_rounds[round].stage = Stage::ENDED;
    if (round == m_sumRounds)
    {
        m_outcome.values = m_rounds[round].content->TakeWords();
        Finish();
        return;
    }
    if (IsCodedHere() && m_job.HasValues())
    {
        m_rounds[round].result = ResultOf(round);
    }
    ++m_endedCount;
    if (m_endedCount == m_sumRounds)
    {
        SumsEnded();
    }
    else if (!Overlaps())
    {
        BeginRound(m_endedCount);
    }
}

void
ExchangeRunner::SumsEnded()
{
    if (!IsCodedHere())
    {
        m_outcome.values = m_rounds.front().content->TakeWords();
        Finish();
        return;
    }
    m_doing = "is decoding";
    m_host.codec.Run(PathKind::DECODE, m_chunk.coding->DecodePs(), [this] {
        Decode();
        m_chunk.coding->ShardsOfValues() != nullptr ? UpdateShard() : Finish();
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
    for (std::size_t round = 0; round < m_sumRounds; ++round)
    {
        results.push_back(std::move(m_rounds[round].result));
    }
    std::vector<float> values(m_chunk.ValueCount());
    m_outcome.report = m_chunk.coding->DecodeFor(m_host.rank, results, values);
    m_decoded = std::make_shared<const std::vector<float>>(std::move(values));
    m_outcome.values = std::make_unique<RankValues>(
        ElementRange{0, m_chunk.ValueCount()}, DecodedWords(), ValueHooks{});
    m_outcome.rounds = std::make_shared<const std::vector<RoundResult>>(std::move(results));
}

/** Makes weights of what was decoded, if it is time to. */
void
ExchangeRunner::UpdateShard()
{
    const auto& shard = (*m_chunk.coding->ShardsOfValues())[m_host.rank];
    for (const auto& range : shard)
    {
        if (m_outcome.values)
        {
            m_outcome.values->Update(range);
        }
    }
    if (!m_job.IsOfLastBatch(m_exchange))
    {
        HandOn();
        return;
    }
    m_doing = "is updating";
    const auto updatePs = m_job.ShardUpdatePs(
        m_host.rank, m_job.IterationOf(m_exchange), m_chunk, {0, TotalCount(shard)});
    m_host.updateShard({m_exchange, 1, updatePs, [this] { HandOn(); }});
}

void
ExchangeRunner::HandOn()
{
    m_sumRounds < m_rounds.size() ? RunRound(m_sumRounds) : Finish();
}

void
ExchangeRunner::Finish()
{
    const auto done = std::move(m_done); // whoever is told may end this object
    done();
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
        if (const auto weights = m_host.weights.Of(m_chunk.range.begin))
        {
            return {weights};
        }
    }
    if (m_chunk.coding)
    {
        return CodedInput(round);
    }
    const auto own = [words = WordsOf(m_job.GradientsOf(m_chunk)), rank = m_host.rank](
                         ElementRange range, Word* out) { words(rank, range, out); };
    return {own};
}

RoundInput
ExchangeRunner::CodedInput(std::size_t round) const
{
    if (round == m_sumRounds)
    {
        return {DecodedWords()};
    }
    std::vector<RoundResult> ended;
    for (std::size_t i = 0; i < round; ++i)
    {
        ended.push_back(m_rounds[i].result);
    }
    const auto values = OwnValues();
    auto encoded = m_chunk.coding->Encode(round, values, ended);
    encoded.resize(m_chunk.rounds[round].plan->Elements()); // zeros make equal blocks
    const auto words = std::make_shared<const std::vector<Word>>(std::move(encoded));
    const auto own = [words](ElementRange range, Word* out) {
        std::copy_n(words->data() + range.begin, range.count, out);
    };
    return {own, round == 0 ? m_chunk.coding->Exponent(values) : NO_EXPONENT};
}

RankValues::OwnWords
ExchangeRunner::DecodedWords() const
{
    return [values = m_decoded](ElementRange range, Word* out) {
        CopyBits(values->data() + range.begin, range.count, out);
    };
}

std::vector<float>
ExchangeRunner::OwnValues() const
{
    std::vector<float> values(m_chunk.ValueCount());
    m_job.GradientsOf(m_chunk)(m_host.rank, {0, values.size()}, values.data());
    return values;
}

RoundResult
ExchangeRunner::ResultOf(std::size_t round)
{
    RoundResult result;
    const auto elements = m_chunk.rounds[round].plan->Elements();
    if (const auto values = m_rounds[round].content->TakeWords())
    {
        result.held = values->Updated(); // of phases: what is this worker's
        result.held.empty() ? result.words.resize(elements) : result.words.assign(elements, Word{});
        for (const auto& range : HeldOf(result, elements))
        {
            values->Read(range, &result.words[range.begin]);
        }
    }
    result.exponent = m_rounds[round].channels.front()->LargestExponent();
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
    const auto& channels = m_rounds[m_job.RoundOfExchange(message.tag.round)].channels;
    channels[message.tag.ordinal % channels.size()]->Deliver(std::move(message));
}

void
ExchangeRunner::VisitState(StateVisitor& visitor)
{
    visitor.State(m_endedCount << 1U | (m_done ? 1U : 0U));
    for (const auto& round : m_rounds)
    {
        visitor.State(round.running << 2U | static_cast<std::uint64_t>(round.stage));
        for (const auto& stage : round.stages)
        {
            visitor.State(std::uint64_t{stage.running} << 32U | stage.awaited);
        }
        for (const auto& channel : round.channels)
        {
            channel->VisitState(visitor);
        }
    }
}

std::string
ExchangeRunner::State() const
{
    std::string text;
    for (const auto& round : m_rounds)
    {
        if (round.stage == Stage::RUNS)
        {
            for (const auto& stage : round.stages)
            {
                for (std::size_t i = 0; stage.awaited == 0 && i < stage.channels; ++i)
                {
                    const auto& channel = *round.channels[stage.first + i];
                    text += channel.HasEnded() ? "" : (text.empty() ? "" : "; ") + channel.State();
                }
            }
        }
    }
    if (!text.empty())
    {
        return text;
    }
    return m_done ? m_doing : m_rounds.front().channels.front()->State();
}

ExchangeOutcome
ExchangeRunner::TakeOutcome()
{
    return std::move(m_outcome);
}

} // namespace inca
