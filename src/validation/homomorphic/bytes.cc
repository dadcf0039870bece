/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/bytes.h"

#include "validation/homomorphic/claims.h"
#include "validation/homomorphic/scenarios.h"
#include "validation/homomorphic/sketches.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

namespace inca
{

namespace
{

constexpr double g_ratioLimit = 0.01;
constexpr double g_reductionLimit = 0.05;

/** A ratio that bytes alone ask for. */
struct DerivedRatio
{
    const char* index;
    double ratio;
};

/** index + 4 / ratio = 4 / 6.33 bytes per value. */
constexpr std::array<DerivedRatio, 2> g_ratios{{{"bits-1", 7.9}, {"bits-4", 30.3}}};

/** How much smaller a model's gradients get, with 4 workers and independent positions. */
struct DerivedReduction
{
    const char* trace;
    double zeros;     ///< reported for OmniReduce's set-up, unverified
    double reduction; ///< 1: no safe ratio makes them smaller
};

constexpr std::array<DerivedReduction, 4> g_reductions{
    {{"ncf", 0.845, 1.5}, {"lstm", 0.945, 3.4}, {"vgg-19", 0.32, 1}, {"bert-base", 0.093, 1}}};

Comparison
RatioFigure(const std::string& name, const DerivedRatio& derived)
{
    const auto ratio = RatioByBytes(derived.index, g_claimedThroughputGain).value();
    return {name,
            std::string(derived.index) + " index",
            fmt::format("ratio at which bytes shrink {} times", g_claimedThroughputGain),
            FigureUnit::TIMES,
            ratio,
            Single(derived.ratio, PublishedClass::DERIVED, "index + 4 / ratio"),
            g_ratioLimit};
}

/** @param density empty: as in the trace */
Comparison
ReductionFigure(const std::string& name,
                const DerivedReduction& derived,
                std::optional<double> density)
{
    const ModelNetwork network{
        derived.trace, HomomorphicExchanges().front(), HomomorphicRates().front()};
    const auto sketches = SketchesOf(ModelCompressed(network, {density, false}, true));
    Comparison figure{name,
                      derived.trace,
                      density ? "bytes reduced, zeros as reported, in all layers"
                              : "bytes reduced, zeros as in the trace, by layer",
                      FigureUnit::TIMES,
                      sketches.Reduction(),
                      Single(derived.reduction, PublishedClass::DERIVED, "0.78 / (1 - s^4)"),
                      {}};
    if (density)
    {
        figure.limit = g_reductionLimit;
    }
    return figure;
}

} // namespace

std::vector<Comparison>
HomomorphicBytes(const std::string& name)
{
    std::vector<Comparison> figures;
    for (const auto& derived : g_ratios)
    {
        figures.push_back(RatioFigure(name, derived));
    }
    for (const auto& derived : g_reductions)
    {
        figures.push_back(ReductionFigure(name, derived, 1 - derived.zeros));
    }
    for (const auto& derived : g_reductions)
    {
        figures.push_back(ReductionFigure(name, derived, std::nullopt));
    }
    return figures;
}

} // namespace inca
