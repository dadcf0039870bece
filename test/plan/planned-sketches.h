/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_PLAN_PLANNED_SKETCHES_H
#define INCA_TEST_PLAN_PLANNED_SKETCHES_H

#include "plan/sketch-plan.h"

#include <cstdint>

namespace inca
{

/** One of which a quarter of the values are set on some worker; up to ratio 3 is safe. */
inline PlannedSketch
Sketch(std::uint32_t rows, std::uint32_t counterRows, double load, double marked, double estimated)
{
    PlannedSketch sketch;
    sketch.spec.coded = {{0, rows * 1024ULL}};
    sketch.rows = rows;
    sketch.counterRows = counterRows;
    sketch.unionDensity = 0.25;
    sketch.load = load;
    sketch.rounds = 10 * load;
    sketch.markedValues = marked;
    sketch.estimatedValues = estimated;
    sketch.safeRatio = 3;
    return sketch;
}

/** One that travels as it is. */
inline PlannedSketch
Uncoded()
{
    PlannedSketch sketch;
    sketch.spec.plain = {{0, 1000}};
    return sketch;
}

} // namespace inca

#endif // INCA_TEST_PLAN_PLANNED_SKETCHES_H
