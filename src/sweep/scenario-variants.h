/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_SCENARIO_VARIANTS_H
#define INCA_SWEEP_SCENARIO_VARIANTS_H

#include "scenario/grid.h"
#include "scenario/loaded-scenario.h"
#include "sweep/read-traces.h"

#include <string>
#include <vector>

namespace inca
{

/** Variants of a scenario's file, which is read once, as is each trace. */
class ScenarioVariants
{
  public:
    /** @param path of the file, or "-" @throws InputError */
    explicit ScenarioVariants(const std::string& path);

    /**
     * @param settings as of --set; a later one of the same key counts
     * @param varied as of ReadScenario
     * @return the scenario with its trace
     * @throws InputError
     */
    LoadedScenario Make(const std::vector<std::string>& settings,
                        const std::vector<Varied>& varied = {});

  private:
    std::string m_name;
    std::string m_text;
    ReadTraces m_traces;
};

/** @return @p settings without those of keys that @p others set, too */
std::vector<std::string> WithoutKeysOf(const std::vector<std::string>& settings,
                                       const std::vector<std::string>& others);

} // namespace inca

#endif // INCA_SWEEP_SCENARIO_VARIANTS_H
