/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/exponent-law.h"

#include "base/random.h"
#include "base/vector-clones.h"
#include "base/word.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace inca
{

namespace
{

constexpr unsigned g_exponentOfOne = 127;
constexpr unsigned g_exponentsAboveOne = 2; // of the 34-bit class: values from 1 to below 4
constexpr unsigned g_exponentsBelowBound = 10;

/** Adds @p share in equal parts to the exponents from @p first to before @p end; nothing if none. */
void
Spread(ExponentLaw& law, unsigned first, unsigned end, double share)
{
    for (unsigned exponent = first; exponent < end; ++exponent)
    {
        law[exponent] += share / (end - first);
    }
}

void
Normalize(ExponentLaw& law)
{
    const double sum = std::accumulate(law.begin(), law.end(), 0.0);
    for (auto& share : law)
    {
        share /= sum;
    }
}

ExponentLaw
LawOfWidths(const std::array<double, 4>& shares,
            unsigned bound,
            const std::optional<double>& density)
{
    const unsigned boundExponent = g_exponentOfOne - bound;
    const unsigned middle = boundExponent + (bound + 1) / 2;
    const double zeros =
        density ? 1 - *density : shares[0] / static_cast<double>(g_exponentsBelowBound + 1);
    ExponentLaw law{};
    law[0] = zeros;
    Spread(law,
           boundExponent - g_exponentsBelowBound,
           boundExponent,
           std::max(0.0, shares[0] - zeros));
    Spread(law, boundExponent, middle, shares[1]);
    Spread(law, middle, g_exponentOfOne, shares[2]);
    Spread(law, g_exponentOfOne, g_exponentOfOne + g_exponentsAboveOne, shares[3]);
    return law;
}

ExponentLaw
LawOfHistogram(const std::vector<std::pair<unsigned, double>>& histogram,
               const std::optional<double>& density)
{
    ExponentLaw law{};
    for (const auto& [exponent, share] : histogram)
    {
        law[exponent] += share;
    }
    if (density)
    {
        const double zeros = std::min(law[0], 1 - *density);
        law[1] += law[0] - zeros;
        law[0] = zeros;
    }
    return law;
}

/** @return the published bound that is nearest, the finer of two */
unsigned
NearestBound(const std::map<unsigned, std::array<double, 4>>& widths, unsigned bound)
{
    const auto distance = [bound](const auto& entry) {
        return std::abs(static_cast<int>(entry.first) - static_cast<int>(bound));
    };
    // Bounds ascend; of equal ones the first in this order is taken, so the finer comes first.
    return std::min_element(widths.rbegin(),
                            widths.rend(),
                            [&](const auto& a, const auto& b) { return distance(a) < distance(b); })
        ->first;
}

/** A share of 0..1 in units of 2^-32; 1 itself is one unit short. */
std::uint32_t
ToFraction(double share)
{
    constexpr double units = 0x1p32;
    constexpr double most = units - 1;
    return static_cast<std::uint32_t>(share * units < most ? share * units : most);
}

std::uint64_t
ColumnOf(std::uint32_t threshold, std::size_t other)
{
    constexpr unsigned mantissaBits = 23;
    return std::uint64_t{other} << (32U + mantissaBits) | threshold;
}

} // namespace

std::optional<ExponentLaw>
MakeExponentLaw(const LayerStatistics& statistics, unsigned bound)
{
    const auto& widths = statistics.widths;
    ExponentLaw law{};
    if (!statistics.exponents.empty() && widths.count(bound) == 0)
    {
        law = LawOfHistogram(statistics.exponents, statistics.density);
    }
    else if (!widths.empty())
    {
        const auto nearest = NearestBound(widths, bound);
        law = LawOfWidths(widths.at(nearest), nearest, statistics.density);
    }
    else
    {
        return std::nullopt;
    }
    Normalize(law);
    return law;
}

ExponentLaw
WithoutZero(const ExponentLaw& law)
{
    auto others = law;
    others[0] = 0;
    Normalize(others);
    return others;
}

AliasTable::AliasTable(const ExponentLaw& law)
    : m_columns{}
{
    // A column is as wide as the mean share. Exponents with less lend the rest to one with more.
    std::array<double, g_exponentCount> left{};
    std::vector<std::size_t> poor;
    std::vector<std::size_t> rich;
    for (std::size_t i = 0; i < g_exponentCount; ++i)
    {
        left[i] = law[i] * g_exponentCount;
        (left[i] < 1 ? poor : rich).push_back(i);
        m_columns[i] = ColumnOf(0, i);
    }
    while (!poor.empty() && !rich.empty())
    {
        const auto lender = poor.back();
        const auto borrower = rich.back();
        poor.pop_back();
        m_columns[lender] = ColumnOf(ToFraction(left[lender]), borrower);
        left[borrower] -= 1 - left[lender];
        if (left[borrower] < 1)
        {
            rich.pop_back();
            poor.push_back(borrower);
        }
    }
}

void
AliasTable::DrawBlock(std::uint64_t key, std::uint64_t begin, float* values) const
{
    alignas(64) Block bits;
    alignas(64) Block columns;
    FillBits(key, begin, bits);
    static_assert(BLOCK % 4 == 0);
    for (std::size_t i = 0; i < BLOCK; i += 4) // loads and stores: no vectors to take apart
    {
        columns[i] = m_columns[bits[i] & 0xffU];
        columns[i + 1] = m_columns[bits[i + 1] & 0xffU];
        columns[i + 2] = m_columns[bits[i + 2] & 0xffU];
        columns[i + 3] = m_columns[bits[i + 3] & 0xffU];
    }
    DrawAll(columns, bits, values);
}

INCA_VECTOR_CLONES void
AliasTable::FillBits(std::uint64_t key, std::uint64_t begin, Block& bits)
{
    for (std::size_t i = 0; i < BLOCK; ++i)
    {
        bits[i] = BitsAt(key, begin + i);
    }
}

INCA_VECTOR_CLONES void
AliasTable::DrawAll(const Block& columns, const Block& bits, float* values)
{
    for (std::size_t i = 0; i < BLOCK; ++i)
    {
        values[i] = FloatOf(DrawOf(columns[i], bits[i]));
    }
}

} // namespace inca
