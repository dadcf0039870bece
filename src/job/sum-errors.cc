/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/sum-errors.h"

#include "base/vector-clones.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace inca
{

INCA_VECTOR_CLONES void
AddTerm(const float* term, std::size_t count, double* sum)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        sum[i] += static_cast<double>(term[i]);
    }
}

INCA_VECTOR_CLONES void
AddMagnitudes(const float* term, std::size_t count, double* sum)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        sum[i] += std::fabs(static_cast<double>(term[i]));
    }
}

bool
IsOfSomeOrder(double distance, double magnitude, std::uint32_t workers, const GradientType& type)
{
    constexpr double slack = 1 + 1.0 / (1U << 20U);
    const auto most = (workers - 1.0) * type.unitRoundoff * magnitude * slack;
    const bool mayOverflow = !(magnitude + most < type.largest);
    return mayOverflow || distance <= most + std::numeric_limits<float>::denorm_min();
}

namespace
{

/** Widens each span from @p least to @p most to where a value of @p words is. */
INCA_VECTOR_CLONES void
Span(const Word* words, std::size_t count, float* least, float* most)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto value = FloatOf(words[i]);
        least[i] = value < least[i] ? value : least[i];
        most[i] = value > most[i] ? value : most[i];
    }
}

} // namespace

double
ReplicaDifference(const std::vector<const Word*>& held, std::size_t count)
{
    std::array<float, WORD_BLOCK> least;
    std::array<float, WORD_BLOCK> most;
    double widest = 0;
    for (std::size_t begin = 0; begin < count; begin += WORD_BLOCK)
    {
        const auto some = std::min(WORD_BLOCK, count - begin);
        if (std::all_of(held.begin(), held.end(), [&](const Word* words) {
                return AreEqual(words + begin, held.front() + begin, some);
            }))
        {
            continue;
        }
        CopyFloats(held.front() + begin, some, least.data());
        most = least;
        for (const auto* const words : held)
        {
            Span(words + begin, some, least.data(), most.data());
        }
        for (std::size_t i = 0; i < some; ++i)
        {
            const auto width = static_cast<double>(most[i]) - static_cast<double>(least[i]);
            const bool isFinite = width <= std::numeric_limits<double>::max();
            widest = std::max(widest, isFinite ? width : 0);
        }
    }
    return widest;
}

void
SumErrorCount::Add(const std::vector<const Word*>& got,
                   const std::vector<double>& sum,
                   std::uint64_t times)
{
    std::vector<const Word*> distinct;
    for (std::size_t worker = 0; worker < got.size();)
    {
        const auto* const first = got[worker];
        std::uint64_t copies = 0;
        for (; worker < got.size() && AreEqual(first, got[worker], sum.size()); ++worker)
        {
            ++copies;
        }
        AddCopies(first, sum, copies * times);
        distinct.push_back(first);
    }
    m_errors.replicaDifference =
        std::max(m_errors.replicaDifference, ReplicaDifference(distinct, sum.size()));
}

void
SumErrorCount::AddCopies(const Word* got, const std::vector<double>& sum, std::uint64_t copies)
{
    // several sums: each addition waits for the one before it
    constexpr std::size_t lanes = 8;
    std::array<double, lanes> sums{};
    std::uint64_t finite = 0;
    for (std::size_t i = 0; i < sum.size(); ++i)
    {
        const auto distance = std::fabs(static_cast<double>(FloatOf(got[i])) - sum[i]);
        const bool isFinite = distance <= std::numeric_limits<double>::max();
        const auto counted = isFinite ? distance : 0;
        sums[i % lanes] += counted;
        finite += isFinite ? 1 : 0;
        m_errors.largest = std::max(m_errors.largest, counted);
    }
    m_errorSum += static_cast<double>(copies) * std::accumulate(sums.begin(), sums.end(), 0.0);
    m_finite += copies * finite;
    m_errors.notFinite += copies * (sum.size() - finite);
}

SumErrors
SumErrorCount::Errors() const
{
    auto errors = m_errors;
    errors.mean = m_finite == 0 ? 0 : m_errorSum / static_cast<double>(m_finite);
    return errors;
}

} // namespace inca
