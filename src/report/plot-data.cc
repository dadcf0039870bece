/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-data.h"

#include "base/errors.h"
#include "record/sample.h"
#include "report/plot-page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
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

/** "ring, 4 workers" */
std::string
Joined(const Texts& parts)
{
    std::string text;
    for (const auto& part : parts)
    {
        text += (text.empty() || part.empty() ? "" : ", ") + part;
    }
    return text;
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

/** The runs of one point, before their means are taken. */
struct Cell
{
    std::vector<std::vector<double>> values; ///< for each column that is drawn, of each run
    std::optional<std::pair<double, double>> range;
    std::string notDone;
};

PlotPoint
PointOf(const Cell& cell)
{
    const auto& runs = cell.values.front();
    if (runs.empty())
    {
        return {std::nullopt, 0, 0, cell.notDone};
    }
    const auto sample = SampleOf(runs);
    const auto ends = runs.size() == 1 && cell.range
                          ? *cell.range
                          : std::pair(sample.mean - sample.margin, sample.mean + sample.margin);
    return {sample.mean, ends.first, ends.second, cell.notDone};
}

/** Puts the rows of a table into the points of series. */
class Collector
{
  public:
    Collector(const CsvTable& table, const PlotChoice& choice)
        : m_table(table),
          m_choice(choice)
    {
        m_data.kind = choice.kind;
        m_data.xs = {""};
        m_data.column = table.columns[choice.y.front()];
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
    }

    PlotData Collect()
    {
        std::map<std::string, std::size_t> places;
        for (const auto& text : m_data.xs)
        {
            places.emplace(text, places.size());
        }
        for (const auto& row : m_table.rows)
        {
            const auto place = places.find(m_choice.x ? row.fields[*m_choice.x] : "");
            if (place != places.end()) // else x does not apply to it
            {
                Add(row, place->second, SeriesOf(row));
            }
        }
        Check();
        for (const auto& [at, cell] : m_cells)
        {
            m_data.series[at.second].points[at.first] = PointOf(cell);
        }
        return m_data.kind == PlotKind::STACK ? Stacked() : std::move(m_data);
    }

  private:
    void Add(const CsvTableRow& row, std::size_t place, std::size_t series)
    {
        const auto [found, isNew] =
            m_lines.emplace(std::tuple(place, series, FieldOf(m_table, row, "seed")), row.line);
        if (!isNew)
        {
            throw InputError(
                InputPlace{m_table.path, row.line, 0, ""},
                fmt::format("is at the same place as line {}, and no other seed; --series names a "
                            "column that sets them apart",
                            found->second));
        }
        auto& cell = m_cells[{place, series}];
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
                m_hasValues = m_hasValues || i == 0;
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
    std::size_t SeriesOf(const CsvTableRow& row)
    {
        Texts key;
        Texts names;
        Texts colour;
        for (const auto column : m_choice.series)
        {
            const auto& text = row.fields[column];
            key.push_back(text);
            names.push_back(ValueName(m_table.columns[column], text));
            colour.push_back(column == m_choice.shade ? "" : text);
        }
        const auto [found, isNew] = m_series.emplace(key, m_data.series.size());
        if (isNew)
        {
            PlotSeries series;
            series.name = Joined(names);
            series.text = key.empty() ? "" : key.front();
            series.colour = m_colours.emplace(colour, m_colours.size()).first->second;
            const auto shade = m_choice.shade ? row.fields[*m_choice.shade] : "";
            series.shade = m_shades.emplace(shade, m_shades.size()).first->second;
            m_data.series.push_back(std::move(series));
        }
        return found->second;
    }

    void Check() const
    {
        if (!m_hasValues)
        {
            throw InputError(fmt::format("{}: nothing to draw: no row has {} and {}",
                                         m_table.path,
                                         m_data.xColumn.empty() ? "a result" : m_data.xColumn,
                                         m_data.column));
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

    /** A place for each point, a series for each part of the time; parts begin where those before them end. */
    PlotData Stacked() const
    {
        PlotData stacks;
        stacks.kind = PlotKind::STACK;
        stacks.column = "time_per_iteration_s";
        for (std::size_t part = 0; part < m_choice.y.size(); ++part)
        {
            const auto column = m_table.columns[m_choice.y[part]];
            stacks.series.push_back({column.substr(0, column.rfind('_')), "", part, 0, {}});
        }
        for (const auto& [at, cell] : m_cells)
        {
            double top = 0;
            for (std::size_t part = 0; part < cell.values.size(); ++part)
            {
                const auto& runs = cell.values[part];
                const auto time = runs.empty() ? 0 : SampleOf(runs).mean;
                stacks.series[part].points[stacks.xs.size()] = {
                    time, top, top + time, part == 0 ? cell.notDone : ""};
                top += time;
            }
            stacks.xs.push_back(Joined(
                {ValueName(m_data.xColumn, m_data.xs[at.first]), m_data.series[at.second].name}));
        }
        return stacks;
    }

    const CsvTable& m_table;
    const PlotChoice& m_choice;
    PlotData m_data;
    std::map<std::pair<std::size_t, std::size_t>, Cell> m_cells; ///< by place and series
    std::map<std::tuple<std::size_t, std::size_t, std::string>, unsigned> m_lines; ///< of each seed
    std::map<Texts, std::size_t> m_series;  ///< by what sets them apart
    std::map<Texts, std::size_t> m_colours; ///< the same without shades
    std::map<std::string, std::size_t> m_shades;
    bool m_hasValues{false};
};

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

PlotData
CollectPlot(const CsvTable& table, const PlotChoice& choice)
{
    return Collector(table, choice).Collect();
}

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
