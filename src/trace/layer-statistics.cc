/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/layer-statistics.h"

#include "base/errors.h"
#include "base/portable-math.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace inca
{

namespace
{

using Complaints = std::vector<std::pair<std::string, std::string>>;

void
CheckUnion(const LayerStatistics& statistics,
           std::optional<std::uint32_t> statsWorkers,
           Complaints& complaints)
{
    const auto& one = statistics.density;
    const auto& all = statistics.unionDensity;
    const auto complainIf = [&complaints, &all](bool isWrong, const char* text) {
        if (all && isWrong)
        {
            complaints.emplace_back("union_density", text);
        }
    };
    complainIf(!statsWorkers, "needs a line '# stats_workers: N' above the header row");
    complainIf(one && *all < *one - g_shareTolerance,
               "several workers together cannot have fewer than one alone");
    complainIf(one && statsWorkers && *all > *one * *statsWorkers + g_shareTolerance,
               "above what stats_workers workers can have together");
}

void
CheckWidths(unsigned bound, const std::array<double, 4>& shares, Complaints& complaints)
{
    for (std::size_t i = 0; i < shares.size(); ++i)
    {
        if (std::isnan(shares[i]))
        {
            complaints.emplace_back(WidthColumnName(bound, i),
                                    "empty, though others of its bound are given");
            return;
        }
    }
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    if (std::fabs(sum - 1) > g_shareTolerance)
    {
        complaints.emplace_back(WidthColumnName(bound, 0),
                                "the four shares of its bound add up to " + std::to_string(sum) +
                                    ", not to 1 within 0.005");
    }
}

/** Zeros are part of exponent 0 and of every bound's shortest width. */
void
CheckZeros(const LayerStatistics& statistics, Complaints& complaints)
{
    if (!statistics.density)
    {
        return;
    }
    const double zeros = 1 - *statistics.density - g_shareTolerance;
    if (const auto& histogram = statistics.exponents; !histogram.empty())
    {
        const double listed = histogram.front().first == 0 ? histogram.front().second : 0;
        if (listed < zeros)
        {
            complaints.emplace_back("exponents",
                                    "exponent 0 holds fewer values than density has zeros");
        }
    }
    for (const auto& [bound, shares] : statistics.widths)
    {
        if (shares[0] < zeros)
        {
            complaints.emplace_back(WidthColumnName(bound, 0),
                                    "fewer values than density has zeros");
        }
    }
}

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
KeepLargest(Shares& shares, double density)
{
    double left = density;
    for (auto share = shares.rbegin(); share != shares.rend() - 1; ++share)
    {
        *share = std::min(*share, left);
        left -= *share;
    }
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
}

/** Changes those that are not zero by @p change, and gives the first share what these leave of 1. */
template <typename Change>
void
ChangeShares(Shares& shares, Change change)
{
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (auto& share : shares)
    {
        share = sum > 0 ? share / sum : 0;
    }
    change(shares);
    shares.front() = std::max(0.0, 1 - std::accumulate(shares.begin() + 1, shares.end(), 0.0));
}

template <typename Change>
LayerStatistics
Changed(LayerStatistics statistics, double density, Change change)
{
    statistics.density = density;
    statistics.unionDensity.reset();
    if (auto& histogram = statistics.exponents; !histogram.empty())
    {
        std::map<unsigned, double> byExponent(histogram.begin(), histogram.end());
        byExponent.try_emplace(0, 0.0);
        Shares shares;
        for (const auto& entry : byExponent)
        {
            shares.push_back(entry.second);
        }
        ChangeShares(shares, change);
        histogram.clear();
        auto share = shares.begin();
        for (const auto& entry : byExponent)
        {
            if (*share > 0)
            {
                histogram.emplace_back(entry.first, *share);
            }
            ++share;
        }
    }
    for (auto& [bound, widths] : statistics.widths)
    {
        Shares shares(widths.begin(), widths.end());
        ChangeShares(shares, change);
        std::copy(shares.begin(), shares.end(), widths.begin());
    }
    return statistics;
}

} // namespace

std::string
WidthColumnName(unsigned bound, std::size_t widthIndex)
{
    return Text("b", bound, "_w", g_publishedWidths[widthIndex]);
}

double
UnionDensity(double density, std::uint32_t workers, double unionExponent)
{
    if (density >= 1)
    {
        return 1;
    }
    const double effective = PortablePow(workers, unionExponent);
    return 1 - PortableExp(effective * PortableLog1p(-density));
}

std::optional<double>
FitUnionExponent(const LayerStatistics& statistics, std::optional<std::uint32_t> statsWorkers)
{
    const auto isInside = [](const auto& share) { return share && *share > 0 && *share < 1; };
    if (!isInside(statistics.density) || !isInside(statistics.unionDensity) || !statsWorkers)
    {
        return std::nullopt;
    }
    const double effective =
        PortableLog1p(-*statistics.unionDensity) / PortableLog1p(-*statistics.density);
    return std::max(0.0, PortableLog(effective) / PortableLog(*statsWorkers));
}

Complaints
StatisticsComplaints(const LayerStatistics& statistics, std::optional<std::uint32_t> statsWorkers)
{
    Complaints complaints;
    CheckUnion(statistics, statsWorkers, complaints);
    for (const auto& [bound, shares] : statistics.widths)
    {
        CheckWidths(bound, shares, complaints);
    }
    CheckZeros(statistics, complaints);
    return complaints;
}

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
WithDensity(GradientTrace trace, double density)
{
    for (auto& layer : trace.layers)
    {
        layer.statistics = WithDensity(layer.statistics, density);
    }
    return trace;
}

GradientTrace
Sparsified(GradientTrace trace, double density)
{
    for (auto& layer : trace.layers)
    {
        layer.statistics = Sparsified(layer.statistics, density);
    }
    return trace;
}

GradientTrace
OverGpus(GradientTrace trace, std::uint32_t gpus, std::optional<double> unionExponent)
{
    for (auto& layer : trace.layers)
    {
        const auto one = layer.statistics;
        const auto density = NonZeroShare(one);
        if (!density || *density <= 0)
        {
            continue;
        }
        const auto fitted = FitUnionExponent(one, trace.statsWorkers);
        const auto exponent = unionExponent.value_or(std::min(1.0, fitted.value_or(1.0)));
        // The union of densities near 0 rounds down to 0.
        const auto share = std::max(*density, UnionDensity(*density, gpus, exponent));
        layer.statistics = WithDensity(one, share);
        if (one.unionDensity && trace.statsWorkers)
        {
            layer.statistics.unionDensity = UnionDensity(share, *trace.statsWorkers, exponent);
        }
    }
    return trace;
}

Densities::Densities(const GradientTrace& trace, std::optional<double> unionExponent)
    : m_offsets(trace)
{
    for (const auto& layer : trace.layers)
    {
        const auto density = NonZeroShare(layer.statistics);
        if (!density)
        {
            throw InputError(
                "trace '" + trace.name + "': layer '" + layer.name +
                "' has no density; give training.density, or sparsify.method, which makes one");
        }
        const auto fitted = FitUnionExponent(layer.statistics, trace.statsWorkers);
        m_layers.push_back({*density, unionExponent.value_or(std::min(1.0, fitted.value_or(1)))});
    }
}

double
Densities::Of(std::uint64_t begin, std::uint64_t count, std::uint32_t workers) const
{
    double mean = 0;
    m_offsets.ForEach(begin, count, [&](auto index, auto, auto length, auto) {
        const auto& [density, unionExponent] = m_layers[index];
        const double share = workers == 1 ? density : UnionDensity(density, workers, unionExponent);
        // A range within one layer has the layer's share to the last bit: its weight is 1.
        mean += share * (static_cast<double>(length) / static_cast<double>(count));
    });
    return mean;
}

} // namespace inca
