/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/sketch-plan.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "codec/homomorphic-traffic.h"
#include "codec/peeling-forecast.h"
#include "scenario/specs.h"

#include <algorithm>
#include <cmath>

namespace inca
{

namespace
{

/** The time of @p bytes of memory traffic, or of plain values, at a rate. */
std::int64_t
TimePs(double bytes, std::uint64_t bytesPerSecond)
{
    return WorkPs(static_cast<std::uint64_t>(std::ceil(bytes)), bytesPerSecond);
}

SketchSpec
SpecOf(const Scenario& scenario)
{
    SketchSpec spec;
    spec.settings = MakeHomomorphicSettings(scenario);
    spec.workers = scenario.cluster.workers;
    spec.overlaps = scenario.codec.rounds == "overlapped";
    spec.adder = WordSum::FP32; // which hosts add
    if (SumsInNetwork(scenario))
    {
        const auto sum = MakeScheme(scenario)->SumSpec();
        spec.adder = sum.adder;
        spec.fixedExponent = sum.adder == WordSum::FP32 ? std::nullopt : sum.fixedExponent;
    }
    return spec;
}

/** Adjacent ranges become one. */
void
Append(ElementRange range, std::vector<ElementRange>& ranges)
{
    if (!ranges.empty() && ranges.back().End() == range.begin)
    {
        ranges.back().count += range.count;
        return;
    }
    ranges.push_back(range);
}

} // namespace

SketchPlanner::SketchPlanner(const Scenario& scenario, const GradientTrace& trace)
    : m_scenario(scenario),
      m_gradientType(GradientTypeNamed(trace.gradientType)),
      m_densities(trace, scenario.training.unionExponent)
{
    std::uint64_t begin = 0;
    for (const auto& layer : trace.layers)
    {
        m_layers.push_back({begin, layer.elements});
        const auto density = m_densities.Of(begin, layer.elements, 1);
        const auto& limit = scenario.codec.skipDensity;
        m_skips.push_back(limit && density >= *limit);
        begin += layer.elements;
    }
}

PlannedSketch
SketchPlanner::Plan(ElementRange chunk) const
{
    PlannedSketch plan;
    plan.spec = SpecOf(m_scenario);
    plan.spec.gradientType = m_gradientType;
    Split(chunk, plan.spec);
    const auto values = TotalCount(plan.spec.coded);
    plan.unionDensity = DensityOf(chunk, plan.spec, m_scenario.cluster.workers);
    ChooseRatio(values, plan.unionDensity, plan.spec);
    if (plan.spec.coded.empty())
    {
        return plan;
    }
    const auto& settings = plan.spec.settings;
    const auto shape = ShapeOf(settings, values);
    const auto forecast = ForecastBucket(settings, values, plan.unionDensity);
    const auto found = FoundDensity(settings, plan.unionDensity);
    plan.rows = shape.rows;
    plan.counterRows = shape.counterRows;
    plan.load = forecast.load;
    plan.markedValues = found * static_cast<double>(shape.RowValues());
    plan.estimatedValues = plan.markedValues * forecast.figures.leftShare;
    plan.rounds = forecast.figures.bucketRounds;
    plan.safeRatio = LargestSafeRatio(shape.rows, found, m_scenario.codec.safeLeft);
    AddTimes(values, DensityOf(chunk, plan.spec, 1), plan.unionDensity, plan.spec);
    return plan;
}

/** What of the chunk is coded, and what travels as it is. */
void
SketchPlanner::Split(ElementRange chunk, SketchSpec& spec) const
{
    const auto after = std::upper_bound(
        m_layers.begin(), m_layers.end(), chunk.begin, [](std::uint64_t begin, const auto& layer) {
            return begin < layer.begin;
        });
    auto layer = static_cast<std::size_t>(after - m_layers.begin()) - 1;
    for (; layer < m_layers.size() && m_layers[layer].begin < chunk.End(); ++layer)
    {
        const auto part = Clip(m_layers[layer], chunk);
        Append({part.begin - chunk.begin, part.count}, m_skips[layer] ? spec.plain : spec.coded);
    }
}

/** Of the coded values. */
double
SketchPlanner::DensityOf(ElementRange chunk, const SketchSpec& spec, std::uint32_t workers) const
{
    double set = 0;
    for (const auto& range : spec.coded)
    {
        set += m_densities.Of(chunk.begin + range.begin, range.count, workers) *
               static_cast<double>(range.count);
    }
    const auto values = TotalCount(spec.coded);
    return values == 0 ? 0 : std::min(1.0, set / static_cast<double>(values));
}

/** "safe": the largest that is, and nothing is coded that would not get smaller. */
void
SketchPlanner::ChooseRatio(std::uint64_t values, double unionDensity, SketchSpec& spec) const
{
    if (m_scenario.codec.ratio || spec.coded.empty())
    {
        return;
    }
    const auto rows = ShapeOf(spec.settings, values).rows;
    const auto safe = LargestSafeRatio(
        rows, FoundDensity(spec.settings, unionDensity), m_scenario.codec.safeLeft);
    if (safe)
    {
        // G / R, and a little: G / (G / R) may be rounded to more than R.
        spec.settings.ratio = std::nextafter(*safe, 2 * *safe);
    }
    if (!safe || ShapeOf(spec.settings, values).Bytes() >= values * VALUE_BYTES)
    {
        spec.plain.insert(spec.plain.end(), spec.coded.begin(), spec.coded.end());
        std::sort(spec.plain.begin(), spec.plain.end(), [](const auto& left, const auto& right) {
            return left.begin < right.begin;
        });
        spec.coded.clear();
    }
}

void
SketchPlanner::AddTimes(std::uint64_t values,
                        double density,
                        double unionDensity,
                        SketchSpec& spec) const
{
    const auto& codec = m_scenario.codec;
    const auto& gpu = m_scenario.gpu;
    const auto traffic =
        TrafficOf(spec.settings, values, std::min(density, unionDensity), unionDensity);
    // The GPUs of a worker each code their part of it.
    const double devices = Placement(m_scenario) == "gpu" ? m_scenario.cluster.gpus : 1;
    const auto plainBytes = static_cast<double>(values * VALUE_BYTES) / devices;
    spec.indexPs = TimePs(traffic.indexBytes / devices, gpu.memoryBytesPerSecond);
    spec.sketchPs = TimePs(traffic.sketchBytes / devices, gpu.memoryBytesPerSecond);
    spec.decodePs =
        TimePs(traffic.peelBytes / devices, gpu.memoryBytesPerSecond) +
        static_cast<std::int64_t>(traffic.rounds * static_cast<double>(gpu.roundCheckPs));
    if (codec.encodeBytesPerSecond > 0)
    {
        const auto encodePs = TimePs(plainBytes, codec.encodeBytesPerSecond);
        const auto all = traffic.indexBytes + traffic.sketchBytes;
        const auto share = all > 0 ? traffic.indexBytes / all : 0;
        spec.indexPs = static_cast<std::int64_t>(static_cast<double>(encodePs) * share);
        spec.sketchPs = encodePs - spec.indexPs;
    }
    if (codec.decodeBytesPerSecond > 0)
    {
        spec.decodePs = TimePs(plainBytes, codec.decodeBytesPerSecond);
    }
}

} // namespace inca
