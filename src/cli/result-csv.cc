/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/result-csv.h"

#include "record/result-row.h"
#include "scenario/keys.h"

namespace inca
{

Row
EmptyRow(bool hasGains)
{
    RunRecord record;
    for (const auto& column : SettingColumns(Scenario{}))
    {
        record.settings.push_back({column.name, column.text});
    }
    auto row = RowOf(record);
    if (hasGains)
    {
        row.push_back({GAIN_COLUMN, "", false});
    }
    return row;
}

std::unique_ptr<CsvOutput>
OpenResultCsv(const std::string& csv)
{
    return csv.empty() ? nullptr : std::make_unique<CsvOutput>(csv, CsvHeader(EmptyRow()));
}

std::vector<std::string>
AppendRow(CsvOutput& csv, const Row& row)
{
    const auto told = csv.Append(CsvRow(row));
    return told.empty() ? std::vector<std::string>() : std::vector{told};
}

std::vector<std::string>
AppendResult(CsvOutput& csv, const RunRecord& record)
{
    return AppendRow(csv, RowOf(record));
}

} // namespace inca
