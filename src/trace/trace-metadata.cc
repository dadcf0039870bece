/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/trace-metadata.h"

#include "base/nearest.h"
#include "base/units.h"

#include <algorithm>
#include <cstdint>

namespace inca
{

namespace
{

constexpr std::int64_t g_mostBatch = 1'000'000'000;
constexpr std::int64_t g_mostStatsWorkers = 1'000'000;

TraceKey
TextKey(const char* name, std::string GradientTrace::*member)
{
    return {name,
            [member](const auto& text, auto& trace) { trace.*member = text; },
            [member](const auto& trace) { return trace.*member; }};
}

TraceKey
ChoiceKey(const char* name, std::string GradientTrace::*member, std::vector<std::string> known)
{
    return {name,
            [member, known](const auto& text, auto& trace) {
                if (std::find(known.begin(), known.end(), text) == known.end())
                {
                    throw UnitError(UnknownName(text, known));
                }
                trace.*member = text;
            },
            [member](const auto& trace) { return trace.*member; }};
}

/** A whole number from @p least to @p most. */
template <typename Number>
TraceKey
NumberKey(const char* name,
          std::optional<Number> GradientTrace::*member,
          std::int64_t least,
          std::int64_t most)
{
    return {
        name,
        [=](const auto& text, auto& trace) {
            const auto number = ParseScaled(text, 0);
            if (number < least || number > most)
            {
                throw UnitError("'" + text + "': a whole number from " + std::to_string(least) +
                                " to " + std::to_string(most));
            }
            trace.*member = static_cast<Number>(number);
        },
        [=](const auto& trace) { return trace.*member ? std::to_string(*(trace.*member)) : ""; }};
}

} // namespace

const std::vector<TraceKey>&
TraceKeys()
{
    static const std::vector<TraceKey> keys{
        TextKey("model", &GradientTrace::model),
        TextKey("source", &GradientTrace::source),
        ChoiceKey(
            "class", &GradientTrace::valueClass, {"printed", "measured", "derived", "assumed"}),
        TextKey("device", &GradientTrace::device),
        NumberKey("batch", &GradientTrace::batch, 1, g_mostBatch),
        ChoiceKey("gradient_type", &GradientTrace::gradientType, {"fp32", "fp16", "bf16"}),
        NumberKey("stats_workers", &GradientTrace::statsWorkers, 2, g_mostStatsWorkers),
    };
    return keys;
}

std::vector<std::string>
TraceKeyNames()
{
    std::vector<std::string> names;
    for (const auto& key : TraceKeys())
    {
        names.push_back(key.name);
    }
    return names;
}

} // namespace inca
