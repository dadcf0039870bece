/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/sparse-statistics.h"

#include "base/errors.h"

#include <algorithm>
#include <numeric>

namespace inca
{

namespace
{

void
RequireShare(double density)
{
    if (!(density > 0 && density <= 1))
    {
        throw InputError("density must be above 0 and at most 1, got " + std::to_string(density));
    }
}

/** By size; the first is the share of zeros and of values that count as small as zeros. */
using Shares = std::vector<double>;

void
Normalize(Shares& shares)
{
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (auto& share : shares)
    {
        share = sum > 0 ? share / sum : 0;
    }
}

/** Gives the first share what the others leave of 1. */
void
FillUp(Shares& shares)
{
    shares.front() = std::max(0.0, 1 - std::accumulate(shares.begin() + 1, shares.end(), 0.0));
}

void
KeepLargest(Shares& shares, double density)
{
    double left = density;
    for (auto share = shares.rbegin(); share != shares.rend() - 1; ++share)
    {
        *share = std::min(*share, left);
        left -= *share;
    }
    FillUp(shares);
}

void
Rescale(Shares& shares, double before, double density)
{
    const double listed = std::accumulate(shares.begin() + 1, shares.end(), 0.0);
    // Printed shares may say a little more than the density; they must not end above the new one.
    const double nonZero = std::max(before, listed);
    for (auto share = shares.begin() + 1; share != shares.end(); ++share)
    {
        *share *= nonZero > 0 ? density / nonZero : 0;
    }
    FillUp(shares);
}

/** Changes a histogram by @p change, which gets its shares with exponent 0 in front. */
template <typename Change>
void
ChangeHistogram(std::vector<std::pair<unsigned, double>>& histogram, Change change)
{
    if (histogram.empty())
    {
        return;
    }
    if (histogram.front().first != 0)
    {
        histogram.insert(histogram.begin(), {0, 0});
    }
    Shares shares;
    for (const auto& entry : histogram)
    {
        shares.push_back(entry.second);
    }
    Normalize(shares);
    change(shares);
    auto share = shares.begin();
    for (auto& entry : histogram)
    {
        entry.second = *share++;
    }
    const auto isEmpty = [](const auto& entry) { return entry.second <= 0; };
    histogram.erase(std::remove_if(histogram.begin(), histogram.end(), isEmpty), histogram.end());
}

template <typename Change>
LayerStatistics
Changed(LayerStatistics statistics, double density, Change change)
{
    statistics.density = density;
    statistics.unionDensity.reset();
    statistics.blockDensity.reset();
    statistics.unionBlockDensity.reset();
    ChangeHistogram(statistics.exponents, change);
    for (auto& [bound, widths] : statistics.widths)
    {
        Shares shares(widths.begin(), widths.end());
        Normalize(shares);
        change(shares);
        std::copy(shares.begin(), shares.end(), widths.begin());
    }
    return statistics;
}

template <typename Change>
GradientTrace
EachLayer(GradientTrace trace, Change change)
{
    for (auto& layer : trace.layers)
    {
        layer.statistics = change(layer.statistics);
    }
    return trace;
}

} // namespace

std::optional<double>
NonZeroShare(const LayerStatistics& statistics)
{
    if (statistics.density || statistics.exponents.empty())
    {
        return statistics.density;
    }
    const auto& [lowest, zeros] = statistics.exponents.front();
    double sum = 0;
    for (const auto& entry : statistics.exponents)
    {
        sum += entry.second;
    }
    return lowest == 0 ? 1 - zeros / sum : 1;
}

LayerStatistics
WithDensity(const LayerStatistics& statistics, double density)
{
    RequireShare(density);
    const double before = NonZeroShare(statistics).value_or(1);
    return Changed(statistics, density, [&](Shares& shares) { Rescale(shares, before, density); });
}

LayerStatistics
Sparsified(const LayerStatistics& statistics, double density)
{
    RequireShare(density);
    const double before = NonZeroShare(statistics).value_or(1);
    if (density >= before)
    {
        auto same = statistics;
        same.density = before;
        return same;
    }
    return Changed(statistics, density, [&](Shares& shares) { KeepLargest(shares, density); });
}

GradientTrace
WithDensity(const GradientTrace& trace, double density)
{
    return EachLayer(trace, [&](const auto& layer) { return WithDensity(layer, density); });
}

GradientTrace
Sparsified(const GradientTrace& trace, double density)
{
    return EachLayer(trace, [&](const auto& layer) { return Sparsified(layer, density); });
}

} // namespace inca
