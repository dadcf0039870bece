/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_VALIDATION_H
#define INCA_VALIDATION_VALIDATION_H

#include "record/run-record.h"
#include "scenario/scenario.h"
#include "sweep/worker-pool.h"
#include "validation/comparison.h"

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

/** @return @p request for the part of its work that lies between two shares of the whole */
ValidationRequest Phase(const ValidationRequest& request, double from, double to);

/** A run that a validation needs. */
struct PlannedRun
{
    Scenario scenario;
    double work{1}; ///< how long it takes, against the others
};

/** What is kept of a run, with the scenario that gave it. */
struct MeasuredRun
{
    Scenario scenario;
    RunResults results; ///< only times' shares and ends, the exchange's time and the ratio

    /** Mean, first start to last end; 0 if nothing was exchanged. */
    std::int64_t ExchangePs() const
    {
        return results.exchangeTimePs.value_or(0);
    }
};

/**
 * Changes all scenarios of @p planned by the request's settings and runs them, as many at once as it says.
 * @param validation what complaints call the scenarios
 * @return the runs in their order
 * @throws InputError as WithSettings does, before anything runs; else as RunAll does
 */
std::vector<MeasuredRun> MeasureAll(const std::string& validation,
                                    const std::vector<PlannedRun>& planned,
                                    const ValidationRequest& request);

/** What a part of a validation adds to its report. */
struct PartReport
{
    std::vector<Comparison> comparisons;
    std::string tables{};
};

/** A part of a validation: what it runs, and what it makes of that. */
struct ValidationPart
{
    std::vector<PlannedRun> runs;
    /**
     * @param runs what @p runs gave, in their order, with the scenarios that were run
     * @param request for runs that depend on the others
     */
    std::function<PartReport(const std::vector<MeasuredRun>& runs,
                             const ValidationRequest& request)>
        compare;
    double searchShare{
        0}; ///< of the whole validation's time, that compare spends on runs of its own
};

/** One publication whose numbers are predicted and compared. */
struct Validation
{
    std::string name;
    std::string meaning;
    std::string title;                  ///< what is reproduced, for people
    std::vector<std::string> fixedKeys; ///< which differ from run to run, or belong to the numbers
    std::vector<std::string> models;    ///< and other parts that --model can name
    /** @param models those that are asked for, at least one */
    std::function<std::vector<ValidationPart>(const std::vector<std::string>& models,
                                              const ValidationRequest& request)>
        parts;
};

/**
 * INCEPTIONN (MICRO 2018): the four systems for each of its models. Only communication is judged, within
 * 5 % of Table II, and within 15 or 20 % of Fig. 12.
 */
Validation InceptionnValidation();

/**
 * Slots in a switch beside an independent simulator, closed forms and what SwitchML has measured: the ten
 * A100 traces, then "exchange-alone", "line-rate" and "switchml".
 */
Validation SwitchValidation();

/**
 * What INCA predicts of lossless homomorphic compression (arXiv 2402.07529): throughput and iteration times
 * of four models over four exchanges, the released benchmark's set-up, and the ratio at which the claimed
 * throughput is reached. The paper's tables are not available to us, so nothing is judged but bytes, by
 * arithmetic.
 */
Validation HomomorphicValidation();

/** Every validation there is. */
const std::vector<Validation>& ValidationCatalog();

/** @throws InputError if there is no validation of that name, naming the nearest */
const Validation& FindValidation(const std::string& name);

/**
 * Runs what @p request asks for, and puts what the runs give beside what was published.
 * @throws InputError if a model is unknown, naming the nearest, or a setting cannot be applied or is of a
 *         fixed key
 */
ValidationReport Validate(const Validation& validation, const ValidationRequest& request);

} // namespace inca

#endif // INCA_VALIDATION_VALIDATION_H
