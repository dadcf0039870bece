/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_COMPARISON_TEXT_H
#define INCA_VALIDATION_COMPARISON_TEXT_H

#include "report/text-table.h"
#include "validation/comparison.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * The report's tables; predicted, published and error side by side, model by model and figure by
 * figure, then every judged figure that misses. Plain text of at most 100 columns.
 */
std::string FormatValidation(const ValidationReport& report, const TableInk& ink = TableInk());

/** The same as CSV with its header: one line per comparison, of all reports. */
std::string ValidationCsv(const std::vector<ValidationReport>& reports);

} // namespace inca

#endif // INCA_VALIDATION_COMPARISON_TEXT_H
