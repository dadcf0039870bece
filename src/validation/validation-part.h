/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_VALIDATION_PART_H
#define INCA_VALIDATION_VALIDATION_PART_H

#include "validation/comparison.h"
#include "validation/measured-run.h"

#include <functional>
#include <vector>

namespace inca
{

/** A part of a validation that is chosen by --model: what it runs, and what it makes of that. */
struct ValidationPart
{
    std::vector<PlannedRun> runs;
    /** @param runs what @p runs gave, in their order, with the scenarios that were run */
    std::function<std::vector<Comparison>(const std::vector<MeasuredRun>& runs)> compare;
};

} // namespace inca

#endif // INCA_VALIDATION_VALIDATION_PART_H
