/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_SKETCH_PLAN_H
#define INCA_PLAN_SKETCH_PLAN_H

#include "inca/job/sketch-coding.h"
#include "inca/plan/resolved.h"
#include "inca/trace/layer-statistics.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace inca
{

/** How a chunk is compressed homomorphically, and what is expected of it without its values. */
struct PlannedSketch
{
    SketchSpec spec;
    std::uint64_t codedValues{0};
    double density{0};                 ///< of the coded values, of a worker
    std::uint32_t rows{0};             ///< of 1024 values; 0: nothing of it is coded
    std::uint32_t counterRows{0};      ///< R
    double unionDensity{0};            ///< of the coded values, over all workers
    double load{0};                    ///< values marked per lane / R
    double estimatedValues{0};         ///< expected
    double markedValues{0};            ///< expected
    double rounds{0};                  ///< of peeling, expected
    std::optional<double> safeRatio{}; ///< empty: none is
};

/** Plans the sketches of a scenario's chunks from the densities of its trace. */
class SketchPlanner
{
  public:
    /**
     * @param resolved outlives this
     * @throws InputError if a layer has no density
     */
    explicit SketchPlanner(const Resolved& resolved);

    /**
     * Sketches that travel as if they were one, each as long as the longest: with "safe" all are coded at a ratio
     * that all of them bear, or none is. One alone is of one shard.
     * @param shards elements of the whole model, ascending; they count from 0 in each sketch
     */
    std::vector<PlannedSketch> Plan(const std::vector<std::vector<ElementRange>>& shards) const;

  private:
    using Ranges = std::vector<ElementRange>;
    using Sketches = std::vector<PlannedSketch>;

    PlannedSketch DraftOf(const Ranges& shard) const;
    double DensityOf(const Ranges& ranges, std::uint32_t workers) const;
    std::optional<double> SafeRatio(const PlannedSketch& sketch) const;
    void ChooseRatio(Sketches& sketches) const;
    void Finish(PlannedSketch& sketch) const;
    void AddTimes(PlannedSketch& sketch) const;

    const Scenario& m_scenario;
    const AggregationScheme* m_scheme; ///< null: no switch adds
    GradientType m_gradientType;
    Densities m_densities;
    std::vector<ElementRange> m_layers;
    std::vector<bool> m_skips; ///< by layer: it travels as it is
};

} // namespace inca

#endif // INCA_PLAN_SKETCH_PLAN_H
