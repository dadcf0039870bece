/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/result-csv.h"

#include "record/csv-file.h"
#include "record/result-row.h"
#include "scenario/keys.h"

namespace inca
{

namespace
{

/** The header is the same for all scenarios. */
std::string
ResultHeader()
{
    RunRecord record;
    for (const auto& column : SettingColumns(Scenario{}))
    {
        record.settings.push_back({column.name, column.text});
    }
    return CsvHeader(record);
}

} // namespace

void
CheckResultCsv(const std::string& csv)
{
    if (!csv.empty())
    {
        CheckCsv(csv, ResultHeader());
    }
}

} // namespace inca
