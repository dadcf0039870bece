/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/losses.h"

#include "scenario/specs.h"
#include "trace/gradient-trace.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace inca
{

namespace
{

/** Gradients that the trace has in 32 bits, and the scenario in 16. */
std::optional<Loss>
TypeLoss(const Scenario& scenario)
{
    const auto& training = scenario.training;
    const auto own = training.readTrace ? training.readTrace->gradientType : std::string("fp32");
    const auto reduced = ReduceTypeOf(scenario);
    const auto type = reduced == "fp32" ? GradientTypeOf(scenario) : reduced;
    if (own != "fp32" || type == own)
    {
        return std::nullopt;
    }
    CodecSpec cast;
    cast.name = "cast";
    cast.castTo = type;
    return Loss{"16-bit", FindCodec(cast.name).loss(cast)};
}

/** Where less than one value of an iteration is expected to be left, all are as good as decoded. */
std::optional<Loss>
SketchLoss(const Plan& plan)
{
    constexpr double percent = 100;
    double marked = 0;
    double estimated = 0;
    for (const auto& sketch : plan.Job().sketches)
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
    const auto& resolved = plan.Settings();
    const auto& scenario = resolved.scenario;
    std::vector<Loss> losses;
    if (const auto type = TypeLoss(scenario))
    {
        losses.push_back(*type);
    }
    for (const bool crossesGroups : {false, true})
    {
        const auto& [entry, codec] = resolved.codecs[crossesGroups];
        if (codec && !codec->IsLossless() && (!crossesGroups || HasCodecsApart(scenario)))
        {
            const auto spec = MakeCodecSpec(CodedAs(scenario, crossesGroups));
            losses.push_back(
                {spec.name, entry->loss ? entry->loss(spec) : "it does not say how much"});
        }
    }
    if (const auto sketch = SketchLoss(plan))
    {
        losses.push_back(*sketch);
    }
    for (const auto& [adding, scheme, together, areSums] : resolved.sums)
    {
        auto loss = areSums ? scheme->Loss() : "";
        const bool isNew = losses.empty() || losses.back().text != loss;
        if (!loss.empty() && isNew)
        {
            losses.push_back({scheme->Numbers().adder.name, std::move(loss)});
        }
    }
    return losses;
}

bool
MayLose(const Scenario& scenario)
{
    return TypeLoss(scenario) || HasSketch(scenario) || HasLossyCodec(scenario) ||
           SwitchesAdd(scenario);
}

std::string
LossesText(const std::vector<Loss>& losses)
{
    std::string text;
    for (const auto& loss : losses)
    {
        text += (text.empty() ? "" : "; ") + loss.kind + ": " + loss.text;
    }
    return text.empty() ? "none" : text;
}

} // namespace inca
