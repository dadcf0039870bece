/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_COMPARISONS_H
#define INCA_REPORT_PLOT_COMPARISONS_H

#include "report/csv-table.h"
#include "report/plot-choice.h"

#include <string>
#include <vector>

namespace inca
{

/** @return whether a table is one of comparisons, as `inca validate --csv` writes them */
bool HoldsComparisons(const CsvTable& table);

/** One figure of a validation, a row for what is predicted and one for what is published. */
struct ComparisonRows
{
    CsvTable table;
    PlotNames names; ///< of its settings: system, model, source
    std::string y;   ///< the column of values: "communication_s"
    std::vector<std::string> notes;
};

/** Takes the first figure of @p table that something is published of; notes which others there are. */
ComparisonRows RowsOfComparisons(const CsvTable& table);

} // namespace inca

#endif // INCA_REPORT_PLOT_COMPARISONS_H
