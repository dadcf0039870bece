/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_CROSSOVER_H
#define INCA_SWEEP_CROSSOVER_H

#include "sweep/key-scale.h"
#include "sweep/metric.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** Two systems at one value of the key. */
struct CrossoverSample
{
    ScaledValue value;
    std::optional<double> a; ///< of the metric; nothing if it was refused, or does not apply
    std::optional<double> b;
    std::string refusal; ///< why one of them is missing

    bool IsWhole() const
    {
        return a && b;
    }
};

/** Compares two systems at some values, in their order. */
using Comparer = std::function<std::vector<CrossoverSample>(const std::vector<ScaledValue>&)>;

/** Who is better. */
enum class Winner
{
    A,
    B,
    NEITHER, ///< they are the same
};

/** @param sample a whole one */
Winner WinnerOf(const Metric& metric, const CrossoverSample& sample);

/** Neighbouring values between which the winner changes. */
struct Crossing
{
    CrossoverSample before;
    CrossoverSample after;
    bool narrowed{true}; ///< false: something was refused between them
};

struct Crossover
{
    std::vector<CrossoverSample> scan;
    std::vector<Crossing> crossings; ///< ascending
};

/** How many values are looked at before crossings are narrowed. */
constexpr std::size_t g_crossoverScan = 17;

/**
 * Looks where the better of two systems changes: at g_crossoverScan values of @p scale, then by bisection
 * wherever the winner changes between two of them. Two crossings between neighbouring values are missed.
 * @param tolerance by which the ends of a crossing may differ, relative to the larger
 */
Crossover FindCrossover(const KeyScale& scale,
                        const Metric& metric,
                        double tolerance,
                        const Comparer& compare);

} // namespace inca

#endif // INCA_SWEEP_CROSSOVER_H
