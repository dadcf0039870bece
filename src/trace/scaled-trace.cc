/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/scaled-trace.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/text.h"

#include <cmath>

namespace inca
{

namespace
{

constexpr double LEAST_FACTOR = 1e-6;
constexpr double MOST_FACTOR = 1e6;
constexpr std::uint64_t MOST_BATCH = 1'000'000'000;
constexpr double MOST_PS = 1e18;

std::int64_t
ScaledTime(std::int64_t ps, double factor)
{
    const auto scaled = static_cast<double>(ps) * factor;
    if (scaled > MOST_PS)
    {
        throw InputError("a layer's scaled time is longer than 10^6 s");
    }
    return std::llround(scaled);
}

} // namespace

GradientTrace
Scaled(const GradientTrace& trace, const TraceScale& scale)
{
    if (!(scale.compute >= LEAST_FACTOR && scale.compute <= MOST_FACTOR))
    {
        throw InputError("--compute: must be a factor of 1e-6 to 1e6");
    }
    const auto& type = scale.gradientType;
    if (!type.empty() && type != "fp32" && type != "fp16" && type != "bf16")
    {
        throw InputError("--gradient-type: " + UnknownName(type, {"fp32", "fp16", "bf16"}));
    }
    if (scale.batch && (*scale.batch == 0 || *scale.batch > MOST_BATCH))
    {
        throw InputError("--batch: must be 1 to 10^9");
    }
    if (scale.batch && !trace.batch)
    {
        throw InputError(trace.name + ": batch: unknown, so it cannot be scaled; a line '# batch: "
                                      "32' says it");
    }
    const double batch = // how much longer the passes take
        scale.batch ? static_cast<double>(*scale.batch) / static_cast<double>(*trace.batch) : 1;
    auto scaled = trace;
    scaled.checksum = 0;
    std::string changes;
    const auto add = [&changes](const std::string& text) {
        changes += (changes.empty() ? "" : ", ") + text;
    };
    if (scale.batch && *scale.batch != *trace.batch)
    {
        scaled.batch = scale.batch;
        add(Text("batch ",
                 *trace.batch,
                 " to ",
                 *scale.batch,
                 " (forward and backward times in proportion)"));
    }
    if (scale.compute != 1)
    {
        add(Text("all times by ", scale.compute));
    }
    if (!scale.gradientType.empty() && scale.gradientType != trace.gradientType)
    {
        scaled.gradientType = scale.gradientType;
        add(Text("gradient_type ", trace.gradientType, " to ", scale.gradientType));
    }
    for (auto& layer : scaled.layers)
    {
        layer.forwardPs = ScaledTime(layer.forwardPs, batch * scale.compute);
        layer.backwardPs = ScaledTime(layer.backwardPs, batch * scale.compute);
        layer.updatePs = ScaledTime(layer.updatePs, scale.compute);
        if (layer.aggregatorUpdatePs)
        {
            layer.aggregatorUpdatePs = ScaledTime(*layer.aggregatorUpdatePs, scale.compute);
        }
    }
    if (!changes.empty())
    {
        scaled.notes.emplace_back("scaled", changes + ", of " + trace.name);
        scaled.valueClass = trace.valueClass == "assumed" ? "assumed" : "derived";
    }
    return scaled;
}

} // namespace inca
