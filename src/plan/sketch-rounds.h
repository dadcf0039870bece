/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_SKETCH_ROUNDS_H
#define INCA_PLAN_SKETCH_ROUNDS_H

#include "exchange/exchange-spec.h"
#include "exchange/shards.h"
#include "exchange/step-plan.h"
#include "job/rank-values.h"
#include "job/training-job.h"
#include "plan/sketch-plan.h"
#include "scenario/scenario.h"
#include "trace/gradient-trace.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace inca
{

/** Step plans depend on the number of words only, so rounds of one size share one. */
class StepPlans
{
  public:
    explicit StepPlans(ExchangeSpec spec);

    /** Of equal blocks: padded. @throws InputError as MakeStepPlan does */
    std::shared_ptr<const StepPlan> Of(std::uint64_t words);

  private:
    ExchangeSpec m_spec;
    std::map<std::uint64_t, std::shared_ptr<const StepPlan>> m_plans;
};

/**
 * Gives chunks that are compressed homomorphically their coding and its rounds: index and counters. Where each worker
 * keeps a shard, each shard is a sketch by itself, as long as the longest of them, and both rounds are reduce-scatters
 * of words; weights are handed on in a third, unless they are gathered when they are used.
 */
class SketchRounds
{
  public:
    /**
     * @param trace as it is encoded; outlives this, as does @p scenario
     * @param ofValues hooks of what is not coded
     * @throws InputError if a layer has no density
     */
    SketchRounds(const Scenario& scenario,
                 const GradientTrace& trace,
                 const TrainingJob& job,
                 const ValueHooks& ofValues);

    /**
     * @param chunk that has its range
     * @return its sketches: one, or one for each shard
     * @throws InputError if the chunk is too large
     */
    std::vector<PlannedSketch> Add(JobChunk& chunk);

  private:
    using Sketches = std::vector<PlannedSketch>;

    const Shards& ShardsOfWords(const std::shared_ptr<const StepPlan>& plan);
    void AddRounds(const Sketches& sketches, JobChunk& chunk);
    void AddCoding(const Sketches& sketches, const Shards& values, JobChunk& chunk);

    const Scenario& m_scenario;
    SketchPlanner m_planner;
    ValueHooks m_ofValues;
    StepPlans m_words;   ///< of which each worker gets all, or its shard
    StepPlans m_toAll;   ///< of words that all need
    StepPlans m_values;  ///< by which shards are cut
    StepPlans m_weights; ///< handed on
    std::map<std::shared_ptr<const StepPlan>, Shards> m_shards;
};

} // namespace inca

#endif // INCA_PLAN_SKETCH_ROUNDS_H
