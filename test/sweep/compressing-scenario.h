/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_SWEEP_COMPRESSING_SCENARIO_H
#define INCA_TEST_SWEEP_COMPRESSING_SCENARIO_H

#include "scenario/scenario-reader.h"
#include "sweep/baseline-candidates.h"
#include "trace/trace-catalog.h"

#include <memory>
#include <string>
#include <vector>

namespace inca
{

using Settings = std::vector<std::string>;

/** Of 1 MB, with hosts that add in no time, and what @p settings compress. */
inline Scenario
With(const Settings& settings)
{
    auto scenario =
        ParseScenario("[training]\ntrace = \"tensor:1MB\"\n[host]\nsum_rate = \"none\"\n",
                      "baselines.toml",
                      settings)
            .scenario;
    scenario.training.readTrace =
        std::make_shared<const GradientTrace>(FindTrace(scenario.training.trace));
    return scenario;
}

inline BaselineKeys
KeysOf(const Settings& settings)
{
    ResultInputs inputs;
    return BaselineKeysOf(With(settings), inputs);
}

} // namespace inca

#endif // INCA_TEST_SWEEP_COMPRESSING_SCENARIO_H
