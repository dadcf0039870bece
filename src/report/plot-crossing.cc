/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-crossing.h"

#include "report/plot-axis.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace inca
{

namespace
{

/** Both lines at one x, as shares of the axes' lengths. */
struct Pair
{
    double x;
    double a;
    double b;

    double Difference() const
    {
        return a - b;
    }
};

std::vector<Pair>
PairsOf(const std::vector<PlotPoint>& a, const std::vector<PlotPoint>& b, const PlotScales& scales)
{
    std::vector<Pair> pairs;
    for (const auto& point : a)
    {
        const auto other = std::find_if(
            b.begin(), b.end(), [&point](const PlotPoint& p) { return p.x == point.x; });
        if (other != b.end())
        {
            pairs.push_back(
                {scales.x.ShareOf(point.x), scales.y.ShareOf(point.y), scales.y.ShareOf(other->y)});
        }
    }
    return pairs;
}

PlotPoint
Between(const Pair& before, const Pair& after, const PlotScales& scales)
{
    const auto share = before.Difference() / (before.Difference() - after.Difference());
    return {scales.x.At(before.x + share * (after.x - before.x)),
            scales.y.At(before.a + share * (after.a - before.a))};
}

} // namespace

std::vector<PlotPoint>
Crossings(const std::vector<PlotPoint>& a,
          const std::vector<PlotPoint>& b,
          const PlotScales& scales)
{
    std::vector<PlotPoint> crossings;
    std::optional<std::size_t> last; // at which they differ
    const auto pairs = PairsOf(a, b, scales);
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        if (pairs[i].Difference() == 0)
        {
            continue;
        }
        if (last && pairs[*last].Difference() * pairs[i].Difference() < 0)
        {
            crossings.push_back(Between(pairs[*last], pairs[*last + 1], scales));
        }
        last = i;
    }
    return crossings;
}

} // namespace inca
