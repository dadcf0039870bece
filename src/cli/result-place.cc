/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/result-place.h"

#include "base/errors.h"
#include "scenario/keys.h"

#include <array>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

namespace inca
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* g_storeName = "results.sqlite";

/** Of a folder, the first of these that is there. */
constexpr std::array<std::pair<const char*, ResultKind>, 4> g_files{{
    {g_storeName, ResultKind::STORE},
    {"results.csv", ResultKind::ROWS},
    {"run.json", ResultKind::RUN},
    {"result.csv", ResultKind::ROWS},
}};

ResultPlace
FindInFolder(const std::string& folder)
{
    std::error_code error;
    for (const auto& [name, kind] : g_files)
    {
        const auto file = fs::path(folder) / name;
        if (fs::exists(file, error))
        {
            return {kind, file.string(), folder};
        }
    }
    throw InputError(folder +
                     ": nothing to draw: it holds neither results.sqlite or results.csv, as "
                     "inca sweep writes them, nor run.json, as inca run --out does");
}

CsvTable
ReadStore(const std::string& file)
{
    CsvTable table{file, {}, {}};
    OpenStore(file).ForEachPoint([&table](const StoredPoint& point) {
        if (point.result)
        {
            AddRow(table, point);
        }
    });
    return table;
}

} // namespace

ResultPlace
FindResults(const std::string& path)
{
    std::error_code error;
    if (fs::is_directory(path, error))
    {
        return FindInFolder(path);
    }
    const bool isStore = fs::path(path).filename() == g_storeName;
    return {isStore ? ResultKind::STORE : ResultKind::ROWS, path, ""};
}

void
AddRow(CsvTable& table, const StoredPoint& point)
{
    const auto row = RowOf(point);
    for (std::size_t i = 0; table.rows.empty() && i < row.size(); ++i)
    {
        table.columns.push_back(row[i].column);
    }
    CsvTableRow fields{static_cast<unsigned>(point.number), {}};
    for (std::size_t i = 0; i < table.columns.size(); ++i)
    {
        const bool isThere = i < row.size() && row[i].column == table.columns[i];
        fields.fields.push_back(isThere ? row[i].text : CellText(row, table.columns[i]));
    }
    table.rows.push_back(std::move(fields));
}

PlotNames
NamesOfRows()
{
    PlotNames names;
    names.settings.emplace_back("label");
    for (const auto& column : SettingColumns(Scenario{}))
    {
        names.settings.push_back(column.name);
    }
    for (const auto& key : ScenarioKeys())
    {
        names.ofKeys.emplace(key.name, key.column);
    }
    return names;
}

CsvTable
WithRows(CsvTable table)
{
    if (table.rows.empty())
    {
        throw InputError(table.path + ": nothing to draw: no point of its last sweep is done yet");
    }
    return table;
}

CsvTable
ReadResults(const ResultPlace& place)
{
    switch (place.kind)
    {
    case ResultKind::STORE:
        return WithRows(ReadStore(place.file));
    case ResultKind::RUN:
        return ReadCsvTable(place.folder + "/result.csv");
    case ResultKind::ROWS:
        break;
    }
    return ReadCsvTable(place.file);
}

} // namespace inca
