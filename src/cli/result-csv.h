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
#include <vector>

namespace inca
{

/** A row that has all columns, and no results. @param hasGains whether that of gains is one of them */
Row EmptyRow(bool hasGains = false);

/**
 * Where the rows of runs go. @param csv the option's; empty: none is wanted @return null then
 * @throws as CsvOutput, before a long run rather than after it
 */
std::unique_ptr<CsvOutput> OpenResultCsv(const std::string& csv);

/** Adds a row. @return warnings, such as CsvOutput has @{ */
std::vector<std::string> AppendRow(CsvOutput& csv, const Row& row);
std::vector<std::string> AppendResult(CsvOutput& csv, const RunRecord& record);
/** @} */

} // namespace inca

#endif // INCA_CLI_RESULT_CSV_H
