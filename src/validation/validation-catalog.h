/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_VALIDATION_CATALOG_H
#define INCA_VALIDATION_VALIDATION_CATALOG_H

#include "record/run-record.h"
#include "scenario/scenario.h"
#include "validation/comparison.h"

#include <functional>
#include <string>
#include <vector>

namespace inca
{

/** Called now and then with the share of the work that is done, 0..1. */
using ValidationProgress = std::function<void(double share)>;

/** What turns a scenario into a record: RunExperiment, or a stand-in of a test. */
using ScenarioRunner = std::function<RunRecord(const Scenario&, const ValidationProgress&)>;

/** What a validation is asked to do. */
struct ValidationRequest
{
    std::vector<std::string> models;   ///< empty: all
    std::vector<std::string> settings; ///< "key=value" of --set, over every scenario
    ScenarioRunner run;
    ValidationProgress onProgress; ///< may be empty
};

/** One publication whose numbers are predicted and compared. */
struct ValidationEntry
{
    const char* name;
    const char* meaning;
    std::vector<std::string> (*models)();
    ValidationReport (*validate)(const ValidationRequest&);
};

/** Every validation there is. */
const std::vector<ValidationEntry>& ValidationCatalog();

/** @throws InputError if there is no validation of that name, naming the nearest */
const ValidationEntry& FindValidation(const std::string& name);

} // namespace inca

#endif // INCA_VALIDATION_VALIDATION_CATALOG_H
