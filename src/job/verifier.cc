/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/verifier.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "exchange/collectives.h"
#include "job/chunk-replay.h"
#include "job/coded-replay.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace inca
{

namespace
{

constexpr const char* g_replay = "the replay without a clock";

/** @return the values that workers hold */
WorkerValues
ValuesIn(const std::vector<ExchangeOutcome>& results)
{
    return [&results](Rank worker) -> RankValues& { return *results[worker].values; };
}

/** The words of worker 0, and what of them others hold alone. */
std::vector<RoundResult>
HeldTogether(const std::vector<ExchangeOutcome>& results)
{
    auto all = *results.front().rounds;
    for (const auto& other : results)
    {
        for (std::size_t round = 0; round < all.size(); ++round)
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

} // namespace

Verifier::Verifier(std::shared_ptr<const TrainingJob> job)
    : m_job(std::move(job)),
      m_own(m_job->workers),
      m_errors(m_job->chunks.size())
{
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
    if (++m_taken[exchange] == m_job->ChunkOf(exchange).MemberCount())
    {
        const auto complete = std::move(results);
        m_open.erase(exchange);
        m_taken.erase(exchange);
        Check({exchange, &complete, 1}, nullptr);
    }
}

void
Verifier::Replay(std::uint32_t exchange, std::uint64_t times, CodedSizes* sizes)
{
    Check({exchange, nullptr, times}, sizes);
}

void
Verifier::ReplayAll(const std::function<CodedSizes*(std::uint32_t chunk)>& sizesOf)
{
    const auto chunks = static_cast<std::uint32_t>(m_job->chunks.size());
    const auto ofFirst = m_job->exchangedBatches;
    const auto all = m_job->BatchCount();
    const auto others = all - ofFirst;
    const auto early = m_job->earlyChunks.empty() ? 0 : all - all / ofFirst;
    const auto gathers = [this](std::uint32_t chunk) {
        return m_job->chunks[chunk].purpose != ExchangePurpose::GRADIENTS;
    };
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk)
    {
        const auto exchange = (ofFirst - 1) * chunks + chunk; // with weights made in it
        const auto times = gathers(chunk) ? ofFirst : all - early;
        Replay(exchange, times, sizesOf ? sizesOf(chunk) : nullptr);
        if (early > 0 && !gathers(chunk))
        {
            Replay(chunk, early);
        }
    }
    for (std::uint32_t chunk = 0; others > 0 && chunk < chunks; ++chunk)
    {
        if (gathers(chunk)) // of weights that were updated
        {
            Replay(ofFirst * chunks + chunk, others);
        }
    }
}

SumErrors
Verifier::Errors() const
{
    SumErrors all;
    for (const auto& ofBucket : ErrorsByBucket())
    {
        all.Add(ofBucket);
    }
    return all;
}

std::vector<SumErrors>
Verifier::ErrorsByBucket() const
{
    std::vector<SumErrors> errors;
    for (const auto& bucket : m_job->buckets)
    {
        auto& all = errors.emplace_back();
        for (const auto chunk : bucket.chunks)
        {
            all.Add(m_errors[chunk]);
        }
    }
    return errors;
}

std::uint64_t
Verifier::Due() const
{
    std::uint64_t values = 0;
    for (const auto& chunk : m_job->chunks)
    {
        const bool isInShards = SharesOutSums(chunk.Means());
        values += chunk.ValueCount() *
                  (isInShards ? chunk.InCommunicators().size() : chunk.MemberCount());
    }
    return values * m_job->BatchCount();
}

double
Verifier::DoneShare() const
{
    return Due() > 0 ? static_cast<double>(m_compared) / static_cast<double>(Due()) : 0;
}

void
Verifier::Check(const Subject& subject, CodedSizes* sizes)
{
    m_exchange = subject.exchange;
    m_job->ChunkOf(m_exchange).coding ? CheckCoded(subject) : CheckValues(subject, sizes);
}

void
Verifier::CheckValues(const Subject& subject, CodedSizes* sizes)
{
    const auto& chunk = m_job->ChunkOf(m_exchange);
    const auto* const results = subject.results;
    const bool isSum = chunk.Means() == Meaning::SUM || SharesOutSums(chunk.Means());
    const auto& hooks = chunk.rounds.front().hooks;
    const bool isReplayed = results == nullptr || hooks.IsNetworkExact() || !isSum;
    const auto replay = isReplayed ? MakeReplay(m_exchange, sizes) : nullptr;
    const bool isOfIntegers = hooks.NetworkAdds() && hooks.IsNetworkExact();
    const bool isRounded =
        results != nullptr ? !hooks.IsNetworkExact() : !m_job->coding.IsSome() && !isOfIntegers;
    const auto hold = [&](const WorkerValues& valuesOf) {
        return HeldOf(m_members, chunk, valuesOf, m_window);
    };
    const auto check = [&] {
        const auto got = hold(results != nullptr ? ValuesIn(*results) : replay->Values());
        if (results != nullptr && replay)
        {
            Compare(got, hold(replay->Values()).words, g_replay);
        }
        else if (!replay || chunk.Means() == Meaning::ALL_GATHER)
        {
            CompareAll(got, got.words.front(), Text("worker ", m_members.front()));
        }
        if (!isSum)
        {
            if (const auto moved = MovedBy(chunk))
            {
                m_job->coding.IsSome() ? MeasureMoved(subject.times, got, moved)
                                       : RequireMoved(got, moved);
            }
            m_compared += subject.times * m_window.count * got.words.size();
            return;
        }
        if (isRounded)
        {
            RequireSums(got.words);
        }
        KeepWeights(got.words.front());
        Measure(subject.times, got.words);
    };
    const auto communicators = chunk.InCommunicators();
    ForEachWindow(m_exchange, [&] {
        if (replay)
        {
            replay->Run(m_window);
        }
        for (const auto& members : communicators)
        {
            LookAt(members);
            check();
        }
    });
    m_misfits += results == nullptr && isSum ? subject.times * replay->Misfits() : 0;
}

void
Verifier::CheckCoded(const Subject& subject)
{
    const auto& chunk = m_job->ChunkOf(m_exchange);
    const auto* const results = subject.results;
    const auto& rounds = chunk.rounds;
    const bool isReplayed =
        results == nullptr || std::all_of(rounds.begin(), rounds.end(), [](const JobRound& round) {
            return round.hooks.IsNetworkExact();
        });
    const auto reference = isReplayed ? ReplayCoded(*m_job, chunk)
                                      : CheckCodedWords(*m_job, chunk, HeldTogether(*results));
    std::vector<Word> expected;
    HeldWords got;
    std::uint64_t beyond = 0;
    const auto members = chunk.InCommunicators().front();
    ForEachWindow(m_exchange, [&] {
        LookAt(members);
        expected.resize(m_window.count);
        CopyBits(&reference.values[m_window.begin], m_window.count, expected.data());
        got.words.assign(chunk.Means() == Meaning::REDUCE_SCATTER ? 1 : m_job->workers,
                         expected.data());
        if (results != nullptr)
        {
            got = HeldOf(m_members, chunk, ValuesIn(*results), m_window);
            CompareAll(
                got, expected.data(), isReplayed ? g_replay : "decoding the words that were held");
        }
        beyond += CountBeyond(expected.data(), reference.errorBound);
        KeepWeights(expected.data());
        Measure(subject.times, got.words);
    });
    const auto [estimated, marked] = reference.report;
    if (beyond > estimated)
    {
        throw InvariantError(Text("exchange ",
                                  m_exchange,
                                  ": ",
                                  beyond,
                                  " values are further than ",
                                  reference.errorBound,
                                  " from their sum, but only ",
                                  estimated,
                                  " were estimated"));
    }
    if (results != nullptr)
    {
        CheckEstimates(subject, reference);
    }
    auto& errors = m_errors[m_exchange % m_errors.size()];
    errors.estimated += subject.times * estimated;
    errors.marked += subject.times * marked;
}

/** Every worker estimates as many values, or all together where each decodes a shard. */
void
Verifier::CheckEstimates(const Subject& subject, const CodedReference& reference) const
{
    const bool isOfShards = m_job->ChunkOf(m_exchange).coding->ShardsOfValues() != nullptr;
    std::uint64_t estimated = 0;
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        estimated = (isOfShards ? estimated : 0) + (*subject.results)[worker].report.estimated;
        const bool isAll = !isOfShards || worker + 1 == m_job->workers;
        if (isAll && estimated != reference.report.estimated)
        {
            throw InvariantError(Text("exchange ",
                                      m_exchange,
                                      ", worker ",
                                      worker,
                                      ": ",
                                      estimated,
                                      " values were estimated, but ",
                                      reference.report.estimated,
                                      " should be"));
        }
    }
}

std::unique_ptr<ClocklessReplay>
Verifier::MakeReplay(std::uint32_t exchange, CodedSizes* sizes) const
{
    const auto& chunk = m_job->ChunkOf(exchange);
    const auto own = chunk.purpose != ExchangePurpose::GRADIENTS ? WeightsBefore(exchange)
                                                                 : WordsOf(Gradients());
    const auto count = [sizes](const PlannedSend& send,
                               const Transfer& transfer,
                               ElementRange part,
                               const Word* words) { sizes->Add(send, transfer, part, words); };
    return ReplayOf(*m_job, chunk, own, sizes != nullptr ? SendSeen(count) : SendSeen());
}

/** What each worker has before a gather: owners what counts. */
WorkerWords
Verifier::WeightsBefore(std::uint32_t exchange) const
{
    const auto& chunk = m_job->ChunkOf(exchange);
    if (m_job->IterationOf(exchange) == 0)
    {
        return WordsOf(m_job->GradientsOf(chunk));
    }
    std::vector<const std::vector<Word>*> weights(m_job->workers); // by worker
    for (const auto& members : chunk.InCommunicators())
    {
        for (const auto worker : members)
        {
            weights[worker] = &m_weights.at({chunk.range.begin, members.front()});
        }
    }
    return [weights](Rank worker, ElementRange range, Word* out) {
        std::copy_n(&(*weights[worker])[range.begin], range.count, out);
    };
}

/** Of the window, for the gathers that follow, if there are any. */
void
Verifier::KeepWeights(const Word* words)
{
    const auto& chunk = m_job->ChunkOf(m_exchange);
    if (chunk.Means() == Meaning::REDUCE_SCATTER && m_job->IsOfLastBatch(m_exchange))
    {
        auto& weights = m_weights[{chunk.range.begin, m_members.front()}];
        weights.resize(chunk.ValueCount());
        std::copy_n(words, m_window.count, &weights[m_window.begin]);
    }
}

/** Does @p action in each window, of gradients with their sum. */
template <typename Action>
void
Verifier::ForEachWindow(std::uint32_t exchange, const Action& action)
{
    const auto& chunk = m_job->ChunkOf(exchange);
    for (const auto& window : ValueWindows(*m_job, chunk))
    {
        ThrowIfInterrupted();
        m_window = window;
        if (chunk.purpose == ExchangePurpose::GRADIENTS)
        {
            TakeGradients();
        }
        action();
        if (atWindow)
        {
            atWindow();
        }
    }
}

/** Draws or reads the gradients of the window, once, and adds them. */
void
Verifier::TakeGradients()
{
    const auto gradients = m_job->GradientsOf(m_job->ChunkOf(m_exchange));
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        m_own[worker].resize(m_window.count);
        gradients(worker, m_window, m_own[worker].data());
    }
}

/** Looks at the workers of one communicator, in the window. */
void
Verifier::LookAt(const Communicator& members)
{
    const auto& chunk = m_job->ChunkOf(m_exchange);
    m_members = members;
    m_summed = chunk.SummedFor(members);
    if (chunk.purpose == ExchangePurpose::GRADIENTS)
    {
        m_sum = SumOfTerms(AddTerm);
    }
}

/** Of each value: workers, or all their GPUs. */
std::uint32_t
Verifier::TermCount() const
{
    return static_cast<std::uint32_t>(m_summed.size()) * m_job->gpusOfWorker;
}

/** What @p add makes of workers' gradients, or of those of all GPUs: a block at a time, as caches hold it. */
std::vector<double>
Verifier::SumOfTerms(decltype(AddTerm)& add) const
{
    const auto ofGpus =
        m_job->gpuGradient ? m_job->TermsOf(m_job->ChunkOf(m_exchange)) : WorkerGradient();
    std::vector<double> sum(m_window.count, 0);
    std::vector<float> room(WORD_BLOCK);
    for (std::uint64_t begin = 0; begin < m_window.count; begin += WORD_BLOCK)
    {
        const auto count = std::min<std::uint64_t>(WORD_BLOCK, m_window.count - begin);
        for (const auto worker : m_summed)
        {
            for (Rank gpu = 0; ofGpus && gpu < m_job->gpusOfWorker; ++gpu)
            {
                ofGpus(worker * m_job->gpusOfWorker + gpu,
                       {m_window.begin + begin, count},
                       room.data());
                add(room.data(), count, &sum[begin]);
            }
            if (!ofGpus)
            {
                add(&m_own[worker][begin], count, &sum[begin]);
            }
        }
    }
    return sum;
}

/** Workers' gradients, in the window. */
WorkerGradient
Verifier::Gradients() const
{
    return [this](Rank worker, ElementRange range, float* out) {
        std::copy_n(&m_own[worker][range.begin - m_window.begin], range.count, out);
    };
}

/** @param source of what is expected, for people */
void
Verifier::Compare(const HeldWords& got,
                  const std::vector<const Word*>& expected,
                  const std::string& source) const
{
    for (std::size_t i = 0; i < got.words.size(); ++i)
    {
        const auto* const words = got.words[i];
        if (!AreEqual(words, expected[i], m_window.count))
        {
            const auto end = words + m_window.count;
            const auto at = std::mismatch(words, end, expected[i]).first - words;
            const auto holder = got.shards.empty() ? Text("worker ", m_members[i]) : "a shard";
            const auto value = ValueName(static_cast<std::uint64_t>(at));
            const auto held = FloatOf(words[at]);
            const auto right = FloatOf(expected[i][at]);
            throw InvariantError(Text("exchange ",
                                      m_exchange,
                                      ", ",
                                      holder,
                                      value,
                                      held,
                                      " but ",
                                      source,
                                      " gives ",
                                      right));
        }
    }
}

/** All of them with the same. */
void
Verifier::CompareAll(const HeldWords& got, const Word* expected, const std::string& source) const
{
    Compare(got, std::vector<const Word*>(got.words.size(), expected), source);
}

/** @throws InvariantError if a value is further from its sum than any order of additions explains */
void
Verifier::RequireSums(const std::vector<const Word*>& got) const
{
    const auto magnitudes = SumOfTerms(AddMagnitudes);
    for (std::size_t copy = 0; copy < got.size(); ++copy)
    {
        const auto* const words = got[copy];
        const bool isKnown = copy > 0 && AreEqual(words, got[copy - 1], m_window.count);
        for (std::uint64_t i = 0; !isKnown && i < m_window.count; ++i)
        {
            const double value = FloatOf(words[i]);
            if (!IsSum(value, m_sum[i], magnitudes[i]))
            {
                throw InvariantError(Text("exchange ",
                                          m_exchange,
                                          ValueName(i),
                                          value,
                                          ", which no order of additions makes of ",
                                          m_sum[i]));
            }
        }
    }
}

/** @return what a chunk moves that adds nothing; empty: of gathers, which only replays know */
Verifier::Moved
Verifier::MovedBy(const JobChunk& chunk) const
{
    const auto count = m_window.count;
    const auto workers = static_cast<Rank>(m_members.size());
    const auto meaning = chunk.Means();
    if (meaning == Meaning::ALL_GATHER)
    {
        return {};
    }
    if (meaning == Meaning::TRANSPOSE)
    {
        const auto& exchange = chunk.rounds.front().exchange;
        ExchangeSpec equal;
        equal.workers = workers;
        const bool areEqual = exchange == nullptr || exchange->shares == nullptr;
        const auto blocks =
            areEqual ? AllToAllBlocks(equal, count) : AllToAllBlocks(*exchange, chunk.range.count);
        return [blocks](Rank from, Rank to) {
            return std::pair(blocks.Sent(from, to), blocks.Got(from, to).begin);
        };
    }
    if (meaning == Meaning::DISPATCH)
    {
        const auto oneIn = chunk.rounds.front().plan->OneIn();
        return [count, workers, oneIn](Rank from, Rank to) {
            const auto part = PartOf(BlockOf(count, workers, from), from, to, oneIn);
            return std::pair(part, part.begin);
        };
    }
    const bool isToAll = meaning == Meaning::BROADCAST;
    return [count, workers, isToAll](Rank from, Rank to) {
        const bool isSent = from == 0 && (isToAll || to + 1 == workers);
        return std::pair(ElementRange{0, isSent ? count : 0}, std::uint64_t{0});
    };
}

/** @throws InvariantError if a worker has not got what @p moved says, and has not all else as it was */
void
Verifier::RequireMoved(const HeldWords& got, const Moved& moved) const
{
    const auto workers = static_cast<Rank>(m_members.size());
    std::vector<std::vector<Word>> expected(workers, std::vector<Word>(m_window.count));
    std::vector<const Word*> words;
    for (Rank to = 0; to < workers; ++to)
    {
        CopyBits(m_own[m_members[to]].data(), m_window.count, expected[to].data());
        for (Rank from = 0; from < workers; ++from)
        {
            const auto [sent, begin] = moved(from, to);
            if (from != to && sent.count > 0)
            {
                CopyBits(&m_own[m_members[from]][sent.begin], sent.count, &expected[to][begin]);
            }
        }
        words.push_back(expected[to].data());
    }
    Compare(got, words, "what was sent");
}

/** How far what workers got, whose codec may lose, is from what was sent. */
void
Verifier::MeasureMoved(std::uint64_t times, const HeldWords& got, const Moved& moved)
{
    auto& errors = m_errors[m_exchange % m_errors.size()];
    const auto workers = static_cast<Rank>(m_members.size());
    for (Rank to = 0; to < workers; ++to)
    {
        for (Rank from = 0; from < workers; ++from)
        {
            const auto [sent, begin] = moved(from, to);
            if (from != to && sent.count > 0)
            {
                const auto* const first = &m_own[m_members[from]][sent.begin];
                errors.TakeWindow({got.words[to] + begin}, {first, first + sent.count}, times);
            }
        }
    }
}

/** Whether some order of additions makes @p held. */
bool
Verifier::IsSum(double held, double sum, double magnitude) const
{
    const auto& hooks = m_job->ChunkOf(m_exchange).rounds.front().hooks;
    const auto& isSum = hooks.network.isSum ? hooks.network.isSum : hooks.inNodes.isSum;
    const auto type = m_job->HeldType();
    if (!isSum)
    {
        return IsOfSomeOrder(std::fabs(held - sum), magnitude, TermCount(), type);
    }
    // GPUs have added what workers send, and what workers hold is rounded, too: to 16 bits.
    const auto spare =
        type.narrow ? 2 * TermCount() * type.unitRoundoff * magnitude + type.smallest : 0;
    return !(magnitude + spare < type.largest) ||
           isSum(held, std::clamp(held, sum - spare, sum + spare), magnitude + spare);
}

/** @return how many values are further than @p bound from the sums of what workers have coded; all hold the same */
std::uint64_t
Verifier::CountBeyond(const Word* got, double bound) const
{
    const auto type = m_job->HeldType();
    auto sums = m_sum;
    if (m_job->gpuGradient)
    {
        sums.assign(m_window.count, 0);
        for (const auto& own : m_own)
        {
            AddTerm(own.data(), own.size(), sums.data());
        }
    }
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

/** @param got by worker, or by whoever has a sum */
void
Verifier::Measure(std::uint64_t times, const std::vector<const Word*>& got)
{
    m_compared += times * m_window.count * got.size();
    const auto there = Clip(m_window, {0, m_job->ChunkOf(m_exchange).range.count});
    m_sum.resize(there.count); // zeros that make shards equal are none of the job's values
    m_errors[m_exchange % m_errors.size()].TakeWindow(got, m_sum, times);
}

/** ": value 17 is ", counted through the model; the place is the window's. */
std::string
Verifier::ValueName(std::uint64_t place) const
{
    return Text(
        ": value ", m_job->ChunkOf(m_exchange).range.begin + m_window.begin + place, " is ");
}

} // namespace inca
