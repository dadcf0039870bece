/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/verifier.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "job/coded-replay.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

constexpr const char* g_replay = "the replay without a clock";

constexpr double g_ofWindows{0.3}; ///< of the time that a coded chunk takes; the rest before them

/** What a value of a chunk takes, of that of a gradient: what is gathered is not drawn, and stays in place. */
double
WorkShare(const JobChunk& chunk)
{
    constexpr double ofGathers = 1.0 / 8;
    return chunk.purpose == ExchangePurpose::GRADIENTS ? 1 : ofGathers;
}

/** Of what each value takes, what it does in its window. */
double
WindowShare(const JobChunk& chunk)
{
    return chunk.coding ? g_ofWindows : 1;
}

/** Of what each value takes, what it does when it is encoded for a round. */
double
EncodingShare(const JobChunk& chunk)
{
    return (1 - g_ofWindows) / static_cast<double>(chunk.CodedRounds());
}

/** @return the values that workers hold */
ValuesOf
ValuesIn(const std::vector<ExchangeOutcome>& results)
{
    return [&results](Rank worker) -> RankValues& { return *results[worker].values; };
}

ValuesOf
ValuesIn(ClocklessReplay& replay)
{
    return [&replay](Rank worker) -> RankValues& { return replay.ValuesOf(worker); };
}

} // namespace

Verifier::Verifier(std::shared_ptr<const TrainingJob> job, Wire wire, bool exactSums)
    : m_job(std::move(job)),
      m_wire(std::move(wire)),
      m_exactSums(exactSums),
      m_window(m_job)
{
    for (const auto& chunk : m_job->chunks)
    {
        m_batchWork += WorkShare(chunk) * static_cast<double>(chunk.ValueCount() * m_job->workers);
    }
}

void
Verifier::Take(Rank rank, std::uint32_t exchange, ExchangeOutcome outcome)
{
    if (rank >= m_job->workers)
    {
        return;
    }
    auto& results = m_open[exchange];
    results.resize(m_job->workers);
    results[rank] = std::move(outcome);
    const auto& coding = Chunk(exchange).coding;
    const bool decodesAlone = rank == 0 || (coding && coding->ShardsOfValues() != nullptr);
    if (m_exactSums || !decodesAlone)
    {
        results[rank].rounds = nullptr; // others' words decode to the same, or are replayed
    }
    if (++m_taken[exchange] == m_job->workers)
    {
        const Results complete = std::move(results);
        m_open.erase(exchange);
        m_taken.erase(exchange);
        Check({exchange, &complete, 1}, nullptr);
    }
}

SumErrors
Verifier::Errors() const
{
    auto errors = m_window.Errors().Errors();
    errors.marked = m_marked;
    errors.estimated = m_estimated;
    return errors;
}

void
Verifier::Check(const Subject& subject, CodedSizes* sizes)
{
    const auto& chunk = Chunk(subject.exchange);
    chunk.coding                                  ? CheckCoded(subject)
    : chunk.purpose != ExchangePurpose::GRADIENTS ? CheckGather(subject)
                                                  : CheckSums(subject, sizes);
}

/** Whether a chunk's sums are not on all workers at its end. */
bool
Verifier::MakesShards(const JobChunk& chunk) const
{
    return m_job->GathersWeights() && chunk.purpose == ExchangePurpose::GRADIENTS;
}

void
Verifier::CheckSums(const Subject& subject, CodedSizes* sizes)
{
    const auto exchange = subject.exchange;
    const auto* const results = subject.results;
    const auto replay = results == nullptr || m_exactSums ? MakeReplay(exchange, sizes) : nullptr;
    const bool isOfIntegers = Chunk(exchange).rounds.front().hooks.network.add && m_exactSums;
    const bool isRounded = results != nullptr ? !m_exactSums : !m_wire && !isOfIntegers;
    const bool inShards = MakesShards(Chunk(exchange));
    ForEachSum(exchange, [&] {
        if (replay)
        {
            replay->Run(m_window.Range());
        }
        TakeHeld(results != nullptr ? ValuesIn(*results) : ValuesIn(*replay), inShards, m_got);
        if (results != nullptr && replay)
        {
            TakeHeld(ValuesIn(*replay), inShards, m_expected);
            Compare(m_got, m_expected, g_replay);
        }
        if (!replay)
        {
            CompareAll(m_got, m_got.words.front(), "worker 0");
        }
        if (isRounded)
        {
            m_window.RequireSums(m_got.words);
        }
        if (inShards)
        {
            KeepWeights(exchange, m_got.words.front());
        }
        Measure(subject.times, m_got.words);
    });
    m_misfits += results == nullptr ? subject.times * replay->Misfits() : 0;
}

void
Verifier::CheckGather(const Subject& subject)
{
    const auto exchange = subject.exchange;
    const auto* const results = subject.results;
    const auto replay = MakeGather(exchange);
    ForEachWindow(exchange, [&] {
        replay->Run(m_window.Range());
        TakeHeld(ValuesIn(*replay), false, m_expected);
        if (results != nullptr)
        {
            TakeHeld(ValuesIn(*results), false, m_got);
            Compare(m_got, m_expected, g_replay);
        }
        else
        {
            CompareAll(m_expected, m_expected.words.front(), "worker 0");
        }
        m_compared += subject.times * m_window.Range().count * m_job->workers;
    });
}

/** Of the window, for the gathers that follow. */
void
Verifier::KeepWeights(std::uint32_t exchange, const Word* words)
{
    if (m_job->IsOfLastBatch(exchange))
    {
        const auto& chunk = Chunk(exchange);
        auto& weights = m_weights[chunk.range.begin];
        weights.resize(chunk.ValueCount());
        std::copy_n(words, m_window.Range().count, &weights[m_window.Range().begin]);
    }
}

/** What each worker has before a gather: owners what counts. */
WorkerWords
Verifier::WeightsBefore(std::uint32_t exchange) const
{
    const auto& chunk = Chunk(exchange);
    if (m_job->IterationOf(exchange) == 0)
    {
        return inca::WordsOf(m_job->GradientsOf(chunk));
    }
    const auto* weights = &m_weights.at(chunk.range.begin);
    return [weights](Rank, ElementRange range, Word* out) {
        std::copy_n(&(*weights)[range.begin], range.count, out);
    };
}

std::unique_ptr<ClocklessReplay>
Verifier::MakeGather(std::uint32_t exchange) const
{
    const auto& round = Chunk(exchange).rounds.front();
    return std::make_unique<ClocklessReplay>(
        *round.plan, WeightsBefore(exchange), round.hooks, m_wire);
}

void
Verifier::CheckCoded(const Subject& subject)
{
    const auto exchange = subject.exchange;
    const auto* const results = subject.results;
    const auto& chunk = Chunk(exchange);
    const auto encoded = [&] { Did(chunk, EncodingShare(chunk), chunk.ValueCount()); };
    const bool isReplayed = results == nullptr || m_exactSums;
    const auto reference = isReplayed
                               ? ReplayCoded(*m_job, chunk, encoded)
                               : CheckCodedWords(*m_job, chunk, HeldTogether(*results), encoded);
    const auto* source = isReplayed ? g_replay : "decoding the words that were held";
    if (results != nullptr)
    {
        RequireEstimates(subject, reference.report, source);
    }
    const bool inShards = MakesShards(chunk);
    std::vector<Word> expected;
    std::uint64_t beyond = 0;
    ForEachSum(exchange, [&] {
        const auto& [begin, count] = m_window.Range();
        expected.resize(count);
        CopyBits(&reference.values[begin], count, expected.data());
        m_got.words.assign(inShards ? 1 : m_job->workers, expected.data());
        if (results != nullptr)
        {
            TakeHeld(ValuesIn(*results), inShards, m_got);
            CompareAll(m_got, expected.data(), source);
        }
        beyond += m_window.CountBeyond(expected.data(), reference.errorBound);
        if (inShards)
        {
            KeepWeights(exchange, expected.data());
        }
        Measure(subject.times, m_got.words);
    });
    EndCoded(subject, reference, beyond);
}

/** The words of worker 0, and what of them others hold alone. */
std::vector<RoundResult>
Verifier::HeldTogether(const Results& results)
{
    auto all = *results.front().rounds;
    for (const auto& other : results)
    {
        for (std::size_t round = 0; other.rounds && round < other.rounds->size(); ++round)
        {
            const auto& [words, exponent, held] = (*other.rounds)[round];
            for (const auto& range : held)
            {
                std::copy_n(&words[range.begin], range.count, &all[round].words[range.begin]);
            }
        }
    }
    return all;
}

void
Verifier::Replay(std::uint32_t exchange, std::uint64_t times, CodedSizes* sizes)
{
    Check({exchange, nullptr, times}, sizes);
}

void
Verifier::ReplayAll(const std::function<CodedSizes*(std::uint32_t chunk)>& sizesOf)
{
    m_replays = true;
    const auto chunks = static_cast<std::uint32_t>(m_job->chunks.size());
    const auto ofFirst = m_job->exchangedBatches;
    const auto others = m_job->BatchCount() - ofFirst;
    const auto gathers = [this](std::uint32_t chunk) {
        return m_job->chunks[chunk].purpose != ExchangePurpose::GRADIENTS;
    };
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk)
    {
        const auto exchange = (ofFirst - 1) * chunks + chunk; // with weights made in it
        const auto times = gathers(chunk) ? ofFirst : m_job->BatchCount();
        Replay(exchange, times, sizesOf ? sizesOf(chunk) : nullptr);
    }
    for (std::uint32_t chunk = 0; others > 0 && chunk < chunks; ++chunk)
    {
        if (gathers(chunk)) // of weights that were updated
        {
            Replay(ofFirst * chunks + chunk, others);
        }
    }
}

std::uint64_t
Verifier::Due() const
{
    std::uint64_t values = 0;
    for (const auto& chunk : m_job->chunks)
    {
        values += chunk.ValueCount() * (MakesShards(chunk) ? 1 : m_job->workers);
    }
    return values * m_job->BatchCount();
}

double
Verifier::DoneShare() const
{
    const auto due = m_batchWork * (m_replays ? 1 : static_cast<double>(m_job->BatchCount()));
    return due > 0 ? std::min(1.0, m_doneWork / due) : 0;
}

/** @param share of what takes time with @p values, that is done with them */
void
Verifier::Did(const JobChunk& chunk, double share, std::uint64_t values)
{
    m_doneWork += WorkShare(chunk) * share * static_cast<double>(values);
    if (atWindow)
    {
        atWindow();
    }
}

template <typename Action>
void
Verifier::ForEachWindow(std::uint32_t exchange, const Action& action)
{
    const auto& chunk = Chunk(exchange);
    for (const auto& window : WindowsOf(chunk))
    {
        ThrowIfInterrupted();
        m_window.Begin(exchange, window);
        action();
        Did(chunk, WindowShare(chunk), window.count * m_job->workers);
    }
}

/** Does @p action with all that is known of each window's sums but what the workers hold. */
template <typename Action>
void
Verifier::ForEachSum(std::uint32_t exchange, const Action& action)
{
    const auto own = m_job->GradientsOf(Chunk(exchange));
    ForEachWindow(exchange, [&] {
        m_window.TakeOwn(own);
        action();
    });
}

std::unique_ptr<ClocklessReplay>
Verifier::MakeReplay(std::uint32_t exchange, CodedSizes* sizes) const
{
    const auto& round = Chunk(exchange).rounds.front();
    const auto own = [this](Rank worker, ElementRange range, Word* out) {
        m_window.ReadOwn(worker, range, out);
    };
    const auto seen = [sizes](const PlannedSend& send,
                              const Transfer& transfer,
                              ElementRange part,
                              const Word* words) {
        if (transfer.kind == PayloadKind::GRADIENT)
        {
            sizes->Add(send, transfer.range, part, words);
        }
    };
    return std::make_unique<ClocklessReplay>(
        *round.plan, own, round.hooks, m_wire, sizes != nullptr ? SendSeen(seen) : SendSeen());
}

void
Verifier::TakeHeld(const ValuesOf& valuesOf, bool inShards, HeldWords& held) const
{
    if (inShards)
    {
        m_window.Assemble(valuesOf, held.shards);
        held.words = {held.shards.data()};
        return;
    }
    held.words = m_window.Held(valuesOf);
}

void
Verifier::Compare(const HeldWords& got, const HeldWords& expected, const char* source) const
{
    const bool inShards = got.words.size() < m_job->workers;
    for (std::size_t i = 0; i < got.words.size(); ++i)
    {
        const auto who = inShards ? std::string("a shard") : Text("worker ", i);
        m_window.Compare(who, got.words[i], expected.words[i], source);
    }
}

/** All of them with the same. */
void
Verifier::CompareAll(const HeldWords& got, const Word* expected, const char* source) const
{
    Compare(got, {std::vector<const Word*>(got.words.size(), expected), {}}, source);
}

/** Every worker estimates as many values, or all together where each decodes a shard. */
void
Verifier::RequireEstimates(const Subject& subject,
                           const ChunkReport& expected,
                           const char* source) const
{
    const auto exchange = subject.exchange;
    const auto& results = *subject.results;
    const bool isOfShards = Chunk(exchange).coding->ShardsOfValues() != nullptr;
    std::uint64_t estimated = 0;
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        estimated = (isOfShards ? estimated : 0) + results[worker].report.estimated;
        const bool isAll = !isOfShards || worker + 1 == m_job->workers;
        if (isAll && estimated != expected.estimated)
        {
            throw InvariantError(Text("exchange ",
                                      exchange,
                                      ", worker ",
                                      worker,
                                      ": ",
                                      estimated,
                                      " values were estimated, but ",
                                      expected.estimated,
                                      " by ",
                                      source));
        }
    }
}

void
Verifier::EndCoded(const Subject& subject, const CodedReference& reference, std::uint64_t beyond)
{
    const auto estimated = reference.report.estimated;
    if (beyond > estimated)
    {
        throw InvariantError(Text("exchange ",
                                  subject.exchange,
                                  ": ",
                                  beyond,
                                  " values are further than ",
                                  reference.errorBound,
                                  " from their sum, but only ",
                                  estimated,
                                  " were estimated"));
    }
    m_estimated += subject.times * estimated;
    m_marked += subject.times * reference.report.marked;
}

/** @param got by worker, or by whoever has a sum */
void
Verifier::Measure(std::uint64_t times, const std::vector<const Word*>& got)
{
    m_compared += times * m_window.Range().count * got.size();
    m_window.Measure(times, got);
}

const JobChunk&
Verifier::Chunk(std::uint32_t exchange) const
{
    return m_job->ChunkOf(exchange);
}

} // namespace inca
