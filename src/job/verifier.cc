/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/verifier.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/text.h"
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

/** A chunk's windows: parts of whole blocks, each from a part's first element on. */
std::vector<ElementRange>
WindowsOf(const JobChunk& chunk)
{
    std::vector<ElementRange> windows;
    const auto size = WindowElements(chunk);
    const auto parts = PartsOf(chunk);
    for (Rank index = 0; index < parts; ++index)
    {
        const auto part = BlockOf(chunk.range.count, parts, index);
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
    if (rank > 0 || m_exactSums)
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
    Chunk(exchange).coding ? CheckCoded(exchange, results) : CheckPlain(exchange, results);
}

void
Verifier::CheckPlain(std::uint32_t exchange, const Results& results)
{
    const auto replay = m_exactSums ? MakeReplay(exchange) : nullptr;
    ForEachWindow(exchange, [&] {
        TakeResults(results);
        replay ? CheckReplayed(exchange, *replay) : CheckOrderless(exchange);
        Measure(1);
    });
}

void
Verifier::CheckCoded(std::uint32_t exchange, const Results& results)
{
    const auto& chunk = Chunk(exchange);
    const auto reference = m_exactSums ? ReplayCoded(*m_job, chunk)
                                       : CheckCodedWords(*m_job, chunk, results.front().rounds);
    const auto* source = m_exactSums ? g_replay : "decoding worker 0's words";
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        RequireEstimates(exchange, worker, results[worker].report, reference.report, source);
    }
    std::uint64_t beyond = 0;
    ForEachWindow(exchange, [&] {
        TakeResults(results);
        const auto* expected = WordsOf(reference);
        for (Rank worker = 0; worker < m_job->workers; ++worker)
        {
            Compare(exchange, worker, expected, source);
        }
        beyond += CountBeyond(reference.errorBound);
        Measure(1);
    });
    EndCoded(exchange, reference, beyond, 1);
}

void
Verifier::Replay(std::uint32_t exchange, std::uint64_t times, CodedSizes* sizes)
{
    Chunk(exchange).coding ? ReplayWords(exchange, times) : ReplayValues(exchange, times, sizes);
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
    ForEachWindow(exchange, [&] {
        replay->Run(m_window);
        for (Rank worker = 0; worker < m_job->workers; ++worker)
        {
            m_got[worker] = WordsOf(replay->ValuesOf(worker), m_gotCopy[worker]);
        }
        if (isOfHosts)
        {
            RequireSums(exchange);
        }
        Measure(times);
    });
    m_misfits += times * replay->Misfits();
}

void
Verifier::ReplayWords(std::uint32_t exchange, std::uint64_t times)
{
    const auto reference = ReplayCoded(*m_job, Chunk(exchange));
    std::uint64_t beyond = 0;
    ForEachWindow(exchange, [&] {
        std::fill(m_got.begin(), m_got.end(), WordsOf(reference));
        beyond += CountBeyond(reference.errorBound);
        Measure(times);
    });
    EndCoded(exchange, reference, beyond, times);
}

/** Does @p action with all that is known of each window but what the workers hold. */
template <typename Action>
void
Verifier::ForEachWindow(std::uint32_t exchange, const Action& action)
{
    const auto& chunk = Chunk(exchange);
    const auto own = m_job->GradientsOf(chunk);
    for (const auto& window : WindowsOf(chunk))
    {
        ThrowIfInterrupted();
        m_window = window;
        for (Rank worker = 0; worker < m_job->workers; ++worker)
        {
            m_own[worker].resize(m_window.count);
            own(worker, m_window, m_own[worker].data());
        }
        ReferenceSum(TermsOfWindow(chunk), m_job->TermCount(), m_window, m_sum);
        action();
        if (atWindow)
        {
            atWindow();
        }
    }
}

/** What is added up in the end: workers' gradients, or those of their GPUs. */
WorkerGradient
Verifier::TermsOfWindow(const JobChunk& chunk) const
{
    return m_job->gpuGradient ? m_job->TermsOf(chunk) : OwnOfWindow();
}

/** The gradients of the window, drawn or read already. */
WorkerGradient
Verifier::OwnOfWindow() const
{
    return [this](Rank worker, ElementRange range, float* out) {
        std::copy_n(&m_own[worker][range.begin - m_window.begin], range.count, out);
    };
}

std::unique_ptr<ClocklessReplay>
Verifier::MakeReplay(std::uint32_t exchange, SendSeen seen) const
{
    const auto& round = Chunk(exchange).rounds.front();
    const auto own = [this](Rank worker, ElementRange range, Word* out) {
        CopyBits(&m_own[worker][range.begin - m_window.begin], range.count, out);
    };
    return std::make_unique<ClocklessReplay>(
        *round.plan, own, round.hooks, m_wire, std::move(seen));
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
Verifier::CheckReplayed(std::uint32_t exchange, ClocklessReplay& replay)
{
    replay.Run(m_window);
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        Compare(exchange, worker, WordsOf(replay.ValuesOf(worker), m_expectedCopy), g_replay);
    }
}

void
Verifier::CheckOrderless(std::uint32_t exchange)
{
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        Compare(exchange, worker, m_got.front(), "worker 0");
    }
    const auto magnitudes = Magnitudes(exchange);
    RequireSum(exchange, 0, magnitudes);
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
            RequireSum(exchange, worker, magnitudes);
        }
    }
}

void
Verifier::RequireSum(std::uint32_t exchange,
                     Rank worker,
                     const std::vector<double>& magnitudes) const
{
    for (std::uint64_t i = 0; i < m_window.count; ++i)
    {
        const double got = FloatOf(m_got[worker][i]);
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
    const auto absolute =
        [terms = TermsOfWindow(Chunk(exchange))](Rank term, ElementRange range, float* out) {
            terms(term, range, out);
            std::transform(out, out + range.count, out, [](float x) { return std::fabs(x); });
        };
    ReferenceSum(absolute, m_job->TermCount(), m_window, magnitudes);
    return magnitudes;
}

void
Verifier::Compare(std::uint32_t exchange,
                  Rank worker,
                  const Word* expected,
                  const char* source) const
{
    const auto* got = m_got[worker];
    const auto count = m_window.count;
    if (got == expected || std::memcmp(got, expected, count * sizeof(Word)) == 0)
    {
        return;
    }
    const auto at =
        static_cast<std::uint64_t>(std::mismatch(got, got + count, expected).first - got);
    throw InvariantError(Text("exchange ",
                              exchange,
                              ", worker ",
                              worker,
                              ": value ",
                              Chunk(exchange).range.begin + m_window.begin + at,
                              " is ",
                              FloatOf(got[at]),
                              " but ",
                              source,
                              " gives ",
                              FloatOf(expected[at])));
}

void
Verifier::RequireEstimates(std::uint32_t exchange,
                           Rank worker,
                           const ChunkReport& got,
                           const ChunkReport& expected,
                           const char* source)
{
    if (got.estimated != expected.estimated)
    {
        throw InvariantError(Text("exchange ",
                                  exchange,
                                  ", worker ",
                                  worker,
                                  ": ",
                                  got.estimated,
                                  " values were estimated, but ",
                                  expected.estimated,
                                  " by ",
                                  source));
    }
}

/** Of the first worker's values, all hold the same: from the sums of what workers have coded. */
std::uint64_t
Verifier::CountBeyond(double bound) const
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
        const auto got = FloatOf(m_got.front()[i]);
        const bool isBeyond =
            got < type.Rounded(sums[i] - bound) || got > type.Rounded(sums[i] + bound);
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

void
Verifier::Measure(std::uint64_t times)
{
    m_compared += times * m_window.count * m_job->workers;
    m_errors.Add(m_got, m_sum, times);
}

const JobChunk&
Verifier::Chunk(std::uint32_t exchange) const
{
    return m_job->chunks[exchange % m_job->chunks.size()];
}

} // namespace inca
