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
        Check(exchange, complete);
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
Verifier::Check(std::uint32_t exchange, const Results& results)
{
    const auto& chunk = Chunk(exchange);
    chunk.coding                                  ? CheckCoded(exchange, results)
    : chunk.purpose != ExchangePurpose::GRADIENTS ? CheckGather(exchange, results)
    : MakesShards(chunk)                          ? CheckShards(exchange, results)
                                                  : CheckPlain(exchange, results);
}

/** Whether a chunk's sums are not on all workers at its end. */
bool
Verifier::MakesShards(const JobChunk& chunk) const
{
    return m_job->GathersWeights() && chunk.purpose == ExchangePurpose::GRADIENTS;
}

void
Verifier::CheckPlain(std::uint32_t exchange, const Results& results)
{
    const auto replay = m_exactSums ? MakeReplay(exchange) : nullptr;
    ForEachSum(exchange, [&] {
        TakeResults(results);
        if (replay)
        {
            replay->Run(m_window.Range(), m_window.Own());
        }
        replay ? CompareWithReplay(*replay) : CheckOrderless();
        Measure(1, m_got.ofWorkers);
        if (replay)
        {
            replay->Clear();
        }
    });
}

void
Verifier::CheckShards(std::uint32_t exchange, const Results& results)
{
    const auto replay = m_exactSums ? MakeReplay(exchange) : nullptr;
    const auto got = [&results](Rank worker) -> const RankValues& {
        return *results[worker].values;
    };
    const auto expected = [&replay](Rank worker) -> const RankValues& {
        return replay->ValuesOf(worker);
    };
    ForEachSum(exchange, [&] {
        m_window.Assemble(got, m_shards);
        if (replay)
        {
            replay->Run(m_window.Range(), m_window.Own());
            m_window.Assemble(expected, m_expectedShards);
            m_window.Compare("a shard", m_shards.data(), m_expectedShards.data(), g_replay);
        }
        else
        {
            m_window.RequireSums({m_shards.data()});
        }
        KeepWeights(exchange);
        Measure(1, {m_shards.data()});
        if (replay)
        {
            replay->Clear();
        }
    });
}

void
Verifier::CheckGather(std::uint32_t exchange, const Results& results)
{
    const auto replay = MakeGather(exchange);
    ForEachWindow(exchange, [&] {
        TakeResults(results);
        replay->Run(m_window.Range());
        CompareWithReplay(*replay);
        m_compared += m_window.Range().count * m_job->workers;
    });
}

/** Of the window, for the gathers that follow. */
void
Verifier::KeepWeights(std::uint32_t exchange)
{
    if (m_job->IsOfLastBatch(exchange))
    {
        const auto& chunk = Chunk(exchange);
        auto& weights = m_weights[chunk.range.begin];
        weights.resize(chunk.ValueCount());
        std::copy_n(m_shards.data(), m_window.Range().count, &weights[m_window.Range().begin]);
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
Verifier::CheckCoded(std::uint32_t exchange, const Results& results)
{
    const auto& chunk = Chunk(exchange);
    const auto encoded = [&] { Did(chunk, EncodingShare(chunk), chunk.ValueCount()); };
    const auto reference = m_exactSums
                               ? ReplayCoded(*m_job, chunk, encoded)
                               : CheckCodedWords(*m_job, chunk, HeldTogether(results), encoded);
    const auto* source = m_exactSums ? g_replay : "decoding the words that were held";
    RequireEstimates(exchange, results, reference.report, source);
    std::uint64_t beyond = 0;
    ForEachSum(exchange, [&] {
        CompareCoded(exchange, results, reference, source);
        beyond += m_window.CountBeyond(WordsOf(reference), reference.errorBound);
        MakesShards(chunk) ? Measure(1, {m_shards.data()}) : Measure(1, m_got.ofWorkers);
    });
    EndCoded(exchange, reference, beyond, 1);
}

/** What workers hold of the window: all of it, or each a shard. */
void
Verifier::CompareCoded(std::uint32_t exchange,
                       const Results& results,
                       const CodedReference& reference,
                       const char* source)
{
    const auto* expected = WordsOf(reference);
    if (MakesShards(Chunk(exchange)))
    {
        const auto got = [&results](Rank worker) -> const RankValues& {
            return *results[worker].values;
        };
        m_window.Assemble(got, m_shards);
        m_window.Compare("a shard", m_shards.data(), expected, source);
        KeepWeights(exchange);
        return;
    }
    TakeResults(results);
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        if (!m_got.IsAsBefore(worker))
        {
            CompareWorker(worker, expected, source);
        }
    }
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
    const auto& chunk = Chunk(exchange);
    chunk.coding                                  ? ReplayWords(exchange, times)
    : chunk.purpose != ExchangePurpose::GRADIENTS ? ReplayGather(exchange, times)
                                                  : ReplayValues(exchange, times, sizes);
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
            ReplayGather(ofFirst * chunks + chunk, others);
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

void
Verifier::ReplayGather(std::uint32_t exchange, std::uint64_t times)
{
    const auto replay = MakeGather(exchange);
    ForEachWindow(exchange, [&] {
        replay->Run(m_window.Range());
        See(*replay, m_got);
        CompareCopies();
        m_compared += times * m_window.Range().count * m_job->workers;
    });
}

void
Verifier::ReplayValues(std::uint32_t exchange, std::uint64_t times, CodedSizes* sizes)
{
    const auto seen = [sizes](const PlannedSend& send,
                              const Transfer& transfer,
                              ElementRange part,
                              const Word* words) {
        if (transfer.leg == Leg::GRADIENT)
        {
            sizes->Add(send, transfer.range, part, words);
        }
    };
    const auto replay = MakeReplay(exchange, sizes != nullptr ? SendSeen(seen) : SendSeen());
    const bool isOfIntegers = Chunk(exchange).rounds.front().hooks.network.add && m_exactSums;
    const bool isRounded = !m_wire && !isOfIntegers;
    const bool makesShards = MakesShards(Chunk(exchange));
    const auto valuesOf = [&replay](Rank worker) -> const RankValues& {
        return replay->ValuesOf(worker);
    };
    ForEachSum(exchange, [&] {
        replay->Run(m_window.Range(), m_window.Own());
        if (makesShards)
        {
            m_window.Assemble(valuesOf, m_shards);
            if (isRounded)
            {
                m_window.RequireSums({m_shards.data()});
            }
            KeepWeights(exchange);
            Measure(times, {m_shards.data()});
            replay->Clear();
            return;
        }
        See(*replay, m_got);
        if (isRounded)
        {
            m_window.RequireSums(m_got.ofWorkers);
        }
        Measure(times, m_got.ofWorkers);
        replay->Clear();
    });
    m_misfits += times * replay->Misfits();
}

void
Verifier::ReplayWords(std::uint32_t exchange, std::uint64_t times)
{
    const auto& chunk = Chunk(exchange);
    const auto reference =
        ReplayCoded(*m_job, chunk, [&] { Did(chunk, EncodingShare(chunk), chunk.ValueCount()); });
    std::uint64_t beyond = 0;
    ForEachSum(exchange, [&] {
        const auto* words = WordsOf(reference);
        beyond += m_window.CountBeyond(words, reference.errorBound);
        if (MakesShards(Chunk(exchange)))
        {
            m_shards.assign(words, words + m_window.Range().count);
            KeepWeights(exchange);
            Measure(times, {words});
            return;
        }
        Measure(times, std::vector<const Word*>(m_job->workers, words));
    });
    EndCoded(exchange, reference, beyond, times);
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
Verifier::MakeReplay(std::uint32_t exchange, SendSeen seen) const
{
    const auto& round = Chunk(exchange).rounds.front();
    return std::make_unique<ClocklessReplay>(
        *round.plan, WorkerWords(), round.hooks, m_wire, std::move(seen));
}

const Word*
Verifier::WordsOf(const CodedReference& reference)
{
    const auto& [begin, count] = m_window.Range();
    m_expectedCopy.resize(count);
    CopyBits(&reference.values[begin], count, m_expectedCopy.data());
    return m_expectedCopy.data();
}

void
Verifier::See(const ClocklessReplay& replay, SeenWords& seen) const
{
    m_window.See([&replay](Rank worker) -> const RankValues& { return replay.ValuesOf(worker); },
                 seen);
}

void
Verifier::TakeResults(const Results& results)
{
    m_window.See([&results](Rank worker) -> const RankValues& { return *results[worker].values; },
                 m_got);
}

void
Verifier::CompareWithReplay(const ClocklessReplay& replay)
{
    See(replay, m_expected);
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        if (!m_got.IsAsBefore(worker) || !m_expected.IsAsBefore(worker))
        {
            CompareWorker(worker, m_expected.ofWorkers[worker], g_replay);
        }
    }
}

void
Verifier::CompareCopies() const
{
    for (Rank worker = 1; worker < m_job->workers; ++worker)
    {
        CompareWorker(worker, m_got.ofWorkers.front(), "worker 0");
    }
}

void
Verifier::CheckOrderless()
{
    CompareCopies();
    m_window.RequireSums({m_got.ofWorkers.front()});
}

void
Verifier::CompareWorker(Rank worker, const Word* expected, const char* source) const
{
    m_window.Compare(Text("worker ", worker), m_got.ofWorkers[worker], expected, source);
}

/** Every worker estimates as many values, or all together where each decodes a shard. */
void
Verifier::RequireEstimates(std::uint32_t exchange,
                           const Results& results,
                           const ChunkReport& expected,
                           const char* source) const
{
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
Verifier::EndCoded(std::uint32_t exchange,
                   const CodedReference& reference,
                   std::uint64_t beyond,
                   std::uint64_t times)
{
    const auto estimated = reference.report.estimated;
    if (beyond > estimated)
    {
        throw InvariantError(Text("exchange ",
                                  exchange,
                                  ": ",
                                  beyond,
                                  " values are further than ",
                                  reference.errorBound,
                                  " from their sum, but only ",
                                  estimated,
                                  " were estimated"));
    }
    m_estimated += times * estimated;
    m_marked += times * reference.report.marked;
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
