/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/layer-statistics.h"

#include "base/portable-math.h"
#include "trace/trace-columns.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace inca
{

namespace
{

using Complaints = std::vector<std::pair<std::string, std::string>>;

bool
IsOneWithinTolerance(double sum)
{
    return std::fabs(sum - 1) <= g_shareTolerance;
}

void
CheckUnion(const char* name,
           const std::optional<double>& one,
           const std::optional<double>& all,
           std::optional<std::uint32_t> statsWorkers,
           Complaints& complaints)
{
    if (!all)
    {
        return;
    }
    if (!statsWorkers)
    {
        complaints.emplace_back(name, "needs a line '# stats_workers: N' above the header row");
    }
    if (one && *all < *one - g_shareTolerance)
    {
        complaints.emplace_back(name, "several workers together cannot have fewer than one alone");
    }
    if (one && statsWorkers && *all > *one * *statsWorkers + g_shareTolerance)
    {
        complaints.emplace_back(name, "above what stats_workers workers can have together");
    }
}

void
CheckWidths(unsigned bound, const std::array<double, 4>& shares, Complaints& complaints)
{
    for (std::size_t i = 0; i < shares.size(); ++i)
    {
        if (std::isnan(shares[i]))
        {
            complaints.emplace_back(WidthColumn(bound, i).name,
                                    "empty, though others of its bound are given");
            return;
        }
    }
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    if (!IsOneWithinTolerance(sum))
    {
        complaints.emplace_back(WidthColumn(bound, 0).name,
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
            complaints.emplace_back(WidthColumn(bound, 0).name,
                                    "fewer values than density has zeros");
        }
    }
}

} // namespace

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
    CheckUnion(
        "union_density", statistics.density, statistics.unionDensity, statsWorkers, complaints);
    CheckUnion("union_block_density",
               statistics.blockDensity,
               statistics.unionBlockDensity,
               statsWorkers,
               complaints);
    for (const auto& [bound, shares] : statistics.widths)
    {
        CheckWidths(bound, shares, complaints);
    }
    CheckZeros(statistics, complaints);
    return complaints;
}

} // namespace inca
