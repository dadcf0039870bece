/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_VALIDATION_H
#define INCA_VALIDATION_VALIDATION_H

#include "inca/record/run-record.h"
#include "inca/scenario/scenario.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** How a number that a prediction is put beside is known. */
enum class PublishedClass
{
    PUBLISHED, ///< in a text, a table or the drawing of a figure
    DERIVED,   ///< arithmetic on published numbers
    SIMULATED, ///< what another simulator gives
};

/** What a figure is counted in. */
enum class FigureUnit
{
    SECONDS,
    HOURS,
    PERCENT,
    TIMES, ///< a speed-up or a compression ratio
    MILLION_VALUES_PER_SECOND,
    ROUNDS,
};

/** A number, or a range, of others. */
struct PublishedValue
{
    double from{0};
    double to{0}; ///< the same as from where it is a single number
    PublishedClass publishedClass{PublishedClass::PUBLISHED};
    std::string source; ///< which table or figure
};

/** A single number. */
PublishedValue Single(double value, PublishedClass publishedClass, std::string source);

/** One figure, predicted beside published. */
struct Comparison
{
    std::string model;  ///< its trace's name
    std::string system; ///< "INC+C"
    std::string figure; ///< "communication"
    FigureUnit unit{FigureUnit::SECONDS};
    double predicted{0};
    std::optional<PublishedValue> published; ///< empty: nothing to compare with
    std::optional<double> limit; ///< judged: the largest |error|, as ErrorOf counts; empty: not
};

/** What an error and its limit count. */
enum class ErrorScale
{
    RELATIVE, ///< a share of the published number
    POINTS,   ///< percentage points, of figures in percent
};

ErrorScale ErrorScaleOf(const Comparison& comparison);

/**
 * How far the prediction lies from the published number, or from the nearest end of its range, in
 * ErrorScaleOf. Negative: predicted too low. Empty where nothing was published.
 */
std::optional<double> ErrorOf(const Comparison& comparison);

/** @return whether it is judged and its error is beyond the limit */
bool Misses(const Comparison& comparison);

/** @return whether it has both a published number and a limit: only these decide an exit code */
bool IsJudged(const Comparison& comparison);

/** What a validation found. */
struct ValidationReport
{
    std::string name;  ///< of the validation: "inceptionn"
    std::string title; ///< what was reproduced, for people
    std::vector<Comparison> comparisons;
};

/** @return how many judged figures miss */
std::size_t CountMisses(const ValidationReport& report);

/**
 * Predicted, reference and error side by side, model by model and figure by figure; then how many are judged and how many
 * are not, every judged one that misses, and every other that is "far", off by more than 20 % or 20 points.
 */
std::string FormatValidation(const ValidationReport& report);

/** The same as CSV with its header: one line per comparison, of all reports. */
std::string ValidationCsv(const std::vector<ValidationReport>& reports);

/** Called now and then with the share of the work that is done, 0..1. */
using RunProgress = std::function<void(double share)>;

/** What turns a scenario into a record: RunExperiment, or a stand-in of a test. */
using ScenarioRunner = std::function<RunRecord(const Scenario&, const RunProgress&)>;

/** What a validation is asked to do. */
struct ValidationRequest
{
    std::vector<std::string> models;   ///< empty: all
    std::vector<std::string> settings; ///< "key=value" of --set, over every scenario
    ScenarioRunner run;
    RunProgress onProgress;
    std::uint32_t seeds{20}; ///< runs with random compute times, at least 2
    std::string steps;       ///< of mlperf: a file of measured steps; empty: the shipped one
};

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
    RunResults results;

    /** Mean, first start to last end; 0 if nothing was exchanged. */
    std::int64_t ExchangePs() const
    {
        return results.exchangeTimePs.value_or(0);
    }
};

/** A part of a validation: what it runs, and what it makes of that. */
struct ValidationPart
{
    std::vector<PlannedRun> runs;
    /** @param runs what @p runs gave, in their order, with the scenarios that were run */
    std::function<std::vector<Comparison>(const std::vector<MeasuredRun>& runs)> compare;
};

/** One publication whose numbers are predicted and compared. */
struct Validation
{
    std::string name;
    std::string meaning;
    std::string title;                  ///< what is reproduced, for people
    std::vector<std::string> fixedKeys; ///< which differ from run to run, or belong to the numbers
    std::vector<std::string> models;    ///< and other parts that --model can name
    /** @param request what is asked for; its `run` applies its settings. */
    std::function<ValidationPart(const std::string& model, const ValidationRequest& request)> part;
};

/**
 * INCEPTIONN (MICRO 2018): the four systems for each of its models. Only communication is judged, within
 * 5 % of Table II, and within 15 or 20 % of Fig. 12.
 */
Validation InceptionnValidation();

/**
 * Slots in a switch beside an independent simulator, which replays five A100 traces, and, as "switchml", what SwitchML has
 * measured.
 */
Validation SwitchValidation();

/**
 * Lossless homomorphic compression (arXiv 2402.07529): "bytes", by arithmetic, and "peeling", how sketches decode, beside
 * another implementation. The paper's tables are not available to us.
 */
Validation HomomorphicValidation();

/**
 * Steps of data-parallel systems of MLPerf Training, as their public logs have them: computing is scaled from the smallest
 * system of a family, in proportion to samples, and the others are predicted with networks as declared, and nothing fitted.
 * Beside the errors stand those of P (proportional) and L (a line through the two smallest systems).
 */
Validation MlperfValidation();

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
