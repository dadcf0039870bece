/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/row-output.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "cli/options.h"
#include "cli/standard-streams.h"
#include "record/csv-file.h"
#include "scenario/keys.h"
#include "sweep/point-result.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <unordered_set>

namespace inca
{

namespace
{

/** The whole lines of a file; none of a pipe, or where there is no file. */
std::unordered_set<std::string>
LinesOf(const std::string& path)
{
    std::unordered_set<std::string> lines;
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error))
    {
        std::ifstream file(path);
        for (std::string line; std::getline(file, line);)
        {
            lines.insert(line + "\n");
        }
    }
    return lines;
}

} // namespace

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
        const auto gains = GainCells();
        row.insert(row.end(), gains.begin(), gains.end());
    }
    return row;
}

void
AddRowOptions(CLI::App& command, RowFormat& format)
{
    const OptionAdder add(command);
    add("--columns COLUMN,...", format.columns, "only these columns, in this order")
        ->delimiter(',');
    add("--json", format.json, "prints the rows as lines of JSON");
}

void
CheckColumns(const RowFormat& format)
{
    std::vector<std::string> known;
    for (const auto& cell : EmptyRow(true))
    {
        known.push_back(cell.column);
    }
    for (const auto& column : format.columns)
    {
        if (std::find(known.begin(), known.end(), column) == known.end())
        {
            const auto nearest = Nearest(column, known);
            throw InputError("--columns: unknown '" + column + "'" +
                             (nearest.empty() ? "; inca list --columns prints all"
                                              : "; did you mean '" + nearest + "'?"));
        }
    }
}

Row
Picked(const RowFormat& format, const Row& row)
{
    Row picked;
    for (const auto& column : format.columns)
    {
        const auto cell = std::find_if(row.begin(), row.end(), [&column](const RowCell& each) {
            return each.column == column;
        });
        picked.push_back(cell == row.end() ? RowCell{column, "", false} : *cell); // no gain
    }
    return format.columns.empty() ? row : picked;
}

RowSink
PrintRows(const RowFormat& format)
{
    return [json = format.json, first = true](const Row& row) mutable {
        fmt::print(
            "{}{}", first && !json ? CsvHeader(row) : "", json ? JsonLineOf(row) : CsvRow(row));
        FlushOutput();
        first = false;
    };
}

RowSink
AppendRows(const RowFormat& format, bool hasGains, const std::string& path)
{
    const auto csv = // which may be copied with the function
        std::make_shared<CsvOutput>(path, CsvHeader(Picked(format, EmptyRow(hasGains))));
    return [csv, known = LinesOf(path)](const Row& row) {
        if (known.count(CsvRow(row)) == 0)
        {
            csv->Append(CsvRow(row));
        }
    };
}

} // namespace inca
