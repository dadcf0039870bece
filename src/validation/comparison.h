/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_COMPARISON_H
#define INCA_VALIDATION_COMPARISON_H

#include "report/text-table.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** How a published number is known. */
enum class PublishedClass
{
    PRINTED,   ///< in the text or in a table
    MEASURED,  ///< read off the drawing of a figure
    DERIVED,   ///< arithmetic on printed and measured numbers
    SIMULATED, ///< what another simulator gives
};

/** What a figure is counted in. */
enum class FigureUnit
{
    SECONDS,
    PERCENT,
    TIMES, ///< a speed-up or a compression ratio
    MILLION_VALUES_PER_SECOND,
    ROUNDS,
};

/** A number, or a range, that somebody published. */
struct PublishedValue
{
    double from{0};
    double to{0}; ///< the same as from where it is a single number
    PublishedClass publishedClass{PublishedClass::PRINTED};
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
    std::optional<double> deviation{}; ///< standard deviation of the prediction, in its unit
    bool onlyInCsv{false};             ///< one of many: the table leaves it out
};

/** What an error and its limit count. */
enum class ErrorScale
{
    RELATIVE,   ///< a share of the published number
    POINTS,     ///< percentage points, of figures in percent
    DEVIATIONS, ///< the prediction's standard deviations, where it has one
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
 * Predicted, published and error side by side, model by model and figure by
 * figure, then every judged figure that misses. Plain text of at most 100 columns.
 */
std::string FormatValidation(const ValidationReport& report, const TableInk& ink = TableInk());

/** The same as CSV with its header: one line per comparison, of all reports. */
std::string ValidationCsv(const std::vector<ValidationReport>& reports);

} // namespace inca

#endif // INCA_VALIDATION_COMPARISON_H
