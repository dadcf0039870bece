/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_RESULT_ROW_H
#define INCA_RECORD_RESULT_ROW_H

#include "record/run-record.h"

#include <functional>
#include <string>
#include <vector>

namespace inca
{

/** One column of results or origin: the only place that knows its name, and how its text is made. */
struct ResultColumn
{
    std::string name;                                  ///< with the unit in it
    std::function<std::string(const RunRecord&)> text; ///< empty: does not apply
};

/** Results, then origin, in the order of a row; the scenario's settings stand before them. */
const std::vector<ResultColumn>& ResultColumns();

/** The header line; the same for all records of one version. */
std::string CsvHeader(const RunRecord& record);

/** The line of @p record, as long as CsvHeader has columns. */
std::string CsvRow(const RunRecord& record);

} // namespace inca

#endif // INCA_RECORD_RESULT_ROW_H
