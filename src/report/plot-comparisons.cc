/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-comparisons.h"

#include "base/errors.h"
#include "report/plot-data.h"
#include "report/plot-page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace inca
{

namespace
{

constexpr std::array<const char*, 8> g_needed{"model",
                                              "system",
                                              "figure",
                                              "unit",
                                              "predicted",
                                              "published_from",
                                              "published_to",
                                              "published_source"};

const std::string&
Field(const CsvTable& table, const CsvTableRow& row, const char* column)
{
    return row.fields[*table.Find(column)];
}

bool
IsPublished(const CsvTable& table, const CsvTableRow& row)
{
    return !Field(table, row, "published_from").empty();
}

/** The ending of a column that holds figures of a validation's unit. */
std::string
EndingOf(const std::string& unit)
{
    static const std::vector<std::pair<std::string, std::string>> endings{
        {"s", "_s"},
        {"%", "_percent"},
        {"x", "_times"},
        {"Mvalues/s", "_mvalues_per_s"},
        {"Gb/s", "_gbps"}};
    const auto found = std::find_if(
        endings.begin(), endings.end(), [&unit](const auto& pair) { return pair.first == unit; });
    return found == endings.end() ? "" : found->second;
}

/** Every figure of which something is published, in their order. */
std::vector<std::string>
PublishedFigures(const CsvTable& table)
{
    std::vector<std::string> figures;
    for (const auto& row : table.rows)
    {
        const auto& figure = Field(table, row, "figure");
        const bool isKnown = std::find(figures.begin(), figures.end(), figure) != figures.end();
        if (IsPublished(table, row) && !isKnown)
        {
            figures.push_back(figure);
        }
    }
    if (figures.empty())
    {
        throw InputError(table.path + ": nothing to draw: no row of this validation has anything "
                                      "published beside it");
    }
    return figures;
}

/** "12.5" between 10 and 15. */
std::string
Middle(const std::string& from, const std::string& to)
{
    const auto a = NumberOf(from);
    const auto b = NumberOf(to);
    return from == to || !a || !b ? from : Figure((*a + *b) / 2);
}

using Place = std::pair<std::string, std::string>; ///< model and system

Place
PlaceOf(const CsvTable& table, const CsvTableRow& row)
{
    return {Field(table, row, "model"), Field(table, row, "system")};
}

/** Where several sources have published the same, each says which it is. */
bool
HaveSeveralSources(const CsvTable& table, const std::vector<const CsvTableRow*>& rows)
{
    std::set<Place> published;
    return std::any_of(rows.begin(), rows.end(), [&](const auto* row) {
        return IsPublished(table, *row) && !published.insert(PlaceOf(table, *row)).second;
    });
}

/** Puts what is predicted and what is published of one figure into rows of their own. */
ComparisonRows
RowsOfFigure(const CsvTable& table, const std::string& figure)
{
    std::vector<const CsvTableRow*> chosen;
    for (const auto& row : table.rows)
    {
        if (Field(table, row, "figure") == figure)
        {
            chosen.push_back(&row);
        }
    }
    ComparisonRows rows;
    rows.y = figure + EndingOf(Field(table, *chosen.front(), "unit"));
    rows.names = {{"system", "model", "source"}, {}, "source"};
    rows.table = {table.path, {"model", "system", "source", rows.y, RANGE_FROM, RANGE_TO}, {}};
    const bool areSeveral = HaveSeveralSources(table, chosen);
    std::set<Place> predicted; // what is published in several places is predicted once
    for (const auto* row : chosen)
    {
        const auto place = PlaceOf(table, *row);
        const auto& [model, system] = place;
        if (predicted.insert(place).second)
        {
            const auto& value = Field(table, *row, "predicted");
            rows.table.rows.push_back({row->line, {model, system, "predicted", value, "", ""}});
        }
        if (IsPublished(table, *row))
        {
            const auto& from = Field(table, *row, "published_from");
            const auto& to = Field(table, *row, "published_to");
            const auto source = areSeveral ? ": " + Field(table, *row, "published_source") : "";
            rows.table.rows.push_back(
                {row->line, {model, system, "published" + source, Middle(from, to), from, to}});
        }
    }
    return rows;
}

} // namespace

bool
HoldsComparisons(const CsvTable& table)
{
    return std::all_of(g_needed.begin(), g_needed.end(), [&table](const char* column) {
        return table.Find(column).has_value();
    });
}

ComparisonRows
RowsOfComparisons(const CsvTable& table)
{
    const auto figures = PublishedFigures(table);
    auto rows = RowsOfFigure(table, figures.front());
    if (figures.size() > 1)
    {
        rows.notes.push_back(fmt::format("draws '{}'; --where \"figure = '...'\" draws another: {}",
                                         figures.front(),
                                         fmt::join(figures.begin() + 1, figures.end(), "; ")));
    }
    return rows;
}

} // namespace inca
