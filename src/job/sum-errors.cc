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
    return mayOverflow || distance <= most + type.smallest;
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
ErrorSums::Take(double y, double x)
{
    const auto distance = std::fabs(y - x);
    if (distance <= std::numeric_limits<double>::max())
    {
        ++values;
        largest = std::max(largest, distance);
        distances += distance;
        squares += distance * distance;
        meant += x * x;
        held += y * y;
        products += x * y;
    }
}

void
ErrorSums::Add(const ErrorSums& other, std::uint64_t times)
{
    const auto often = static_cast<double>(times);
    values += times * other.values;
    largest = std::max(largest, other.largest);
    distances += often * other.distances;
    squares += often * other.squares;
    meant += often * other.meant;
    held += often * other.held;
    products += often * other.products;
}

double
ErrorSums::Mean() const
{
    return values == 0 ? 0 : distances / static_cast<double>(values);
}

double
ErrorSums::Vnmse() const
{
    return squares == 0 ? 0 : squares / meant;
}

double
ErrorSums::Cosine() const
{
    if (meant == 0 || held == 0)
    {
        return meant == held ? 1 : 0;
    }
    return std::clamp(products / (std::sqrt(meant) * std::sqrt(held)), -1.0, 1.0);
}

namespace
{

/** @return what is off in @p held, fp32 */
ErrorSums
ErrorsOf(const Word* held, const std::vector<double>& meant)
{
    // several sums: each addition waits for the one before it
    std::array<ErrorSums, 8> sums{};
    for (std::size_t i = 0; i < meant.size(); ++i)
    {
        sums[i % sums.size()].Take(static_cast<double>(FloatOf(held[i])), meant[i]);
    }
    ErrorSums all;
    for (const auto& some : sums)
    {
        all.Add(some);
    }
    return all;
}

} // namespace

void
SumErrors::TakeWindow(const std::vector<const Word*>& got,
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
        const auto errors = ErrorsOf(first, sum);
        ErrorSums::Add(errors, copies * times);
        notFinite += copies * times * (sum.size() - errors.values);
        distinct.push_back(first);
    }
    replicaDifference = std::max(replicaDifference, ReplicaDifference(distinct, sum.size()));
}

void
SumErrors::Add(const SumErrors& other)
{
    ErrorSums::Add(other);
    notFinite += other.notFinite;
    replicaDifference = std::max(replicaDifference, other.replicaDifference);
    marked += other.marked;
    estimated += other.estimated;
}

} // namespace inca
