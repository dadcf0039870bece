/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/crossover.h"

#include <utility>

namespace inca
{

namespace
{

/** Narrows a crossing until its ends are near enough, or something between them is refused. */
Crossing
Narrow(Crossing crossing,
       const KeyScale& scale,
       const Metric& metric,
       double tolerance,
       const Comparer& compare)
{
    while (const auto middle =
               scale.Between(crossing.before.value, crossing.after.value, tolerance))
    {
        auto sample = compare({*middle}).front();
        if (!sample.IsWhole())
        {
            crossing.narrowed = false;
            return crossing;
        }
        const bool asBefore = WinnerOf(metric, sample) == WinnerOf(metric, crossing.before);
        (asBefore ? crossing.before : crossing.after) = std::move(sample);
    }
    return crossing;
}

} // namespace

Winner
WinnerOf(const Metric& metric, const CrossoverSample& sample)
{
    if (*sample.a == *sample.b)
    {
        return Winner::NEITHER;
    }
    return (*sample.a > *sample.b) == metric.moreIsBetter ? Winner::A : Winner::B;
}

Crossover
FindCrossover(const KeyScale& scale,
              const Metric& metric,
              double tolerance,
              const Comparer& compare)
{
    Crossover found;
    found.scan = compare(scale.Points(g_crossoverScan));
    const CrossoverSample* before = nullptr;
    bool gap = false;
    for (const auto& sample : found.scan)
    {
        if (!sample.IsWhole())
        {
            gap = true;
            continue;
        }
        if (before != nullptr && WinnerOf(metric, *before) != WinnerOf(metric, sample))
        {
            const Crossing crossing{*before, sample, !gap};
            found.crossings.push_back(gap ? crossing
                                          : Narrow(crossing, scale, metric, tolerance, compare));
        }
        before = &sample;
        gap = false;
    }
    return found;
}

} // namespace inca
