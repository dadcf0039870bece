/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_VALIDATION_H
#define INCA_VALIDATION_VALIDATION_H

#include "validation/comparison.h"
#include "validation/measured-run.h"
#include "validation/validation-request.h"

#include <functional>
#include <string>
#include <vector>

namespace inca
{

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
