/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/checked-window.h"

#include "base/errors.h"
#include "base/text.h"
#include "base/vector-clones.h"
#include "job/sum-rounding.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace inca
{

namespace
{

constexpr std::uint64_t g_mostElements = 1U << 16U;
constexpr std::uint64_t g_leastElements = 1U << 12U; ///< fewer take less than to look for them
constexpr std::uint64_t g_valuesAtOnce = 1U << 20U;  ///< of all workers: what caches hold

/** Whole blocks of what the network treats together. */
std::uint64_t
WholeBlocks(const JobChunk& chunk)
{
    const auto elements = WindowElements(chunk.rounds.front().plan->WorkerCount());
    const auto block = chunk.coding ? 1 : chunk.rounds.front().hooks.network.block;
    return std::max(block, elements / block * block);
}

/** Into how many parts the network cuts a chunk before it cuts these into blocks. */
Rank
PartsOf(const JobChunk& chunk)
{
    const auto& plan = *chunk.rounds.front().plan;
    for (std::uint32_t step = 0; !chunk.coding && step < plan.StepCount(0); ++step)
    {
        if (plan.At(0, step).phase == SumPhase::REDUCE_SCATTER)
        {
            return plan.WorkerCount();
        }
    }
    return 1;
}

constexpr std::size_t g_row = 64; ///< values of a loop of fixed length

/** @return how many of a row's values are further from their sum than any order of additions explains */
INCA_VECTOR_CLONES unsigned
CountFar(const Word* words,
         const double* sums,
         const double* magnitudes,
         std::uint32_t terms,
         double unitRoundoff,
         double largest)
{
    unsigned far = 0;
    for (std::size_t i = 0; i < g_row; ++i)
    {
        const auto distance = std::fabs(static_cast<double>(FloatOf(words[i])) - sums[i]);
        far += IsOfSomeOrder(distance, magnitudes[i], terms, unitRoundoff, largest) ? 0U : 1U;
    }
    return far;
}

bool
AreEqual(const Word* a, const Word* b, std::uint64_t count)
{
    return a == b || std::memcmp(a, b, count * sizeof(Word)) == 0;
}

} // namespace

std::uint64_t
WindowElements(Rank workers)
{
    return std::clamp(g_valuesAtOnce / workers, g_leastElements, g_mostElements);
}

std::vector<ElementRange>
WindowsOf(const JobChunk& chunk)
{
    std::vector<ElementRange> windows;
    const auto size = WholeBlocks(chunk);
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

CheckedWindow::CheckedWindow(std::shared_ptr<const TrainingJob> job)
    : m_job(std::move(job)),
      m_own(m_job->workers)
{
}

void
CheckedWindow::TakeOwn(const WorkerGradient& own)
{
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        m_own[worker].resize(m_window.count);
        own(worker, m_window, m_own[worker].data());
    }
    ReferenceSum(Terms(), m_job->TermCount(), m_window, m_sum);
}

/** What is added up in the end: workers' gradients, or those of their GPUs. */
TermValues
CheckedWindow::Terms() const
{
    return m_job->gpuGradient ? InRoom(m_job->TermsOf(m_job->ChunkOf(m_exchange))) : OwnTerms();
}

/** The gradients of the window, drawn or read already. */
TermValues
CheckedWindow::OwnTerms() const
{
    return [this](Rank worker, ElementRange range, float* /*room*/) {
        return &m_own[worker][range.begin - m_window.begin];
    };
}

std::vector<const Word*>
CheckedWindow::Held(const ValuesOf& valuesOf) const
{
    std::vector<const Word*> held;
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        held.push_back(valuesOf(worker).Held(m_window));
    }
    return held;
}

void
CheckedWindow::Assemble(const ValuesOf& valuesOf, std::vector<Word>& whole) const
{
    whole.resize(m_window.count);
    IntervalSet owned;
    std::uint64_t count = 0;
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        const auto& values = valuesOf(worker);
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
    RequireWhole(count, owned);
}

void
CheckedWindow::Compare(const std::string& who,
                       const Word* got,
                       const Word* expected,
                       const char* source) const
{
    const auto count = m_window.count;
    if (AreEqual(got, expected, count))
    {
        return;
    }
    const auto at =
        static_cast<std::uint64_t>(std::mismatch(got, got + count, expected).first - got);
    throw InvariantError(Text("exchange ",
                              m_exchange,
                              ", ",
                              who,
                              ": value ",
                              m_job->ChunkOf(m_exchange).range.begin + m_window.begin + at,
                              " is ",
                              FloatOf(got[at]),
                              " but ",
                              source,
                              " gives ",
                              FloatOf(expected[at])));
}

void
CheckedWindow::RequireSums(const std::vector<const Word*>& got)
{
    ReferenceMagnitudes(Terms(), m_job->TermCount(), m_window, m_magnitudes);
    for (std::size_t i = 0; i < got.size(); ++i)
    {
        if (i == 0 || !AreEqual(got[i], got[i - 1], m_window.count))
        {
            RequireSum(got[i]);
        }
    }
}

void
CheckedWindow::RequireSum(const Word* words) const
{
    const auto& [bytes, unitRoundoff, largest, narrow] = m_job->gradientType;
    const auto terms = m_job->TermCount();
    std::uint64_t begin = 0;
    while (begin + g_row <= m_window.count &&
           CountFar(
               words + begin, &m_sum[begin], &m_magnitudes[begin], terms, unitRoundoff, largest) ==
               0)
    {
        begin += g_row;
    }
    for (auto i = begin; i < m_window.count; ++i)
    {
        const double got = FloatOf(words[i]);
        const auto distance = std::fabs(got - m_sum[i]);
        if (!IsOfSomeOrder(distance, m_magnitudes[i], terms, unitRoundoff, largest))
        {
            throw InvariantError(Text("exchange ",
                                      m_exchange,
                                      ": value ",
                                      m_job->ChunkOf(m_exchange).range.begin + m_window.begin + i,
                                      " is ",
                                      got,
                                      ", which no order of additions makes of ",
                                      m_sum[i]));
        }
    }
}

std::uint64_t
CheckedWindow::CountBeyond(const Word* got, double bound) const
{
    const auto& type = m_job->gradientType;
    std::vector<double> coded;
    if (m_job->gpuGradient)
    {
        ReferenceSum(OwnTerms(), m_job->workers, m_window, coded);
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
CheckedWindow::Measure(std::uint64_t times, const std::vector<const Word*>& got)
{
    const auto there = Clip(m_window, {0, m_job->ChunkOf(m_exchange).range.count});
    m_sum.resize(there.count); // zeros that make shards equal are none of the job's values
    m_errors.Add(got, m_sum, times);
}

/** @param count values that were found, in @p owned */
void
CheckedWindow::RequireWhole(std::uint64_t count, const IntervalSet& owned) const
{
    const auto pieces = owned.Cut(m_window);
    if (count != m_window.count || pieces.size() != 1 || !pieces.front().held)
    {
        throw InvariantError(Text("exchange ",
                                  m_exchange,
                                  ": of values ",
                                  m_window.begin,
                                  " .. ",
                                  m_window.End(),
                                  " not each is in one worker's shard"));
    }
}

} // namespace inca
