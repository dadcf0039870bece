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
SpecOf(const Scenario& scenario)
{
    SketchSpec spec;
    spec.settings = MakeHomomorphicSettings(scenario);
    spec.workers = scenario.cluster.workers;
    spec.overlaps = scenario.codec.rounds == "overlapped";
    spec.adder = WordSum::FP32; // which hosts add
    if (ReducesInNetwork(scenario))
    {
        const auto numbers = MakeScheme(scenario)->Numbers();
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

/** Before its ratio is chosen. */
struct SketchPlanner::Draft
{
    SketchSpec spec;
    std::uint64_t values{0}; ///< that are coded, until they are not
    double density{0};       ///< of these, of a worker
    double unionDensity{0};
};

PlannedSketch
SketchPlanner::Plan(ElementRange chunk) const
{
    return PlanShards({{chunk}}).front();
}

std::vector<PlannedSketch>
SketchPlanner::PlanShards(const std::vector<Ranges>& shards) const
{
    std::vector<Draft> drafts;
    for (const auto& shard : shards)
    {
        drafts.push_back(DraftOf(shard));
    }
    if (!m_scenario.codec.ratio)
    {
        ChooseRatio(drafts);
    }
    std::vector<PlannedSketch> sketches;
    for (const auto& draft : drafts)
    {
        sketches.push_back(Finished(draft));
    }
    return sketches;
}

/** What of the shard is coded, and what travels as it is. */
SketchPlanner::Draft
SketchPlanner::DraftOf(const Ranges& shard) const
{
    Draft draft;
    draft.spec = SpecOf(m_scenario);
    draft.spec.gradientType = m_gradientType;
    Ranges coded; // of the model
    std::uint64_t before = 0;
    for (const auto& range : shard)
    {
        const auto after = std::upper_bound(
            m_layers.begin(), m_layers.end(), range.begin, [](auto begin, const auto& layer) {
                return begin < layer.begin;
            });
        auto layer = static_cast<std::size_t>(after - m_layers.begin()) - 1;
        for (; layer < m_layers.size() && m_layers[layer].begin < range.End(); ++layer)
        {
            const auto part = Clip(m_layers[layer], range);
            const ElementRange inShard{before + part.begin - range.begin, part.count};
            Append(inShard, m_skips[layer] ? draft.spec.plain : draft.spec.coded);
            if (!m_skips[layer])
            {
                Append(part, coded);
            }
        }
        before += range.count;
    }
    draft.values = TotalCount(coded);
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

/** That all bear; empty if one bears none. */
std::optional<double>
SketchPlanner::SafeRatio(const std::vector<Draft>& drafts) const
{
    auto ratio = std::numeric_limits<double>::infinity();
    for (const auto& draft : drafts)
    {
        const auto rows = ShapeOf(draft.spec.settings, draft.values).rows;
        const auto found = FoundDensity(draft.spec.settings, draft.unionDensity);
        const auto safe = LargestSafeRatio(rows, found, m_scenario.codec.safeLeft);
        if (draft.values > 0 && !safe)
        {
            return std::nullopt;
        }
        ratio = draft.values > 0 ? std::min(ratio, *safe) : ratio;
    }
    return std::isinf(ratio) ? std::nullopt : std::optional(ratio);
}

/** Of the longest, with what is not coded. */
bool
SketchPlanner::AreSmaller(const std::vector<Draft>& drafts)
{
    std::uint64_t codedBytes = 0;
    std::uint64_t plainBytes = 0;
    for (const auto& [spec, values, density, unionDensity] : drafts)
    {
        const auto asItIs = TotalCount(spec.plain) * VALUE_BYTES;
        codedBytes = std::max(codedBytes, asItIs + ShapeOf(spec.settings, values).Bytes());
        plainBytes = std::max(plainBytes, asItIs + values * VALUE_BYTES);
    }
    return codedBytes < plainBytes;
}

/** "safe": the largest that is, and nothing is coded that would not get smaller. */
void
SketchPlanner::ChooseRatio(std::vector<Draft>& drafts) const
{
    const auto ratio = SafeRatio(drafts);
    for (auto& draft : drafts)
    {
        // G / R, and a little: G / (G / R) may be rounded to more than R.
        draft.spec.settings.ratio =
            ratio ? std::nextafter(*ratio, 2 * *ratio) : draft.spec.settings.ratio;
    }
    if (ratio && AreSmaller(drafts))
    {
        return;
    }
    for (auto& [spec, values, density, unionDensity] : drafts)
    {
        spec.plain.insert(spec.plain.end(), spec.coded.begin(), spec.coded.end());
        std::sort(spec.plain.begin(), spec.plain.end(), [](const auto& left, const auto& right) {
            return left.begin < right.begin;
        });
        spec.coded.clear();
    }
}

PlannedSketch
SketchPlanner::Finished(const Draft& draft) const
{
    PlannedSketch plan;
    plan.spec = draft.spec;
    plan.unionDensity = draft.unionDensity;
    if (plan.spec.coded.empty())
    {
        return plan;
    }
    const auto& settings = plan.spec.settings;
    const auto shape = ShapeOf(settings, draft.values);
    const auto forecast = ForecastBucket(settings, draft.values, plan.unionDensity);
    const auto found = FoundDensity(settings, plan.unionDensity);
    plan.rows = shape.rows;
    plan.counterRows = shape.counterRows;
    plan.load = forecast.load;
    plan.markedValues = found * static_cast<double>(shape.RowValues());
    plan.estimatedValues = plan.markedValues * forecast.figures.leftShare;
    plan.rounds = forecast.figures.bucketRounds;
    plan.safeRatio = LargestSafeRatio(shape.rows, found, m_scenario.codec.safeLeft);
    AddTimes(draft.values, draft.density, plan.unionDensity, plan.spec);
    return plan;
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
