/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/verifier.h"

#include "base/errors.h"
#include "exchange/reference-sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace inca
{

namespace
{

constexpr std::uint64_t g_windowElements = 1U << 16U;

bool
SameBits(float a, float b)
{
    return std::memcmp(&a, &b, sizeof(float)) == 0;
}

} // namespace

Verifier::Verifier(std::shared_ptr<const TrainingJob> job, Wire wire)
    : m_job(std::move(job)),
      m_wire(std::move(wire)),
      m_got(m_job->workers)
{
}

void
Verifier::Take(Rank rank, std::uint32_t exchange, std::unique_ptr<RankValues> values)
{
    if (rank >= m_job->workers)
    {
        return;
    }
    auto& results = m_open[exchange];
    results.resize(m_job->workers);
    results[rank] = std::move(values);
    if (++m_taken[exchange] == m_job->workers)
    {
        const auto complete = std::move(results);
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
    const auto elements = Chunk(exchange).range.count;
    for (std::uint64_t begin = 0; begin < elements; begin += g_windowElements)
    {
        CheckWindow(exchange, {begin, std::min(g_windowElements, elements - begin)}, results);
    }
}

void
Verifier::CheckWindow(std::uint32_t exchange, ElementRange window, const Results& results)
{
    std::vector<std::vector<float>> expected;
    const ClocklessReplay replay(
        *Chunk(exchange).program, OwnGradients(exchange), m_job->hooks, m_wire);
    replay.Run(window, expected);
    for (Rank worker = 0; worker < m_job->workers; ++worker)
    {
        m_got[worker].resize(window.count);
        results[worker]->Read(window, m_got[worker].data());
        Compare(exchange, worker, window, expected[worker]);
    }
    std::vector<double> sum;
    ReferenceSum(OwnGradients(exchange), m_job->workers, window, sum);
    Measure(sum);
}

void
Verifier::Compare(std::uint32_t exchange,
                  Rank worker,
                  ElementRange window,
                  const std::vector<float>& expected)
{
    const auto& got = m_got[worker];
    const auto differs = std::mismatch(got.begin(), got.end(), expected.begin(), SameBits).first;
    m_compared += window.count;
    if (differs != got.end())
    {
        const auto at = static_cast<std::uint64_t>(differs - got.begin());
        throw InvariantError(fmt::format(
            "exchange {}, worker {}: value {} is {} but the replay without a clock gives {}",
            exchange,
            worker,
            Chunk(exchange).range.begin + window.begin + at,
            *differs,
            expected[at]));
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
        auto [low, high] = std::pair<double, double>{m_got[0][i], m_got[0][i]};
        for (const auto& got : m_got)
        {
            const double value = got[i];
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
    const auto first = Chunk(exchange).range.begin;
    return [job = m_job, first](Rank worker, ElementRange range, float* out) {
        job->ownGradient(worker, {first + range.begin, range.count}, out);
    };
}

const JobChunk&
Verifier::Chunk(std::uint32_t exchange) const
{
    return m_job->chunks[exchange % m_job->chunks.size()];
}

} // namespace inca
