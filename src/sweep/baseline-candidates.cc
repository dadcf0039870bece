/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/baseline-candidates.h"

#include "scenario/checks.h"
#include "scenario/keys.h"
#include "scenario/specs.h"
#include "trace/gradient-trace.h"
#include "trace/trace-catalog.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace inca
{

namespace
{

constexpr const char* g_algorithm = "exchange.algorithm";
constexpr const char* g_limit = "simulation.max_baseline_cpu_time";
constexpr const char* g_sixteenBits = "bf16";

/** Without compression, and without values, on which no time depends then. */
Scenario
Uncompressed(const Scenario& scenario, RunKind kind)
{
    auto plain = scenario;
    plain.codec = {};
    plain.sparsify = {};
    auto& training = plain.training;
    training.values = false;
    training.valuesFile.clear();
    if (!training.readTrace)
    {
        training.readTrace = std::make_shared<const GradientTrace>(FindTrace(training.trace));
    }
    const auto type = training.gradientType.value_or(training.readTrace->gradientType);
    if (kind == RunKind::BASELINE_16BIT && type == "fp32")
    {
        training.gradientType = g_sixteenBits;
    }
    return plain;
}

/** @return whether it can run, as far as is known, on what any cluster has: workers, and switches that forward */
bool
NeedsOnlyWorkers(const Scenario& scenario)
{
    return !SumsInNetwork(scenario) && Complaints(scenario).empty() &&
           FindExchange(scenario.exchange.algorithm).otherRanks(MakeExchangeSpec(scenario)) == 0;
}

/** @return whether the key of that name can matter in some of @p candidates */
bool
Matters(const std::string& name, const std::vector<Scenario>& candidates)
{
    const auto* key = FindKey(name);
    return key == nullptr ||
           std::any_of(candidates.begin(), candidates.end(), [key](const auto& c) {
               return IdleReason(*key, c).empty();
           });
}

/** What decides a baseline's result. */
std::vector<std::string>
InputsOf(const Scenario& scenario, RunKind kind, ResultInputs& inputs)
{
    const auto candidates = BaselineCandidates(scenario, kind);
    std::vector<std::string> lines{"baseline",
                                   std::string(g_limit) + "=" + FindKey(g_limit)->text(scenario)};
    for (const auto& candidate : candidates)
    {
        lines.push_back(std::string(g_algorithm) + "=" + candidate.exchange.algorithm);
    }
    for (auto& line : candidates.empty() ? inputs.Of(scenario) : inputs.Of(candidates.front()))
    {
        const auto name = line.substr(0, line.find('='));
        if (name != g_algorithm && Matters(name, candidates))
        {
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

} // namespace

bool
HasBaselines(const Scenario& scenario)
{
    return Compresses(scenario) && scenario.simulation.maxBaselineCpuPs.has_value();
}

std::vector<Scenario>
BaselineCandidates(const Scenario& scenario, RunKind kind)
{
    auto candidate = Uncompressed(scenario, kind);
    std::vector<Scenario> candidates;
    for (const auto& name : ExchangeNames())
    {
        candidate.exchange.algorithm = name;
        const bool isOwn = name == scenario.exchange.algorithm;
        if (isOwn ? Complaints(candidate).empty() : NeedsOnlyWorkers(candidate))
        {
            candidates.push_back(candidate);
        }
    }
    return candidates;
}

BaselineKeys
BaselineKeysOf(const Scenario& scenario, ResultInputs& inputs)
{
    BaselineKeys keys;
    for (std::size_t i = 0; HasBaselines(scenario) && i < keys.size(); ++i)
    {
        keys[i] = ResultKey(InputsOf(scenario, BASELINE_KINDS[i], inputs));
    }
    return keys;
}

} // namespace inca
