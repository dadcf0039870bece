/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_RESULT_PLACE_H
#define INCA_CLI_RESULT_PLACE_H

#include "inca/report/csv-table.h"
#include "inca/report/plot.h"
#include "inca/report/report-data.h"

#include <string>

namespace inca
{

/** What results are there. */
enum class ResultKind
{
    STORE, ///< of a sweep: results.sqlite
    ROWS,  ///< a CSV file of result rows
    RUN,   ///< the folder of `inca run --out`
};

/** Results, and the file that holds them. */
struct ResultPlace
{
    ResultKind kind{ResultKind::ROWS};
    std::string file;   ///< "sweep/results.sqlite"
    std::string folder; ///< that was named; empty: a file was
};

/**
 * What the user means by @p path: a folder of a sweep or a run, the store of a sweep, or a CSV
 * file. A store says more than the CSV beside it, and is there before the sweep ends.
 * @throws InputError if there are no results
 */
ResultPlace FindResults(const std::string& path);

/** The table: of a store the rows of the last sweep's points that have results. @throws InputError; RunError */
CsvTable ReadResults(const ResultPlace& place);

/**
 * What result rows call what keys call otherwise. Settings are in the order in which they explain a difference: those that the
 * sweep of a store varies, then keys with a value of their own, then those that may follow others.
 */
PlotNames NamesOfRows(const ResultPlace& place);

/** What a page shows of the results there, whatever they are of. @throws InputError if they cannot be read */
ReportData CollectReport(const ResultPlace& place);

} // namespace inca

#endif // INCA_CLI_RESULT_PLACE_H
