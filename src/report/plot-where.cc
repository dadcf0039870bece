/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-where.h"

#include "base/errors.h"
#include "base/printable.h"
#include "record/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace inca
{

namespace
{

constexpr std::string_view g_inNames =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.0123456789";
constexpr std::string_view g_digits = "0123456789";

/** A column's name as SQL has it. */
std::string
SqlName(const std::string& column)
{
    std::string name;
    for (const char c : column)
    {
        name += c == '"' ? "\"\"" : std::string(1, c);
    }
    return "\"" + name + "\"";
}

/** @return the length of the quoted text, name or single character that @p rest begins with */
std::size_t
LengthOfPart(std::string_view rest)
{
    const char first = rest.front();
    if (first == '\'' || first == '"')
    {
        const auto end = rest.find(first, 1);
        return end == std::string_view::npos ? rest.size() : end + 1;
    }
    return g_inNames.find(first) == std::string_view::npos
               ? 1
               : std::min(rest.find_first_not_of(g_inNames), rest.size());
}

/** Puts columns in the place of keys, which have a point in their names. */
std::string
SqlOf(const CsvTable& table, const PlotNames& names, std::string_view rest)
{
    std::string sql;
    while (!rest.empty())
    {
        const std::string part(rest.substr(0, LengthOfPart(rest)));
        rest.remove_prefix(part.size());
        const bool isKey = g_inNames.find(part.front()) != std::string_view::npos &&
                           g_digits.find(part.front()) == std::string_view::npos &&
                           part.find('.') != std::string::npos;
        sql += isKey ? SqlName(table.columns[ColumnOf(table, names, part, "--where")]) : part;
    }
    return sql;
}

void
Bind(Statement& insert, const std::vector<std::string>& fields)
{
    for (const auto& field : fields)
    {
        if (const auto number = NumberOf(field))
        {
            insert.Bind(*number);
        }
        else if (field.empty())
        {
            insert.BindNull();
        }
        else
        {
            insert.Bind(field);
        }
    }
}

/** The table as one of SQL; row i has the rowid i + 1. */
void
Fill(Database& database, const CsvTable& table)
{
    std::string columns;
    std::string places;
    for (const auto& column : table.columns)
    {
        columns += (columns.empty() ? "" : ", ") + SqlName(column);
        places += places.empty() ? "?" : ", ?";
    }
    database.Run("CREATE TABLE results (" + columns + ")");
    auto insert = database.Prepare("INSERT INTO results VALUES (" + places + ")");
    for (const auto& row : table.rows)
    {
        Bind(insert, row.fields);
        insert.Run();
    }
}

} // namespace

CsvTable
RowsWhere(const CsvTable& table, const PlotNames& names, const std::string& expression)
{
    CsvTable chosen{table.path, table.columns, {}};
    const auto condition = SqlOf(table, names, expression);
    try
    {
        Database database(":memory:");
        Fill(database, table);
        auto select = database.Prepare("SELECT rowid FROM results WHERE (" + condition + ")");
        while (select.Step())
        {
            chosen.rows.push_back(table.rows[static_cast<std::size_t>(select.Number(0) - 1)]);
        }
    }
    catch (const RunError& error)
    {
        throw InputError(Printable(fmt::format(
            "--where: '{}' is no condition: {}; one is workers <= 64", expression, error.what())));
    }
    if (chosen.rows.empty())
    {
        throw InputError(
            Printable(fmt::format("--where: '{}' holds for no row of {}", expression, table.path)));
    }
    return chosen;
}

} // namespace inca
