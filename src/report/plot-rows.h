/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_ROWS_H
#define INCA_REPORT_PLOT_ROWS_H

#include "report/plot-data.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * The rows for which an expression of SQL over columns and keys holds: "workers <= 64 and label != 'ring'".
 * What is a number counts as one, an empty field is NULL, with which no comparison holds.
 * @throws InputError naming --where if it is none, or holds for no row
 */
CsvTable RowsWhere(const CsvTable& table, const PlotNames& names, const std::string& expression);

/** @return whether a table is one of comparisons, as `inca validate --csv` writes them */
bool HoldsComparisons(const CsvTable& table);

/** One figure of a validation, a row for what is predicted and one for what is published. */
struct ComparisonRows
{
    CsvTable table;
    PlotNames names{{"system", "model", "source"}, {}, "source"}; ///< of its settings
    std::string y; ///< the column of values: "communication_s"
    std::vector<std::string> notes;
};

/** Takes the first figure of @p table that something is published of; notes which others there are. */
ComparisonRows RowsOfComparisons(const CsvTable& table);

} // namespace inca

#endif // INCA_REPORT_PLOT_ROWS_H
