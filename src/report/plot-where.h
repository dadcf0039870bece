/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_WHERE_H
#define INCA_REPORT_PLOT_WHERE_H

#include "report/csv-table.h"
#include "report/plot-choice.h"

#include <string>

namespace inca
{

/**
 * The rows for which an expression of SQL over columns and keys holds: "workers <= 64 and label != 'ring'".
 * What is a number counts as one, an empty field is NULL, with which no comparison holds.
 * @throws InputError naming --where if it is none, or holds for no row
 */
CsvTable RowsWhere(const CsvTable& table, const PlotNames& names, const std::string& expression);

} // namespace inca

#endif // INCA_REPORT_PLOT_WHERE_H
