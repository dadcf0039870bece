/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-data.h"

#include "base/errors.h"
#include "report/plot-axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace inca
{

namespace
{

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

std::vector<std::string>
PlacesOf(const CsvTable& table, std::size_t column, bool isNumber)
{
    std::vector<std::string> texts;
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

/** Puts the rows of a table into the cells of series. */
class Collector
{
  public:
    Collector(const CsvTable& table, const PlotChoice& choice)
        : m_table(table),
          m_choice(choice),
          m_status(table.Find("status")),
          m_seed(table.Find("seed")),
          m_from(table.Find(RANGE_FROM)),
          m_to(table.Find(RANGE_TO))
    {
        m_data.kind = choice.kind;
        for (const auto column : choice.y)
        {
            m_data.columns.push_back(table.columns[column]);
        }
        if (choice.series.size() == 1)
        {
            m_data.seriesColumn = table.columns[choice.series.front()];
            m_data.seriesAreNumbers = IsNumeric(table, choice.series.front());
        }
        SetPlaces();
    }

    PlotData Collect()
    {
        for (const auto& row : m_table.rows)
        {
            Add(row);
        }
        for (auto& series : m_data.series)
        {
            std::sort(series.cells.begin(), series.cells.end(), [](const auto& a, const auto& b) {
                return a.x < b.x;
            });
        }
        Check();
        return std::move(m_data);
    }

  private:
    void SetPlaces()
    {
        if (!m_choice.x)
        {
            m_data.xs = {""};
            EnterPlaces();
            return;
        }
        m_data.xColumn = m_table.columns[*m_choice.x];
        m_data.xIsNumber = IsNumeric(m_table, *m_choice.x);
        m_data.xs = PlacesOf(m_table, *m_choice.x, m_data.xIsNumber);
        EnterPlaces();
    }

    void EnterPlaces()
    {
        for (std::size_t i = 0; i < m_data.xs.size(); ++i)
        {
            m_places.emplace(m_data.xs[i], i);
        }
    }

    void Add(const CsvTableRow& row)
    {
        const auto text = m_choice.x ? row.fields[*m_choice.x] : std::string();
        const auto place = m_places.find(text);
        if (place == m_places.end()) // x does not apply to it
        {
            return;
        }
        auto& cell = CellOf(row, place->second);
        const auto status = m_status ? row.fields[*m_status] : std::string();
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
        AddRange(row, cell);
    }

    void AddRange(const CsvTableRow& row, PlotCell& cell) const
    {
        const auto from = m_from ? NumberOf(row.fields[*m_from]) : std::nullopt;
        const auto to = m_to ? NumberOf(row.fields[*m_to]) : std::nullopt;
        if (from && to)
        {
            cell.range = {*from, *to};
        }
    }

    std::size_t SeriesOf(const CsvTableRow& row)
    {
        std::vector<std::string> key;
        for (const auto column : m_choice.series)
        {
            key.push_back(row.fields[column]);
        }
        const auto [found, isNew] = m_series.emplace(key, m_data.series.size());
        if (isNew)
        {
            m_data.series.push_back(
                {NameOf(m_table, row, m_choice.series), key.empty() ? "" : key.front(), {}});
            Colour(row, m_data.series.back());
        }
        return found->second;
    }

    /** Rows that differ in the column of shades alone share a colour. */
    void Colour(const CsvTableRow& row, PlotSeries& series)
    {
        std::vector<std::string> key;
        for (const auto column : m_choice.series)
        {
            key.push_back(column == m_choice.shade ? "" : row.fields[column]);
        }
        series.colour = m_colours.emplace(key, m_colours.size()).first->second;
        if (m_choice.shade)
        {
            series.shade =
                m_shades.emplace(row.fields[*m_choice.shade], m_shades.size()).first->second;
        }
    }

    PlotCell& CellOf(const CsvTableRow& row, std::size_t x)
    {
        const auto series = SeriesOf(row);
        CheckSeed(row, series, x);
        auto& cells = m_data.series[series].cells;
        const auto [found, isNew] = m_cells.emplace(std::pair(series, x), cells.size());
        if (isNew)
        {
            cells.push_back({x, "", std::vector<std::vector<double>>(m_choice.y.size())});
        }
        return cells[found->second];
    }

    void CheckSeed(const CsvTableRow& row, std::size_t series, std::size_t x)
    {
        const auto seed = m_seed ? row.fields[*m_seed] : std::string();
        const auto [found, isNew] = m_lines.emplace(std::tuple(series, x, seed), row.line);
        if (!isNew)
        {
            throw InputError(
                InputPlace{m_table.path, row.line, 0, ""},
                fmt::format("is at the same place as line {}, and no other seed; --series names a "
                            "column that sets them apart",
                            found->second));
        }
    }

    void Check() const
    {
        bool hasValues = false;
        bool hasSeveral = false;
        for (const auto& series : m_data.series)
        {
            for (const auto& cell : series.cells)
            {
                hasValues = hasValues || !cell.values.front().empty();
                hasSeveral = hasSeveral || cell.values.front().size() > 1;
            }
        }
        if (!hasValues)
        {
            throw InputError(fmt::format("{}: nothing to draw: no row has {} and {}",
                                         m_table.path,
                                         m_data.xColumn.empty() ? "a result" : m_data.xColumn,
                                         m_data.columns.front()));
        }
        if (m_data.kind == PlotKind::BOX && !hasSeveral)
        {
            throw InputError("--kind box: needs several seeds of a point, which inca sweep "
                             "--repeat N runs");
        }
        CheckRoom();
    }

    void CheckRoom() const
    {
        const auto series = m_data.series.size();
        const auto places = m_data.xs.size();
        const auto most = m_data.kind == PlotKind::LINE ? g_mostLines : g_mostColours;
        const bool hasColours = m_data.kind == PlotKind::LINE || m_data.kind == PlotKind::BAR ||
                                m_data.kind == PlotKind::BOX;
        if (hasColours && series > most)
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
        const bool isFull = named > g_mostNames || (hasColours && series * places > g_mostBars);
        if (m_data.kind != PlotKind::LINE && isFull)
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
    std::optional<std::size_t> m_status;
    std::optional<std::size_t> m_seed;
    std::optional<std::size_t> m_from;
    std::optional<std::size_t> m_to;
    PlotData m_data;
    std::map<std::vector<std::string>, std::size_t> m_series;  ///< by what sets them apart
    std::map<std::vector<std::string>, std::size_t> m_colours; ///< the same without shades
    std::map<std::string, std::size_t> m_shades;
    std::map<std::string, std::size_t> m_places;                        ///< indices of xs, by text
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> m_cells; ///< by series and place
    std::map<std::tuple<std::size_t, std::size_t, std::string>, unsigned>
        m_lines; ///< by their seed
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
        for (const auto& cell : series.cells)
        {
            if (!cell.notDone.empty())
            {
                names.insert(cell.notDone);
            }
        }
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace inca
