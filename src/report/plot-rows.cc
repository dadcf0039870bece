/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-rows.h"

#include "base/errors.h"
#include "base/printable.h"
#include "record/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <utility>

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

/** A column of a figure, whose name ends in its unit. */
std::string
ColumnOfFigure(const std::string& figure, const std::string& unit)
{
    static const std::map<std::string, std::string> endings{{"s", "_s"},
                                                            {"%", "_percent"},
                                                            {"x", "_times"},
                                                            {"Mvalues/s", "_mvalues_per_s"},
                                                            {"Gb/s", "_gbps"}};
    const auto found = endings.find(unit);
    return figure + (found == endings.end() ? "" : found->second);
}

/** "12.5" between 10 and 15. */
std::string
Middle(const std::string& from, const std::string& to)
{
    const auto a = NumberOf(from);
    const auto b = NumberOf(to);
    return from == to || !a || !b ? from : fmt::format("{:.9g}", (*a + *b) / 2);
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

bool
HoldsComparisons(const CsvTable& table)
{
    return table.Find("figure") && table.Find("predicted") && table.Find("published_from");
}

ComparisonRows
RowsOfComparisons(const CsvTable& table)
{
    const auto field = [&table](const CsvTableRow& row, const char* column) {
        const auto found = table.Find(column);
        return found ? row.fields[*found] : std::string();
    };
    const auto first =
        std::find_if(table.rows.begin(), table.rows.end(), [&](const CsvTableRow& row) {
            return !field(row, "published_from").empty();
        });
    if (first == table.rows.end())
    {
        throw InputError(table.path + ": nothing to draw: no row of this validation has anything "
                                      "published beside it");
    }
    const auto drawn = field(*first, "figure");
    const bool isOne = // source of all: it need not be named
        std::all_of(first, table.rows.end(), [&](const CsvTableRow& row) {
            return field(row, "figure") != drawn || field(row, "published_from").empty() ||
                   field(row, "published_source") == field(*first, "published_source");
        });
    ComparisonRows rows;
    rows.y = ColumnOfFigure(drawn, field(*first, "unit"));
    rows.table = {table.path, {"model", "system", "source", rows.y, RANGE_FROM, RANGE_TO}, {}};
    std::set<std::string> others;
    std::set<std::vector<std::string>> known; // model, system, and what stands there
    for (const auto& row : table.rows)
    {
        const auto figure = field(row, "figure");
        const auto from = field(row, "published_from");
        const auto to = field(row, "published_to");
        if (figure != drawn)
        {
            from.empty() ? others.end() : others.insert(figure).first;
            continue;
        }
        const auto add = [&](const std::string& source,
                             const std::string& value,
                             const std::string& least,
                             const std::string& most) {
            const auto model = field(row, "model");
            const auto system = field(row, "system");
            if (known.insert({model, system, source}).second) // published twice, predicted once
            {
                rows.table.rows.push_back({row.line, {model, system, source, value, least, most}});
            }
        };
        add("predicted", field(row, "predicted"), "", "");
        if (!from.empty())
        {
            const auto source = isOne ? "" : ": " + field(row, "published_source");
            add("published" + source, Middle(from, to), from, to);
        }
    }
    if (!others.empty())
    {
        rows.notes.push_back(fmt::format("draws '{}'; --where \"figure = '...'\" draws another: {}",
                                         drawn,
                                         fmt::join(others, "; ")));
    }
    return rows;
}

} // namespace inca
