/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/loss.h"

#include "codec/codec-catalog.h"
#include "scenario/specs.h"
#include "trace/gradient-trace.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace inca
{

namespace
{

constexpr int g_wordBits = 32;

Loss
CodecLoss(const Scenario& scenario)
{
    const auto spec = MakeCodecSpec(scenario);
    const auto& entry = FindCodec(spec.name);
    return {spec.name, entry.loss ? entry.loss(spec) : "it does not say how much"};
}

/** Gradients that the trace has in 32 bits, and the scenario in 16. */
std::optional<Loss>
TypeLoss(const Scenario& scenario)
{
    const auto& training = scenario.training;
    const auto own = training.readTrace ? training.readTrace->gradientType : std::string("fp32");
    const auto type = training.gradientType.value_or(own);
    if (own != "fp32" || type == own)
    {
        return std::nullopt;
    }
    CodecSpec cast;
    cast.name = "cast";
    cast.castTo = type;
    return Loss{"16-bit", FindCodec(cast.name).loss(cast)};
}

/** Values are rounded to whole multiples of W * 2^e / 2^31, by half of one at most: W * 2^(e - 32). */
Loss
AdderLoss(const NetworkSumSpec& spec)
{
    const int roomBits = static_cast<int>(std::ceil(std::log2(spec.workers)));
    const int power = roomBits - g_wordBits + spec.fixedExponent.value_or(0);
    return {"int32",
            fmt::format("2^{}{}",
                        power,
                        spec.fixedExponent ? ", whatever the value" : " of a block's largest")};
}

/** Where less than one value of an iteration is expected to be left, all are as good as decoded. */
std::optional<Loss>
SketchLoss(const Plan& plan)
{
    constexpr double percent = 100;
    double marked = 0;
    double estimated = 0;
    for (const auto& sketch : plan.Job().prepared.sketches)
    {
        marked += sketch.markedValues;
        estimated += sketch.estimatedValues;
    }
    if (estimated < 1)
    {
        return std::nullopt;
    }
    return Loss{
        "sketch",
        fmt::format("{:.2g} % of the set values are estimated", percent * estimated / marked)};
}

} // namespace

std::vector<Loss>
LossesOf(const Plan& plan)
{
    const auto& scenario = plan.scenario;
    std::vector<Loss> losses;
    if (const auto type = TypeLoss(scenario))
    {
        losses.push_back(*type);
    }
    if (HasLossyCodec(scenario))
    {
        losses.push_back(CodecLoss(scenario));
    }
    if (const auto sketch = SketchLoss(plan))
    {
        losses.push_back(*sketch);
    }
    if (SumsInNetwork(scenario))
    {
        const auto spec = MakeScheme(scenario)->SumSpec();
        if (IsExact(spec.adder))
        {
            losses.push_back(AdderLoss(spec));
        }
    }
    return losses;
}

} // namespace inca
