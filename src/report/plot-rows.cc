/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "base/errors.h"
#include "base/printable.h"
#include "record/database.h"
#include "report/plot.h"

#include <fmt/format.h>

#include <regex>

namespace inca
{

namespace
{

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

/** Puts columns in the place of keys, which have a point in their names; what stands in quotes is left. */
std::string
SqlOf(const CsvTable& table, const PlotNames& names, const std::string& expression)
{
    static const std::regex parts("'[^']*'?|\"[^\"]*\"?|([A-Za-z_]\\w*\\.[\\w.]*)|[\\w.]+");
    std::string sql;
    auto rest = expression.cbegin();
    for (std::sregex_iterator part(rest, expression.cend(), parts), end; part != end; ++part)
    {
        const auto key = part->str(1);
        sql.append(rest, (*part)[0].first);
        sql += key.empty() ? part->str()
                           : SqlName(table.columns[ColumnOf(table, names, key, "--where")]);
        rest = (*part)[0].second;
    }
    return sql.append(rest, expression.cend());
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
        for (const auto& field : row.fields)
        {
            const auto number = NumberOf(field);
            number ? insert.Bind(*number) : field.empty() ? insert.BindNull() : insert.Bind(field);
        }
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
            "--where: '{}' is no condition, such as workers <= 64: {}", expression, error.what())));
    }
    if (chosen.rows.empty())
    {
        throw InputError(
            Printable(fmt::format("--where: '{}' holds for no row of {}", expression, table.path)));
    }
    return chosen;
}

} // namespace inca
