/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/checked-window.h"

#include "base/errors.h"
#include "base/text.h"
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

bool
AreEqual(const Word* a, const Word* b, std::uint64_t count)
{
    return a == b || std::memcmp(a, b, count * sizeof(Word)) == 0;
}

} // namespace

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
        m_own[worker] = {}; // whose memory is the next one's
        LargeFloats values(m_window.count);
        own(worker, m_window, values.data());
        m_own[worker] = SharedBytes::Of(std::move(values));
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
        return m_own[worker].Floats() + (range.begin - m_window.begin);
    };
}

const Word*
CheckedWindow::WordsOf(const RankValues& values, LargeWords& copy) const
{
    if (const auto held = values.Held(m_window); held.AreThere())
    {
        return held.Words(); // which the rank holds, too
    }
    copy.resize(m_window.count);
    values.Read(m_window, copy.data());
    return copy.data();
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
CheckedWindow::RequireSum(const Word* words) const
{
    RequireSum(words, Magnitudes());
}

void
CheckedWindow::RequireSums(const std::vector<const Word*>& got) const
{
    const auto magnitudes = Magnitudes();
    for (Rank worker = 0; worker < got.size(); ++worker)
    {
        if (worker == 0 || !AreEqual(got[worker], got[worker - 1], m_window.count))
        {
            RequireSum(got[worker], magnitudes);
        }
    }
}

void
CheckedWindow::RequireSum(const Word* words, const std::vector<double>& magnitudes) const
{
    for (std::uint64_t i = 0; i < m_window.count; ++i)
    {
        const double got = FloatOf(words[i]);
        const auto distance = std::fabs(got - m_sum[i]);
        if (!IsOfSomeOrder(distance, magnitudes[i], m_job->TermCount(), m_job->gradientType))
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

/** The sums of the magnitudes of what is added. */
std::vector<double>
CheckedWindow::Magnitudes() const
{
    std::vector<double> magnitudes;
    ReferenceMagnitudes(Terms(), m_job->TermCount(), m_window, magnitudes);
    return magnitudes;
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
