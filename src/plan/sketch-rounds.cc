/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/sketch-rounds.h"

#include "base/errors.h"
#include "base/wire-format.h"
#include "base/word-sum.h"
#include "exchange/exchange-catalog.h"
#include "exchange/network-reduction.h"
#include "job/sharded-coding.h"
#include "scenario/specs.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace inca
{

namespace
{

void
CheckSketchSize(std::uint64_t values)
{
    constexpr std::uint64_t most = 1ULL << 32U;
    if (values >= most)
    {
        throw InputError(
            "exchange.chunk_bytes: homomorphic compression takes less than 2^32 values "
            "(16GiB) at a time, and one exchange has " +
            std::to_string(values) + "; such as \"1GiB\" cuts it");
    }
}

ValueHooks
HooksOfWords(const Scenario& scenario, const WordSum& sum)
{
    ValueHooks hooks;
    hooks.sum = sum;
    if (ReducesInNetwork(scenario) && scenario.training.values)
    {
        hooks.network = MakeScheme(scenario)->Reduction(sum == WordSum::FP32 ? std::nullopt
                                                                             : std::optional(sum));
    }
    return hooks;
}

ExchangeSpec
SpecOfHalf(const Scenario& scenario, std::uint64_t bytesPerElement, SumPhase phase)
{
    auto spec = MakeExchangeSpec(scenario, bytesPerElement);
    spec.phase = spec.sharded ? phase : SumPhase::ALL_REDUCE;
    return spec;
}

ExchangeSpec
SpecToAll(const Scenario& scenario)
{
    auto spec = MakeExchangeSpec(scenario, VALUE_BYTES);
    spec.sharded = false;
    spec.phase = SumPhase::ALL_REDUCE;
    return spec;
}

/** Of the longest. */
SketchWords
LongestOf(const std::vector<PlannedSketch>& sketches)
{
    SketchWords longest;
    for (const auto& sketch : sketches)
    {
        const auto words = WordsOf(sketch.spec);
        longest.index = std::max(longest.index, words.index);
        longest.counters = std::max(longest.counters, words.counters);
    }
    return longest;
}

/** Where the shards' values stand in the model; zeros behind the chunk's end do not. */
std::vector<std::vector<ElementRange>>
InModel(const Shards& shards, ElementRange chunk)
{
    std::vector<std::vector<ElementRange>> there;
    for (const auto& shard : shards)
    {
        auto& ranges = there.emplace_back();
        for (const auto& range : shard)
        {
            const auto part = Clip(range, {0, chunk.count});
            if (part.count > 0)
            {
                ranges.push_back({chunk.begin + part.begin, part.count});
            }
        }
    }
    return there;
}

} // namespace

StepPlans::StepPlans(ExchangeSpec spec)
    : m_spec(std::move(spec))
{
}

std::shared_ptr<const StepPlan>
StepPlans::Of(std::uint64_t words)
{
    auto& plan = m_plans[words];
    if (!plan)
    {
        plan = MakeStepPlan(m_spec, PaddedElements(m_spec, words));
    }
    return plan;
}

SketchRounds::SketchRounds(const Scenario& scenario,
                           const GradientTrace& trace,
                           const TrainingJob& job,
                           const ValueHooks& ofValues)
    : m_scenario(scenario),
      m_planner(scenario, trace),
      m_ofValues(ofValues),
      m_words(SpecOfHalf(scenario, VALUE_BYTES, SumPhase::REDUCE_SCATTER)),
      m_toAll(SpecToAll(scenario)),
      m_values(SpecOfHalf(scenario, job.gradientType.bytes, SumPhase::REDUCE_SCATTER)),
      m_weights(SpecOfHalf(scenario, job.gradientType.bytes, SumPhase::ALL_GATHER))
{
}

std::vector<PlannedSketch>
SketchRounds::Add(JobChunk& chunk)
{
    CheckSketchSize(chunk.range.count);
    if (!IsSharded(m_scenario))
    {
        auto sketch = m_planner.Plan(chunk.range);
        chunk.coding = MakeSketchCoding(sketch.spec);
        AddRounds({sketch}, chunk);
        return {std::move(sketch)};
    }
    const auto& shards = ShardsOfWords(m_values.Of(chunk.range.count));
    auto sketches = m_planner.PlanShards(InModel(shards, chunk.range));
    AddRounds(sketches, chunk);
    AddCoding(sketches, shards, chunk);
    if (!GathersWeights(m_scenario))
    {
        chunk.rounds.push_back({m_weights.Of(chunk.range.count), m_ofValues, true});
    }
    return sketches;
}

/** Of whole words for each, index and counters. */
void
SketchRounds::AddRounds(const Sketches& sketches, JobChunk& chunk)
{
    const auto& spec = sketches.front().spec;
    const auto longest = LongestOf(sketches);
    const auto indexSum = IndexSum(spec.settings.index);
    const auto counterSum = spec.adder == WordSum::FP32 ? WordSum::FP32 : WordSum::INT32;
    auto& ofIndex = ScalesByIndex(spec) ? m_toAll : m_words;
    chunk.rounds = {
        {ofIndex.Of(sketches.size() * longest.index), HooksOfWords(m_scenario, indexSum)},
        {m_words.Of(sketches.size() * longest.counters), HooksOfWords(m_scenario, counterSum)},
    };
}

void
SketchRounds::AddCoding(const Sketches& sketches, const Shards& values, JobChunk& chunk)
{
    ShardedCodingSpec coding;
    coding.values = values;
    for (const auto& sketch : sketches)
    {
        coding.coding.push_back(MakeSketchCoding(sketch.spec));
    }
    for (const auto& round : chunk.rounds)
    {
        coding.words.push_back(ShardsOfWords(round.plan));
    }
    chunk.coding = MakeShardedCoding(std::move(coding));
}

/** Which worker gets which words; of words that all get, which worker owns them. */
const Shards&
SketchRounds::ShardsOfWords(const std::shared_ptr<const StepPlan>& plan)
{
    const auto found = m_shards.find(plan);
    if (found != m_shards.end())
    {
        return found->second;
    }
    return m_shards.emplace(plan, ShardsOf(*plan)).first->second;
}

} // namespace inca
