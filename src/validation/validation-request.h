/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_VALIDATION_REQUEST_H
#define INCA_VALIDATION_VALIDATION_REQUEST_H

#include "record/run-record.h"
#include "scenario/scenario.h"
#include "sweep/worker-pool.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace inca
{

/** What turns a scenario into a record: RunExperiment, or a stand-in of a test. */
using ScenarioRunner = std::function<RunRecord(const Scenario&, const RunProgress&)>;

/** What a validation is asked to do. */
struct ValidationRequest
{
    std::vector<std::string> models;   ///< empty: all
    std::vector<std::string> settings; ///< "key=value" of --set, over every scenario
    ScenarioRunner run;
    RunProgress onProgress;   ///< may be empty
    std::uint32_t seeds{100}; ///< runs with drawn compute times, at least 2
    std::uint32_t jobs{1};    ///< processes that run at once; 1: this one alone
};

/**
 * @return those of @p known that are asked for, in the order of @p known; all of them if none is
 * @throws InputError if one that is asked for is not known, naming the nearest
 */
std::vector<std::string> ChosenModels(const std::vector<std::string>& asked,
                                      const std::vector<std::string>& known);

/**
 * @param validation what complaints call the scenario
 * @return the scenario after --set
 * @throws InputError if a setting cannot be applied
 */
Scenario WithSettings(const Scenario& scenario,
                      const std::string& validation,
                      const std::vector<std::string>& settings);

/** @throws InputError if one of @p settings is of one of @p keys, which the validation itself sets */
void RefuseKeys(const std::vector<std::string>& settings, const std::vector<std::string>& keys);

/** A report's first lines: @p title, and a line for every setting, of the mode of simulation always. */
std::string TitleWithSettings(const std::string& title, const std::vector<std::string>& settings);

} // namespace inca

#endif // INCA_VALIDATION_VALIDATION_REQUEST_H
