/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/sketch-plan.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "codec/peeling-forecast.h"
#include "scenario/specs.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
SketchSpecOf(const Scenario& scenario, const AggregationScheme* scheme)
{
    SketchSpec spec;
    spec.settings = MakeHomomorphicSettings(scenario);
    spec.workers = scenario.cluster.workers;
    spec.overlaps = scenario.codec.overlapsRounds;
    spec.adder = WordSum::FP32; // which hosts add
    if (scheme != nullptr)
    {
        const auto numbers = scheme->Numbers();
        spec.adder = numbers.adder;
        spec.fixedExponent = numbers.fixedExponent;
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

/** To which decoded sums are rounded: those of a shard are the weights that are handed on. */
GradientType
HeldTypeOf(const Resolved& resolved)
{
    const auto sums = GradientTypeNamed(resolved.trace->gradientType);
    return IsSharded(resolved.scenario) ? Coarser(sums, resolved.weightType) : sums;
}

} // namespace

SketchPlanner::SketchPlanner(const Resolved& resolved)
    : m_scenario(resolved.scenario),
      m_scheme(resolved.Scheme()),
      m_gradientType(HeldTypeOf(resolved)),
      m_densities(*resolved.trace, m_scenario.training.unionExponent)
{
    std::uint64_t begin = 0;
    for (const auto& layer : resolved.trace->layers)
    {
        m_layers.push_back({begin, layer.elements});
        const auto density = m_densities.Of(begin, layer.elements, 1);
        const auto& limit = m_scenario.codec.skipDensity;
        m_skips.push_back(limit && density >= *limit);
        begin += layer.elements;
    }
}

std::vector<PlannedSketch>
SketchPlanner::Plan(const std::vector<Ranges>& shards) const
{
    Sketches sketches;
    for (const auto& shard : shards)
    {
        sketches.push_back(DraftOf(shard));
    }
    if (!m_scenario.codec.ratio)
    {
        ChooseRatio(sketches);
    }
    for (auto& sketch : sketches)
    {
        if (!sketch.spec.coded.empty())
        {
            Finish(sketch);
        }
    }
    return sketches;
}

/** What of the shard is coded, and what travels as it is. */
PlannedSketch
SketchPlanner::DraftOf(const Ranges& shard) const
{
    PlannedSketch draft;
    draft.spec = SketchSpecOf(m_scenario, m_scheme);
    draft.spec.gradientType = m_gradientType;
    Ranges coded; // of the model
    std::uint64_t before = 0;
    for (const auto& range : shard)
    {
        for (std::size_t layer = 0; layer < m_layers.size(); ++layer)
        {
            const auto part = Clip(m_layers[layer], range);
            const ElementRange inShard{before + part.begin - range.begin, part.count};
            if (part.count > 0)
            {
                Append(inShard, m_skips[layer] ? draft.spec.plain : draft.spec.coded);
            }
            if (part.count > 0 && !m_skips[layer])
            {
                Append(part, coded);
            }
        }
        before += range.count;
    }
    draft.codedValues = TotalCount(coded);
    draft.density = DensityOf(coded, 1);
    draft.unionDensity = DensityOf(coded, m_scenario.cluster.workers);
    return draft;
}

double
SketchPlanner::DensityOf(const Ranges& ranges, std::uint32_t workers) const
{
    double set = 0;
    for (const auto& range : ranges)
    {
        set += m_densities.Of(range.begin, range.count, workers) * static_cast<double>(range.count);
    }
    const auto values = TotalCount(ranges);
    return values == 0 ? 0 : std::min(1.0, set / static_cast<double>(values));
}

/** Empty if none is. */
std::optional<double>
SketchPlanner::SafeRatio(const PlannedSketch& sketch) const
{
    const auto& settings = sketch.spec.settings;
    return LargestSafeRatio(ShapeOf(settings, sketch.codedValues).rows,
                            FoundDensity(settings, sketch.unionDensity),
                            m_scenario.codec.safeLeft);
}

/** "safe": the largest that all bear, and nothing is coded if that would not make the longest smaller. */
void
SketchPlanner::ChooseRatio(Sketches& sketches) const
{
    constexpr auto unbound = std::numeric_limits<double>::infinity();
    auto ratio = unbound;
    for (const auto& sketch : sketches)
    {
        ratio = sketch.codedValues > 0 ? std::min(ratio, SafeRatio(sketch).value_or(0)) : ratio;
    }
    const bool isSafe = ratio > 0 && ratio < unbound;
    std::uint64_t codedBytes = 0;
    std::uint64_t plainBytes = 0;
    for (auto& sketch : sketches)
    {
        auto& settings = sketch.spec.settings;
        // G / R, and a little: G / (G / R) may be rounded to more than R.
        settings.ratio = isSafe ? std::nextafter(ratio, 2 * ratio) : settings.ratio;
        const auto asItIs = TotalCount(sketch.spec.plain) * VALUE_BYTES;
        codedBytes = std::max(codedBytes, asItIs + ShapeOf(settings, sketch.codedValues).Bytes());
        plainBytes = std::max(plainBytes, asItIs + sketch.codedValues * VALUE_BYTES);
    }
    for (auto& sketch : sketches)
    {
        if (!isSafe || codedBytes >= plainBytes)
        {
            auto& plain = sketch.spec.plain;
            plain.insert(plain.end(), sketch.spec.coded.begin(), sketch.spec.coded.end());
            std::sort(plain.begin(), plain.end(), [](const auto& left, const auto& right) {
                return left.begin < right.begin;
            });
            sketch.spec.coded.clear();
        }
    }
}

void
SketchPlanner::Finish(PlannedSketch& sketch) const
{
    const auto& settings = sketch.spec.settings;
    const auto shape = ShapeOf(settings, sketch.codedValues);
    const auto forecast = ForecastBucket(settings, sketch.codedValues, sketch.unionDensity);
    const auto found = FoundDensity(settings, sketch.unionDensity);
    sketch.rows = shape.rows;
    sketch.counterRows = shape.counterRows;
    sketch.load = forecast.load;
    sketch.markedValues = found * static_cast<double>(shape.RowValues());
    sketch.estimatedValues = sketch.markedValues * forecast.figures.leftShare;
    sketch.rounds = forecast.figures.bucketRounds;
    sketch.safeRatio = SafeRatio(sketch);
    AddTimes(sketch);
}

void
SketchPlanner::AddTimes(PlannedSketch& sketch) const
{
    const auto& codec = m_scenario.codec;
    const auto& gpu = m_scenario.gpu;
    auto& spec = sketch.spec;
    const auto traffic = TrafficOf(spec.settings,
                                   sketch.codedValues,
                                   std::min(sketch.density, sketch.unionDensity),
                                   sketch.unionDensity);
    // The GPUs of a worker each code their part of it.
    const double devices =
        Placement(m_scenario) == CodecPlacement::GPU ? m_scenario.cluster.gpus : 1;
    const auto plainBytes = static_cast<double>(sketch.codedValues * VALUE_BYTES) / devices;
    const auto inMemoryPs = [&](double bytes) {
        return TimePs(bytes / devices, gpu.memoryBytesPerSecond);
    };
    spec.indexPs = inMemoryPs(traffic.indexBytes);
    spec.sketchPs = inMemoryPs(traffic.sketchBytes);
    spec.decodePs =
        inMemoryPs(traffic.peelBytes) +
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
