/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/exponent-law.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

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

} // namespace inca
