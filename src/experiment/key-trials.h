/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_KEY_TRIALS_H
#define INCA_EXPERIMENT_KEY_TRIALS_H

#include "inca/record/run-record.h"
#include "inca/scenario/scenario.h"

#include <cstddef>
#include <functional>
#include <string>

namespace inca
{

/** Makes the scenario with one more setting, as of --set: "cluster.latency=2us". */
using VaryScenario = std::function<Scenario(const std::string& setting)>;

/**
 * Simulates again with other values of keys: what one that is a tenth better saves, and how far the time changes with it as the path says.
 * @param most keys that are looked at, those first that decide most
 */
void SimulateEffects(const VaryScenario& vary,
                     std::size_t most,
                     const std::function<void(double share)>& progress,
                     RunRecord& record);

} // namespace inca

#endif // INCA_EXPERIMENT_KEY_TRIALS_H
