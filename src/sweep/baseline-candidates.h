/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_BASELINE_CANDIDATES_H
#define INCA_SWEEP_BASELINE_CANDIDATES_H

#include "scenario/scenario.h"
#include "sweep/result-key.h"
#include "sweep/run-kind.h"

#include <vector>

namespace inca
{

/** @return whether a scenario's results have gains: it compresses, and asks for them */
bool HasBaselines(const Scenario& scenario);

/**
 * What a scenario that compresses is compared with: itself without codec, sparsification and values, over its own
 * exchange and over each that needs no host but the workers and no switch that adds, if that can run.
 * @param kind of BASELINE_KINDS
 */
std::vector<Scenario> BaselineCandidates(const Scenario& scenario, RunKind kind);

/**
 * The keys of a scenario's baselines: scenarios share them that differ in nothing that matters without compression.
 * Empty: it has none.
 */
BaselineKeys BaselineKeysOf(const Scenario& scenario, ResultInputs& inputs);

} // namespace inca

#endif // INCA_SWEEP_BASELINE_CANDIDATES_H
