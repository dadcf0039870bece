/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_SKETCH_PLAN_H
#define INCA_PLAN_SKETCH_PLAN_H

#include "job/sketch-coding.h"
#include "scenario/scenario.h"
#include "trace/densities.h"
#include "trace/gradient-trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace inca
{

/** How a chunk is compressed homomorphically, and what is expected of it without its values. */
struct PlannedSketch
{
    SketchSpec spec;
    std::uint32_t rows{0};             ///< of 1024 values; 0: nothing of it is coded
    std::uint32_t counterRows{0};      ///< R
    double unionDensity{0};            ///< of the coded values, over all workers
    double load{0};                    ///< values marked per lane / R
    double estimatedValues{0};         ///< expected
    double markedValues{0};            ///< expected
    double rounds{0};                  ///< of peeling, expected
    std::optional<double> safeRatio{}; ///< empty: none is
};

/** Draws up the sketches of a scenario's chunks, from the densities of its trace. */
class SketchPlanner
{
  public:
    /**
     * @param trace as it is encoded: by a whole worker, and sparsified; outlives this
     * @throws InputError if a layer has no density
     */
    SketchPlanner(const Scenario& scenario, const GradientTrace& trace);

    /** @param chunk elements of the whole model */
    PlannedSketch Plan(ElementRange chunk) const;

  private:
    void Split(ElementRange chunk, SketchSpec& spec) const;
    double DensityOf(ElementRange chunk, const SketchSpec& spec, std::uint32_t workers) const;
    void ChooseRatio(std::uint64_t values, double unionDensity, SketchSpec& spec) const;
    void AddTimes(std::uint64_t values,
                  double density,
                  double unionDensity,
                  SketchSpec& spec) const;

    const Scenario& m_scenario;
    GradientType m_gradientType;
    Densities m_densities;
    std::vector<ElementRange> m_layers;
    std::vector<bool> m_skips; ///< by layer: it travels as it is
};

} // namespace inca

#endif // INCA_PLAN_SKETCH_PLAN_H
