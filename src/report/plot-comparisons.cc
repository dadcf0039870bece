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

/** Fields of a comparison by the names of their columns. */
class Comparisons
{
  public:
    explicit Comparisons(const CsvTable& table)
        : m_table(table)
    {
    }

    const std::string& Field(const CsvTableRow& row, const char* column) const
    {
        return row.fields[*m_table.Find(column)];
    }

    bool IsPublished(const CsvTableRow& row) const
    {
        return !Field(row, "published_from").empty();
    }

  private:
    const CsvTable& m_table;
};

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
    const Comparisons of(table);
    std::vector<std::string> figures;
    for (const auto& row : table.rows)
    {
        const auto& figure = of.Field(row, "figure");
        const bool isKnown = std::find(figures.begin(), figures.end(), figure) != figures.end();
        if (of.IsPublished(row) && !isKnown)
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

/** Puts what is predicted and what is published of one figure into rows of their own. */
class Unfolder
{
  public:
    Unfolder(const CsvTable& table, const std::string& figure)
        : m_of(table)
    {
        for (const auto& row : table.rows)
        {
            if (m_of.Field(row, "figure") == figure)
            {
                m_chosen.push_back(&row);
            }
        }
        m_rows.y = figure + EndingOf(m_of.Field(*m_chosen.front(), "unit"));
        m_rows.names = {{"system", "model", "source"}, {}, "source"};
        m_rows.table = {
            table.path, {"model", "system", "source", m_rows.y, RANGE_FROM, RANGE_TO}, {}};
    }

    ComparisonRows Unfold()
    {
        for (const auto* row : m_chosen)
        {
            if (m_predicted.insert(PlaceOf(*row)).second)
            {
                Add(*row, "predicted", {m_of.Field(*row, "predicted"), "", ""});
            }
            if (m_of.IsPublished(*row))
            {
                AddPublished(*row);
            }
        }
        return std::move(m_rows);
    }

  private:
    using Place = std::pair<std::string, std::string>; ///< model and system

    Place PlaceOf(const CsvTableRow& row) const
    {
        return {m_of.Field(row, "model"), m_of.Field(row, "system")};
    }

    /** Where several sources have published the same, each says which it is. */
    bool HaveSeveralSources() const
    {
        std::set<Place> published;
        return std::any_of(m_chosen.begin(), m_chosen.end(), [&](const auto* row) {
            return m_of.IsPublished(*row) && !published.insert(PlaceOf(*row)).second;
        });
    }

    void AddPublished(const CsvTableRow& row)
    {
        const auto& from = m_of.Field(row, "published_from");
        const auto& to = m_of.Field(row, "published_to");
        const auto source = HaveSeveralSources() ? ": " + m_of.Field(row, "published_source") : "";
        Add(row, "published" + source, {Middle(from, to), from, to});
    }

    void Add(const CsvTableRow& row,
             const std::string& source,
             const std::vector<std::string>& values)
    {
        std::vector<std::string> fields{
            m_of.Field(row, "model"), m_of.Field(row, "system"), source};
        fields.insert(fields.end(), values.begin(), values.end());
        m_rows.table.rows.push_back({row.line, fields});
    }

    Comparisons m_of;
    std::vector<const CsvTableRow*> m_chosen;
    std::set<Place> m_predicted; ///< what is published in several places is predicted once
    ComparisonRows m_rows;
};

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
    auto rows = Unfolder(table, figures.front()).Unfold();
    if (figures.size() > 1)
    {
        rows.notes.push_back(fmt::format("draws '{}'; --where \"figure = '...'\" draws another: {}",
                                         figures.front(),
                                         fmt::join(figures.begin() + 1, figures.end(), "; ")));
    }
    return rows;
}

} // namespace inca
