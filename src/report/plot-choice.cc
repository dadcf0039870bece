/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-choice.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "record/database.h"
#include "record/share-parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>

namespace inca
{

namespace
{

using Indices = std::vector<std::size_t>;

constexpr std::string_view g_label = "label";

template <class List, class Item>
bool
Has(const List& list, const Item& item)
{
    return std::find(list.begin(), list.end(), item) != list.end();
}

std::set<std::string>
TextsOf(const CsvTable& table, std::size_t column)
{
    std::set<std::string> texts;
    for (const auto& row : table.rows)
    {
        texts.insert(row.fields[column]);
    }
    return texts;
}

/** @return whether a row that is done has it: rows that are refused have what could not matter, too */
bool
Applies(const CsvTable& table, std::size_t column)
{
    const auto status = table.Find("status");
    return std::any_of(table.rows.begin(), table.rows.end(), [&](const CsvTableRow& row) {
        return !row.fields[column].empty() && (!status || row.fields[*status] == "done");
    });
}

/** @return whether rows with the same @p others have the same @p column, where it applies */
bool
IsDecidedBy(const CsvTable& table, std::size_t column, const Indices& others)
{
    std::map<std::vector<std::string>, std::string> seen;
    for (const auto& row : table.rows)
    {
        std::vector<std::string> key;
        for (const auto other : others)
        {
            key.push_back(row.fields[other]);
        }
        const auto& text = row.fields[column];
        if (!text.empty() && seen.emplace(key, text).first->second != text)
        {
            return false;
        }
    }
    return true;
}

Indices
SeriesAsked(const CsvTable& table, const PlotNames& names, const std::string& text)
{
    Indices series;
    std::istringstream words(text);
    for (std::string name; std::getline(words, name, ',');)
    {
        series.push_back(ColumnOf(table, names, name, "--series"));
    }
    return series;
}

/**
 * Chooses the numbers of which there are most, else the first names; a name that was asked for as the series becomes
 * the axis if nothing else varies.
 */
std::optional<std::size_t>
ChooseX(const CsvTable& table, const PlotNames& names, Indices& asked)
{
    std::optional<std::size_t> x;
    std::size_t most = 0;
    for (const auto column : VariedColumns(table, names, asked))
    {
        const auto count = IsNumeric(table, column) ? TextsOf(table, column).size() : 0;
        if (!Has(asked, column) && (!x || count > most))
        {
            x = column;
            most = count;
        }
    }
    if (!x && !asked.empty())
    {
        x = asked.front();
        asked.erase(asked.begin());
    }
    return x;
}

/** All that varies beside @p x; what was asked for comes first. */
Indices
ChooseSeries(const CsvTable& table,
             const PlotNames& names,
             const std::optional<std::size_t>& x,
             Indices first)
{
    if (x && Has(names.settings, table.columns[*x]))
    {
        first.insert(first.begin(), *x);
    }
    auto series = VariedColumns(table, names, first);
    series.erase(std::remove(series.begin(), series.end(), x), series.end());
    return series;
}

Indices
ChooseY(const CsvTable& table, const PlotNames& names, const std::string& asked, PlotKind kind)
{
    if (kind != PlotKind::STACK)
    {
        return {ColumnOf(table, names, asked.empty() ? "iteration_time_s" : asked, "--y")};
    }
    if (!asked.empty())
    {
        throw InputError("--y: --kind stack draws the parts of the time, forward_s to "
                         "communication_s; leave --y out");
    }
    Indices parts;
    for (const auto& part : g_shareParts)
    {
        if (const auto found = table.Find(part.name + std::string("_s")))
        {
            parts.push_back(*found);
        }
    }
    if (parts.empty())
    {
        throw InputError(table.path + ": --kind stack needs the columns forward_s to "
                                      "communication_s, of which it has none");
    }
    return parts;
}

void
Check(const CsvTable& table, const PlotChoice& choice)
{
    for (const auto column : choice.y)
    {
        if (!IsNumeric(table, column))
        {
            throw InputError(fmt::format("--y: {}: nothing to draw: column {} holds no numbers",
                                         table.path,
                                         table.columns[column]));
        }
    }
    if (choice.kind == PlotKind::LINE && !IsNumeric(table, *choice.x))
    {
        throw InputError(fmt::format("--kind line: column {} holds names, and lines go over "
                                     "numbers; --kind bar goes over names",
                                     table.columns[*choice.x]));
    }
    if (choice.kind == PlotKind::HEAT && choice.series.size() != 1)
    {
        std::vector<std::string> others;
        for (const auto column : choice.series)
        {
            others.push_back(table.columns[column]);
        }
        throw InputError(fmt::format("--kind heat: draws two keys, {} and another one; here {}{}",
                                     table.columns[*choice.x],
                                     others.empty() ? "no other one varies" : "these vary, too: ",
                                     fmt::join(others, ", ")));
    }
}

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

const std::vector<std::string>&
PlotKindNames()
{
    static const std::vector<std::string> names{"line", "bar", "stack", "heat"};
    return names;
}

const std::string&
PlotKindName(PlotKind kind)
{
    return PlotKindNames().at(static_cast<std::size_t>(kind));
}

PlotKind
PlotKindOf(const std::string& name)
{
    const auto found = std::find(PlotKindNames().begin(), PlotKindNames().end(), name);
    if (found == PlotKindNames().end())
    {
        throw InputError("--kind: " + UnknownName(name, PlotKindNames()));
    }
    return static_cast<PlotKind>(found - PlotKindNames().begin());
}

bool
IsNumeric(const CsvTable& table, std::size_t column)
{
    const auto texts = TextsOf(table, column);
    return table.columns[column] != g_label && texts != std::set<std::string>{""} &&
           std::all_of(texts.begin(), texts.end(), [](const std::string& text) {
               return text.empty() || NumberOf(text);
           });
}

std::size_t
ColumnOf(const CsvTable& table,
         const PlotNames& names,
         const std::string& name,
         const std::string& option)
{
    const auto key = names.ofKeys.find(name);
    const auto found = table.Find(key == names.ofKeys.end() ? name : key->second);
    if (found)
    {
        return *found;
    }
    auto known = table.columns;
    for (const auto& [keyName, column] : names.ofKeys)
    {
        if (table.Find(column))
        {
            known.push_back(keyName);
        }
    }
    const auto nearest = Nearest(name, known);
    throw InputError(fmt::format("{}: {} has no column '{}'; {}",
                                 option,
                                 table.path,
                                 name,
                                 nearest.empty() ? "its first line names those that it has"
                                                 : "did you mean '" + nearest + "'?"));
}

std::vector<std::size_t>
VariedColumns(const CsvTable& table, const PlotNames& names, const std::vector<std::size_t>& first)
{
    auto varied = first;
    for (const auto& name : names.settings)
    {
        const auto column = table.Find(name);
        if (!column || Has(varied, *column) || !Applies(table, *column) ||
            IsDecidedBy(table, *column, {}))
        {
            continue;
        }
        if (name == g_label || !IsDecidedBy(table, *column, varied))
        {
            varied.push_back(*column);
        }
    }
    return varied;
}

PlotChoice
ChoosePlot(const CsvTable& table, const PlotNames& names, const PlotRequest& request)
{
    const auto status = table.Find("status");
    if (status && TextsOf(table, *status).count("done") == 0)
    {
        throw InputError(table.path + ": nothing to draw: no row is done; its column warnings "
                                      "says why");
    }
    PlotChoice choice;
    auto asked = SeriesAsked(table, names, request.series);
    choice.x = request.x.empty() ? ChooseX(table, names, asked)
                                 : std::optional(ColumnOf(table, names, request.x, "--x"));
    choice.kind = request.kind                  ? *request.kind
                  : !choice.x                   ? PlotKind::STACK
                  : IsNumeric(table, *choice.x) ? PlotKind::LINE
                                                : PlotKind::BAR;
    if (!choice.x && choice.kind != PlotKind::STACK)
    {
        throw InputError(
            fmt::format("{}: no setting differs between its rows; --x names a column to "
                        "draw over, or --kind stack draws where the time goes",
                        table.path));
    }
    choice.series = ChooseSeries(table, names, choice.x, asked);
    const auto shade = table.Find(names.shade);
    choice.shade = shade && Has(choice.series, *shade) ? shade : std::nullopt;
    choice.y = ChooseY(table, names, request.y, choice.kind);
    Check(table, choice);
    return choice;
}

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
