/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-data.h"

#include "base/errors.h"
#include "report/plot-axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace inca
{

namespace
{

using Texts = std::vector<std::string>;

constexpr std::size_t g_mostLines = 16;
constexpr std::size_t g_mostColours = 8;
constexpr std::size_t g_mostNames = 24; // upright, side by side, in 3.3 inches
constexpr std::size_t g_mostBars = 64;

/** "ring, 4 workers": what sets @p row's series apart */
std::string
NameOf(const CsvTable& table, const CsvTableRow& row, const std::vector<std::size_t>& columns)
{
    std::string name;
    for (const auto column : columns)
    {
        const auto part = ValueName(table.columns[column], row.fields[column]);
        name += (name.empty() || part.empty() ? "" : ", ") + part;
    }
    return name;
}

/** The places of an axis; a number that is empty is none. */
Texts
PlacesOf(const CsvTable& table, std::size_t column, bool isNumber)
{
    Texts texts;
    std::set<std::string> seen;
    for (const auto& row : table.rows)
    {
        const auto& text = row.fields[column];
        if (seen.insert(text).second && !(isNumber && text.empty()))
        {
            texts.push_back(text);
        }
    }
    if (isNumber)
    {
        std::stable_sort(texts.begin(), texts.end(), [](const auto& a, const auto& b) {
            return NumberOf(a) < NumberOf(b);
        });
    }
    return texts;
}

/** @return @p row's field of that name; empty: there is none */
std::string
FieldOf(const CsvTable& table, const CsvTableRow& row, const char* column)
{
    const auto found = table.Find(column);
    return found ? row.fields[*found] : std::string();
}

/** Puts the rows of a table into the cells of series. */
class Collector
{
  public:
    Collector(const CsvTable& table, const PlotChoice& choice)
        : m_table(table),
          m_choice(choice)
    {
        m_data.kind = choice.kind;
        m_data.xs = {""};
        for (const auto column : choice.y)
        {
            m_data.columns.push_back(table.columns[column]);
        }
        if (choice.series.size() == 1)
        {
            m_data.seriesColumn = table.columns[choice.series.front()];
            m_data.seriesAreNumbers = IsNumeric(table, choice.series.front());
        }
        if (choice.x)
        {
            m_data.xColumn = table.columns[*choice.x];
            m_data.xIsNumber = IsNumeric(table, *choice.x);
            m_data.xs = PlacesOf(table, *choice.x, m_data.xIsNumber);
        }
        for (const auto& text : m_data.xs)
        {
            m_places.emplace(text, m_places.size());
        }
    }

    PlotData Collect()
    {
        for (const auto& row : m_table.rows)
        {
            const auto place = m_places.find(m_choice.x ? row.fields[*m_choice.x] : "");
            if (place != m_places.end()) // else x does not apply to it
            {
                Add(row, SeriesOf(row).cells[place->second]);
            }
        }
        Check();
        return std::move(m_data);
    }

  private:
    void Add(const CsvTableRow& row, PlotCell& cell) const
    {
        const auto [found, isNew] = cell.lines.emplace(FieldOf(m_table, row, "seed"), row.line);
        if (!isNew)
        {
            throw InputError(
                InputPlace{m_table.path, row.line, 0, ""},
                fmt::format("is at the same place as line {}, and no other seed; --series names a "
                            "column that sets them apart",
                            found->second));
        }
        cell.values.resize(m_choice.y.size());
        const auto status = FieldOf(m_table, row, "status");
        if (!status.empty() && status != "done")
        {
            cell.notDone = status;
            return;
        }
        for (std::size_t i = 0; i < m_choice.y.size(); ++i)
        {
            if (const auto value = NumberOf(row.fields[m_choice.y[i]]))
            {
                cell.values[i].push_back(*value);
            }
        }
        const auto from = NumberOf(FieldOf(m_table, row, RANGE_FROM));
        const auto to = NumberOf(FieldOf(m_table, row, RANGE_TO));
        if (from && to)
        {
            cell.range = {*from, *to};
        }
    }

    /** Rows that differ in the column of shades alone share a colour. */
    PlotSeries& SeriesOf(const CsvTableRow& row)
    {
        Texts key;
        Texts colour;
        for (const auto column : m_choice.series)
        {
            key.push_back(row.fields[column]);
            colour.push_back(column == m_choice.shade ? "" : row.fields[column]);
        }
        const auto [found, isNew] = m_series.emplace(key, m_data.series.size());
        if (isNew)
        {
            PlotSeries series;
            series.name = NameOf(m_table, row, m_choice.series);
            series.text = key.empty() ? "" : key.front();
            series.colour = m_colours.emplace(colour, m_colours.size()).first->second;
            if (m_choice.shade)
            {
                series.shade =
                    m_shades.emplace(row.fields[*m_choice.shade], m_shades.size()).first->second;
            }
            m_data.series.push_back(std::move(series));
        }
        return m_data.series[found->second];
    }

    void Check() const
    {
        const bool hasValues =
            std::any_of(m_data.series.begin(), m_data.series.end(), [](const PlotSeries& series) {
                return std::any_of(series.cells.begin(), series.cells.end(), [](const auto& cell) {
                    return !cell.second.values.front().empty();
                });
            });
        if (!hasValues)
        {
            throw InputError(fmt::format("{}: nothing to draw: no row has {} and {}",
                                         m_table.path,
                                         m_data.xColumn.empty() ? "a result" : m_data.xColumn,
                                         m_data.columns.front()));
        }
        const auto series = m_data.series.size();
        const auto places = m_data.xs.size();
        const bool isLine = m_data.kind == PlotKind::LINE;
        const bool isBar = m_data.kind == PlotKind::BAR;
        const auto most = isLine ? g_mostLines : g_mostColours;
        if ((isLine || isBar) && series > most)
        {
            throw InputError(fmt::format("{}: would be {} series, and no more than {} can be told "
                                         "apart; --x takes another key, --kind heat draws two",
                                         m_table.path,
                                         series,
                                         most));
        }
        const auto named = m_data.kind == PlotKind::STACK  ? series * places
                           : m_data.kind == PlotKind::HEAT ? std::max(series, places)
                                                           : places;
        if (!isLine && (named > g_mostNames || (isBar && series * places > g_mostBars)))
        {
            throw InputError(
                fmt::format("{}: --kind {} has no room for {} series at {} places; --kind "
                            "line has, or draw a sweep of fewer points",
                            m_table.path,
                            PlotKindName(m_data.kind),
                            series,
                            places));
        }
    }

    const CsvTable& m_table;
    const PlotChoice& m_choice;
    PlotData m_data;
    std::map<Texts, std::size_t> m_series;  ///< by what sets them apart
    std::map<Texts, std::size_t> m_colours; ///< the same without shades
    std::map<std::string, std::size_t> m_shades;
    std::map<std::string, std::size_t> m_places; ///< indices of xs, by text
};

} // namespace

PlotData
CollectPlot(const CsvTable& table, const PlotChoice& choice)
{
    return Collector(table, choice).Collect();
}

std::string
NotDoneNames(const PlotData& data)
{
    std::set<std::string> names;
    for (const auto& series : data.series)
    {
        for (const auto& [place, cell] : series.cells)
        {
            names.insert(cell.notDone);
        }
    }
    names.erase("");
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace inca
