/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/verifier.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "exchange/interval-set.h"
#include "job/coded-replay.h"
#include "job/reference-sum.h"
#include "job/sum-rounding.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace inca
{

namespace
{

constexpr std::uint64_t g_windowElements = 1U << 16U;
constexpr const char* g_replay = "the replay without a clock";

/** Whole blocks of what the network treats together. */
std::uint64_t
WindowElements(const JobChunk& chunk)
{
    const auto block = chunk.coding ? 1 : chunk.rounds.front().hooks.network.block;
    return std::max(block, g_windowElements / block * block);
}

/** Into how many parts the network cuts a chunk before it cuts these into blocks. */
Rank
PartsOf(const JobChunk& chunk)
{
    const auto& plan = *chunk.rounds.front().plan;
    for (std::uint32_t step = 0; !chunk.coding && step < plan.StepCount(0); ++step)
    {
        if (plan.At(0, step).networkHalves == Halves::REDUCE_SCATTER)
        {
            return plan.WorkerCount();
        }
    }
    return 1;
}

constexpr double g_ofWindows{0.3}; ///< of the time that a coded chunk takes; the rest before them

/** What a value of a chunk takes, of that of a gradient: what is gathered is not drawn, and stays in place. */
double
WorkShare(const JobChunk& chunk)
{
    constexpr double ofGathers = 1.0 / 16;
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

/** A chunk's windows: parts of whole blocks, each from a part's first element on. */
std::vector<ElementRange>
WindowsOf(const JobChunk& chunk)
{
    std::vector<ElementRange> windows;
    const auto size = WindowElements(chunk);
    const auto parts = PartsOf(chunk);
    for (Rank index = 0; index < parts; ++index)
    {
        const auto part = BlockOf(chunk.ValueCount(), parts, index);
        for (auto begin = part.begin; begin < part.End(); begin += size)
        {
            windows.push_back({begin, std::min(size, part.End() - begin)});
        }
    }
    return windows;
}

} // namespace

Verifier::Verifier(std::shared_ptr<const TrainingJob> job, Wire wire, bool exactSums)
    : m_job(std::move(job)),
      m_wire(std::move(wire)),
      m_exactSums(exactSums),
      m_own(m_job->workers),
      m_got(m_job->workers),
      m_gotCopy(m_job->workers)
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
        results[rank].rounds.clear(); // others' words decode to the same, or are replayed
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
    auto errors = m_errors.Errors();
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
            replay->Run(m_window, m_own);
        }
        replay ? CompareWithReplay(exchange, *replay) : CheckOrderless(exchange);
        Measure(exchange, 1, m_got);
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
        Assemble(exchange, got, m_shards);
        if (replay)
        {
            replay->Run(m_window, m_own);
            Assemble(exchange, expected, m_expectedShards);
            Compare(exchange, "a shard", m_shards.data(), m_expectedShards.data(), g_replay);
        }
        else
        {
            RequireSum(exchange, m_shards.data(), Magnitudes(exchange));
        }
        KeepWeights(exchange);
        Measure(exchange, 1, {m_shards.data()});
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
        replay->Run(m_window);
        CompareWithReplay(exchange, *replay);
        m_compared += m_window.count * m_job->workers;
    });
}

/**
 * Puts beside each other what each worker has updated of the window.
 * @param valuesOf a worker
 * @throws InvariantError if a value is not one worker's
 */
template <typename ValuesOf>
void
Verifier::Assemble(std::uint32_t exchange, const ValuesOf& valuesOf, LargeWords& whole)
{
    whole.resize(m_window.count);
    IntervalSet owned;
    std::uint64_t count = 0;
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        const RankValues& values = valuesOf(worker);
        for (const auto& range : values.Updated())
        {
            const auto part = Clip(range, m_window);
            if (part.count > 0)
            {
                values.Read(part, &whole[part.begin - m_window.begin]);
                owned.Add(part);
                count += part.count;
            }
        }
    }
    const auto pieces = owned.Cut(m_window);
    if (count != m_window.count || pieces.size() != 1 || !pieces.front().held)
    {
        throw InvariantError(Text("exchange ",
                                  exchange,
                                  ": of values ",
                                  m_window.begin,
                                  " .. ",
                                  m_window.End(),
                                  " not each is in one worker's shard"));
    }
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
        std::copy_n(m_shards.data(), m_window.count, &weights[m_window.begin]);
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
        beyond += CountBeyond(WordsOf(reference), reference.errorBound);
        MakesShards(chunk) ? Measure(exchange, 1, {m_shards.data()}) : Measure(exchange, 1, m_got);
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
        Assemble(exchange, got, m_shards);
        Compare(exchange, "a shard", m_shards.data(), expected, source);
        KeepWeights(exchange);
        return;
    }
    TakeResults(results);
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        CompareWorker(exchange, worker, expected, source);
    }
}

/** The words of worker 0, and what of them others hold alone. */
std::vector<RoundResult>
Verifier::HeldTogether(const Results& results)
{
    auto all = results.front().rounds;
    for (const auto& other : results)
    {
        for (std::size_t round = 0; round < other.rounds.size(); ++round)
        {
            const auto& [words, exponent, held] = other.rounds[round];
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
        replay->Run(m_window);
        for (Rank worker = 0; worker < m_job->workers; ++worker)
        {
            m_got[worker] = WordsOf(replay->ValuesOf(worker), m_gotCopy[worker]);
            CompareWorker(exchange, worker, m_got.front(), "worker 0");
        }
        m_compared += times * m_window.count * m_job->workers;
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
    const bool isOfHosts = !m_wire && !Chunk(exchange).rounds.front().hooks.network.add;
    const bool makesShards = MakesShards(Chunk(exchange));
    const auto valuesOf = [&replay](Rank worker) -> const RankValues& {
        return replay->ValuesOf(worker);
    };
    ForEachSum(exchange, [&] {
        replay->Run(m_window, m_own);
        if (makesShards)
        {
            Assemble(exchange, valuesOf, m_shards);
            if (isOfHosts)
            {
                RequireSum(exchange, m_shards.data(), Magnitudes(exchange));
            }
            KeepWeights(exchange);
            Measure(exchange, times, {m_shards.data()});
            replay->Clear();
            return;
        }
        for (Rank worker = 0; worker < m_job->workers; ++worker)
        {
            m_got[worker] = WordsOf(replay->ValuesOf(worker), m_gotCopy[worker]);
        }
        if (isOfHosts)
        {
            RequireSums(exchange);
        }
        Measure(exchange, times, m_got);
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
        beyond += CountBeyond(words, reference.errorBound);
        if (MakesShards(Chunk(exchange)))
        {
            m_shards.assign(words, words + m_window.count);
            KeepWeights(exchange);
            Measure(exchange, times, {words});
            return;
        }
        std::fill(m_got.begin(), m_got.end(), words);
        Measure(exchange, times, m_got);
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
        m_window = window;
        action();
        Did(chunk, WindowShare(chunk), m_window.count * m_job->workers);
    }
}

/** Does @p action with all that is known of each window's sums but what the workers hold. */
template <typename Action>
void
Verifier::ForEachSum(std::uint32_t exchange, const Action& action)
{
    const auto own = m_job->GradientsOf(Chunk(exchange));
    ForEachWindow(exchange, [&] {
        TakeOwn(own);
        ReferenceSum(TermsOfWindow(Chunk(exchange)), m_job->TermCount(), m_window, m_sum);
        action();
    });
}

/** Draws or reads the gradients of the window. */
void
Verifier::TakeOwn(const WorkerGradient& own)
{
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        m_own[worker] = {}; // whose memory is the next one's
        LargeFloats values(m_window.count);
        own(worker, m_window, values.data());
        m_own[worker] = SharedBytes::Of(std::move(values));
    }
}

/** What is added up in the end: workers' gradients, or those of their GPUs. */
TermValues
Verifier::TermsOfWindow(const JobChunk& chunk) const
{
    return m_job->gpuGradient ? InRoom(m_job->TermsOf(chunk)) : OwnOfWindow();
}

/** The gradients of the window, drawn or read already. */
TermValues
Verifier::OwnOfWindow() const
{
    return [this](Rank worker, ElementRange range, float* /*room*/) {
        return m_own[worker].Floats() + (range.begin - m_window.begin);
    };
}

std::unique_ptr<ClocklessReplay>
Verifier::MakeReplay(std::uint32_t exchange, SendSeen seen) const
{
    const auto& round = Chunk(exchange).rounds.front();
    return std::make_unique<ClocklessReplay>(
        *round.plan, WorkerWords(), round.hooks, m_wire, std::move(seen));
}

/** @return the window's words where they are, or in @p copy */
const Word*
Verifier::WordsOf(const RankValues& values, LargeWords& copy) const
{
    if (const auto held = values.Held(m_window); held.AreThere())
    {
        return held.Words(); // which the rank holds, too
    }
    copy.resize(m_window.count);
    values.Read(m_window, copy.data());
    return copy.data();
}

const Word*
Verifier::WordsOf(const CodedReference& reference)
{
    m_expectedCopy.resize(m_window.count);
    CopyBits(&reference.values[m_window.begin], m_window.count, m_expectedCopy.data());
    return m_expectedCopy.data();
}

void
Verifier::TakeResults(const Results& results)
{
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        m_got[worker] = WordsOf(*results[worker].values, m_gotCopy[worker]);
    }
}

void
Verifier::CompareWithReplay(std::uint32_t exchange, const ClocklessReplay& replay)
{
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        CompareWorker(exchange, worker, WordsOf(replay.ValuesOf(worker), m_expectedCopy), g_replay);
    }
}

void
Verifier::CheckOrderless(std::uint32_t exchange)
{
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        CompareWorker(exchange, worker, m_got.front(), "worker 0");
    }
    RequireSum(exchange, m_got.front(), Magnitudes(exchange));
}

/** Every worker's, though they need not hold the same. */
void
Verifier::RequireSums(std::uint32_t exchange) const
{
    const auto magnitudes = Magnitudes(exchange);
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        const bool isSame =
            worker > 0 &&
            std::memcmp(m_got[worker], m_got[worker - 1], m_window.count * sizeof(Word)) == 0;
        if (!isSame)
        {
            RequireSum(exchange, m_got[worker], magnitudes);
        }
    }
}

void
Verifier::RequireSum(std::uint32_t exchange,
                     const Word* words,
                     const std::vector<double>& magnitudes) const
{
    for (std::uint64_t i = 0; i < m_window.count; ++i)
    {
        const double got = FloatOf(words[i]);
        const auto distance = std::fabs(got - m_sum[i]);
        if (!IsOfSomeOrder(distance, magnitudes[i], m_job->TermCount(), m_job->gradientType))
        {
            throw InvariantError(Text("exchange ",
                                      exchange,
                                      ": value ",
                                      Chunk(exchange).range.begin + m_window.begin + i,
                                      " is ",
                                      got,
                                      ", which no order of additions makes of ",
                                      m_sum[i]));
        }
    }
}

/** The sums of the magnitudes of what is added. */
std::vector<double>
Verifier::Magnitudes(std::uint32_t exchange) const
{
    std::vector<double> magnitudes;
    ReferenceMagnitudes(TermsOfWindow(Chunk(exchange)), m_job->TermCount(), m_window, magnitudes);
    return magnitudes;
}

void
Verifier::CompareWorker(std::uint32_t exchange,
                        Rank worker,
                        const Word* expected,
                        const char* source) const
{
    Compare(exchange, Text("worker ", worker), m_got[worker], expected, source);
}

void
Verifier::Compare(std::uint32_t exchange,
                  const std::string& who,
                  const Word* got,
                  const Word* expected,
                  const char* source) const
{
    const auto count = m_window.count;
    if (got == expected || std::memcmp(got, expected, count * sizeof(Word)) == 0)
    {
        return;
    }
    const auto at =
        static_cast<std::uint64_t>(std::mismatch(got, got + count, expected).first - got);
    throw InvariantError(Text("exchange ",
                              exchange,
                              ", ",
                              who,
                              ": value ",
                              Chunk(exchange).range.begin + m_window.begin + at,
                              " is ",
                              FloatOf(got[at]),
                              " but ",
                              source,
                              " gives ",
                              FloatOf(expected[at])));
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

/** Of the window's values, which all hold: from the sums of what workers have coded. */
std::uint64_t
Verifier::CountBeyond(const Word* got, double bound) const
{
    const auto& type = m_job->gradientType;
    std::vector<double> coded;
    if (m_job->gpuGradient)
    {
        ReferenceSum(OwnOfWindow(), m_job->workers, m_window, coded);
    }
    const auto& sums = m_job->gpuGradient ? coded : m_sum;
    std::uint64_t beyond = 0;
    for (std::size_t i = 0; i < sums.size(); ++i)
    {
        const auto value = FloatOf(got[i]);
        const bool isBeyond =
            value < type.Rounded(sums[i] - bound) || value > type.Rounded(sums[i] + bound);
        beyond += std::isfinite(sums[i]) && isBeyond ? 1 : 0;
    }
    return beyond;
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
Verifier::Measure(std::uint32_t exchange, std::uint64_t times, const std::vector<const Word*>& got)
{
    m_compared += times * m_window.count * got.size();
    const auto there = Clip(m_window, {0, Chunk(exchange).range.count});
    m_sum.resize(there.count);
    m_errors.Add(got, m_sum, times);
}

const JobChunk&
Verifier::Chunk(std::uint32_t exchange) const
{
    return m_job->ChunkOf(exchange);
}

} // namespace inca
