/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/verifier.h"

#include "base/errors.h"
#include "base/text.h"
#include "job/coded-replay.h"
#include "job/fp32-rounding.h"
#include "job/reference-sum.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace inca
{

namespace
{

constexpr std::uint64_t g_windowElements = 1U << 16U;

} // namespace

Verifier::Verifier(std::shared_ptr<const TrainingJob> job, Wire wire, bool exactSums)
    : m_job(std::move(job)),
      m_wire(std::move(wire)),
      m_exactSums(exactSums),
      m_got(m_job->workers)
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
    auto errors = m_errors;
    const auto counted = m_compared - errors.notFinite;
    errors.mean = counted == 0 ? 0 : m_errorSum / static_cast<double>(counted);
    return errors;
}

void
Verifier::Check(std::uint32_t exchange, const Results& results)
{
    if (Chunk(exchange).coding)
    {
        CheckCoded(exchange, results);
        return;
    }
    const auto elements = Chunk(exchange).range.count;
    const auto size = WindowElements(exchange);
    for (std::uint64_t begin = 0; begin < elements; begin += size)
    {
        CheckWindow(exchange, {begin, std::min(size, elements - begin)}, results);
    }
}

/** Whole blocks of what the network treats together. */
std::uint64_t
Verifier::WindowElements(std::uint32_t exchange) const
{
    const auto block = Chunk(exchange).rounds.front().hooks.network.block;
    return std::max(block, g_windowElements / block * block);
}

void
Verifier::ReadWindow(ElementRange window, const Results& results)
{
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        m_got[worker].resize(window.count);
        results[worker].values->Read(window, m_got[worker].data());
    }
}

void
Verifier::CheckWindow(std::uint32_t exchange, ElementRange window, const Results& results)
{
    ReadWindow(window, results);
    std::vector<double> sum;
    ReferenceSum(OwnGradients(exchange), m_job->workers, window, sum);
    m_exactSums ? CheckReplayed(exchange, window) : CheckOrderless(exchange, window, sum);
    Measure(sum);
}

void
Verifier::CheckReplayed(std::uint32_t exchange, ElementRange window)
{
    std::vector<std::vector<Word>> expected;
    const auto& round = Chunk(exchange).rounds.front();
    const ClocklessReplay replay(*round.plan, WordsOf(OwnGradients(exchange)), round.hooks, m_wire);
    replay.Run(window, expected);
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        Compare(exchange, worker, window, expected[worker], "the replay without a clock");
    }
}

void
Verifier::CheckCoded(std::uint32_t exchange, const Results& results)
{
    const ElementRange all{0, Chunk(exchange).range.count};
    ReadWindow(all, results);
    const auto& chunk = Chunk(exchange);
    const auto reference = m_exactSums ? ReplayCoded(*m_job, chunk)
                                       : CheckCodedWords(*m_job, chunk, results.front().rounds);
    const auto* source = m_exactSums ? "the replay without a clock" : "decoding worker 0's words";
    std::vector<Word> expected(all.count);
    CopyBits(reference.values.data(), expected.size(), expected.data());
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        Compare(exchange, worker, all, expected, source);
        if (results[worker].report.estimated != reference.report.estimated)
        {
            throw InvariantError(Text("exchange ",
                                      exchange,
                                      ", worker ",
                                      worker,
                                      ": ",
                                      results[worker].report.estimated,
                                      " values were estimated, but ",
                                      reference.report.estimated,
                                      " by ",
                                      source));
        }
    }
    std::vector<double> sum;
    ReferenceSum(OwnGradients(exchange), m_job->workers, all, sum);
    const auto estimated = reference.report.estimated;
    CheckDistances(exchange, sum, reference.errorBound, estimated);
    m_errors.estimated += estimated;
    m_errors.marked += reference.report.marked;
    Measure(sum);
}

void
Verifier::CheckDistances(std::uint32_t exchange,
                         const std::vector<double>& sum,
                         double bound,
                         std::uint64_t estimated) const
{
    std::uint64_t beyond = 0;
    for (std::size_t i = 0; i < sum.size(); ++i)
    {
        const auto distance = std::fabs(FloatOf(m_got.front()[i]) - sum[i]);
        beyond += std::isfinite(sum[i]) && distance > bound ? 1 : 0;
    }
    if (beyond > estimated)
    {
        throw InvariantError(Text("exchange ",
                                  exchange,
                                  ": ",
                                  beyond,
                                  " values are further than ",
                                  bound,
                                  " from their sum, but only ",
                                  estimated,
                                  " were estimated"));
    }
}

void
Verifier::CheckOrderless(std::uint32_t exchange,
                         ElementRange window,
                         const std::vector<double>& sum)
{
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        Compare(exchange, worker, window, m_got.front(), "worker 0");
    }
    const auto magnitudes = Magnitudes(exchange, window);
    for (std::uint64_t i = 0; i < window.count; ++i)
    {
        const double got = FloatOf(m_got.front()[i]);
        if (!IsOfSomeOrder(std::fabs(got - sum[i]), magnitudes[i], m_job->workers))
        {
            throw InvariantError(Text("exchange ",
                                      exchange,
                                      ": value ",
                                      Chunk(exchange).range.begin + window.begin + i,
                                      " is ",
                                      got,
                                      ", which no order of additions makes of ",
                                      sum[i]));
        }
    }
}

std::vector<double>
Verifier::Magnitudes(std::uint32_t exchange, ElementRange window) const
{
    std::vector<double> magnitudes;
    const auto own = OwnGradients(exchange);
    const auto absolute = [&own](Rank worker, ElementRange range, float* out) {
        own(worker, range, out);
        std::transform(out, out + range.count, out, [](float x) { return std::fabs(x); });
    };
    ReferenceSum(absolute, m_job->workers, window, magnitudes);
    return magnitudes;
}

void
Verifier::Compare(std::uint32_t exchange,
                  Rank worker,
                  ElementRange window,
                  const std::vector<Word>& expected,
                  const char* source)
{
    const auto& got = m_got[worker];
    const auto differs = std::mismatch(got.begin(), got.end(), expected.begin()).first;
    m_compared += window.count;
    if (differs != got.end())
    {
        const auto at = static_cast<std::uint64_t>(differs - got.begin());
        throw InvariantError(Text("exchange ",
                                  exchange,
                                  ", worker ",
                                  worker,
                                  ": value ",
                                  Chunk(exchange).range.begin + window.begin + at,
                                  " is ",
                                  FloatOf(*differs),
                                  " but ",
                                  source,
                                  " gives ",
                                  FloatOf(expected[at])));
    }
}

void
Verifier::AddError(double difference)
{
    if (!std::isfinite(difference))
    {
        ++m_errors.notFinite;
        return;
    }
    m_errorSum += std::fabs(difference);
    m_errors.largest = std::max(m_errors.largest, std::fabs(difference));
}

void
Verifier::Measure(const std::vector<double>& sum)
{
    for (std::size_t i = 0; i < sum.size(); ++i)
    {
        double low = FloatOf(m_got[0][i]);
        double high = low;
        for (const auto& got : m_got)
        {
            const double value = FloatOf(got[i]);
            low = std::min(low, value);
            high = std::max(high, value);
            AddError(value - sum[i]);
        }
        if (!std::isfinite(high - low))
        {
            continue;
        }
        m_errors.replicaDifference = std::max(m_errors.replicaDifference, high - low);
    }
}

WorkerGradient
Verifier::OwnGradients(std::uint32_t exchange) const
{
    return m_job->GradientsOf(Chunk(exchange));
}

const JobChunk&
Verifier::Chunk(std::uint32_t exchange) const
{
    return m_job->chunks[exchange % m_job->chunks.size()];
}

} // namespace inca
