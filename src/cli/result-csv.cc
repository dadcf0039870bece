/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/result-csv.h"

#include "cli/scenario-options.h"
#include "scenario/keys.h"

namespace inca
{

Row
EmptyRow()
{
    RunRecord record;
    for (const auto& column : SettingColumns(Scenario{}))
    {
        record.settings.push_back({column.name, column.text});
    }
    return RowOf(record);
}

std::unique_ptr<CsvOutput>
OpenResultCsv(const std::string& csv)
{
    return csv.empty() ? nullptr : std::make_unique<CsvOutput>(csv, CsvHeader(EmptyRow()));
}

void
AppendRow(CsvOutput& csv, const Row& row)
{
    if (const auto told = csv.Append(CsvRow(row)); !told.empty())
    {
        Warn({told});
    }
}

void
AppendResult(CsvOutput& csv, const RunRecord& record)
{
    AppendRow(csv, RowOf(record));
}

} // namespace inca
