/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_INCEPTIONN_SCENARIOS_H
#define INCA_VALIDATION_INCEPTIONN_SCENARIOS_H

#include "scenario/scenario.h"
#include "validation/inceptionn/published.h"

namespace inca
{

/**
 * One iteration of @p model on @p system as INCEPTIONN measured it: 4 workers, one 10 GbE switch,
 * error bound 2^-10, all gradients exchanged at once after backward. Sizes only, so that every hop
 * has the width shares of a single worker's gradient, as in the paper. Hosts are those of host.preset
 * "inceptionn", but HDC does without copies to a GPU. examples/inceptionn/ holds the same scenarios as
 * files.
 */
Scenario InceptionnScenario(const InceptionnModel& model, InceptionnSystem system);

} // namespace inca

#endif // INCA_VALIDATION_INCEPTIONN_SCENARIOS_H
