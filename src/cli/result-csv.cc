/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/result-csv.h"

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

std::unique_ptr<CsvOutput>
OpenResultCsv(const std::string& csv)
{
    return csv.empty() ? nullptr : std::make_unique<CsvOutput>(csv, ResultHeader());
}

std::vector<std::string>
AppendResult(CsvOutput& csv, const RunRecord& record)
{
    const auto told = csv.Append(CsvRow(record));
    return told.empty() ? std::vector<std::string>() : std::vector{told};
}

} // namespace inca
