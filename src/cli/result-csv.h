/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_RESULT_CSV_H
#define INCA_CLI_RESULT_CSV_H

#include "record/csv-file.h"
#include "record/result-row.h"
#include "record/run-record.h"

#include <memory>
#include <string>

namespace inca
{

/** A row that has all columns, and no results. */
Row EmptyRow();

/**
 * Where the rows of runs go. @param csv the option's; empty: none is wanted @return null then
 * @throws as CsvOutput, before a long run rather than after it
 */
std::unique_ptr<CsvOutput> OpenResultCsv(const std::string& csv);

/** The same for a row. */
void AppendRow(CsvOutput& csv, const Row& row);

/** Adds a row, and tells the user what CsvOutput has to tell. */
void AppendResult(CsvOutput& csv, const RunRecord& record);

} // namespace inca

#endif // INCA_CLI_RESULT_CSV_H
