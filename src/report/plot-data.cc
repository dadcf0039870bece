/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "record/result-row.h"
#include "record/sample.h"
#include "record/share-parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>

namespace inca
{

namespace
{

using Texts = std::vector<std::string>;
using Indices = std::vector<std::size_t>;

constexpr std::string_view g_label = "label";

constexpr const char* g_timeColumn = "iteration_time_s";

constexpr std::size_t g_mostSeries = 16;
constexpr std::size_t g_mostNames = 24; // upright, side by side, in 3.3 inches
constexpr std::size_t g_mostBars = 64;

template <class List, class Item>
bool
Has(const List& list, const Item& item)
{
    return std::find(list.begin(), list.end(), item) != list.end();
}

/** Each text of a column once, as they come. */
Texts
TextsOf(const CsvTable& table, std::size_t column)
{
    Texts texts;
    std::set<std::string_view> seen;
    for (const auto& row : table.rows)
    {
        if (seen.insert(row.fields[column]).second)
        {
            texts.push_back(row.fields[column]);
        }
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
    std::map<Texts, std::string> seen;
    for (const auto& row : table.rows)
    {
        Texts key;
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

/** @return whether a column holds numbers; labels are names, whatever they look like */
bool
IsNumeric(const CsvTable& table, std::size_t column)
{
    const auto texts = TextsOf(table, column);
    return table.columns[column] != g_label && texts != Texts{""} &&
           std::all_of(texts.begin(), texts.end(), [](const std::string& text) {
               return text.empty() || NumberOf(text);
           });
}

/** What a kind is called, and which columns it draws over and draws unless others are named; empty: what varies, or the parts. */
struct KindRow
{
    const char* name;
    const char* x;
    const char* y;
};

constexpr const char* g_trainingColumn = "training_time_s";

/** By PlotKind. */
constexpr std::array<KindRow, 6> g_kinds{{{"line", "", g_timeColumn},
                                          {"bar", "", g_timeColumn},
                                          {"stack", "", ""},
                                          {"heat", "", g_timeColumn},
                                          {"curve", g_trainingColumn, "accuracy"},
                                          {"pareto", g_timeColumn, "sum_vnmse"}}};

const KindRow&
RowOf(PlotKind kind)
{
    return g_kinds.at(static_cast<std::size_t>(kind));
}

/** Which columns are drawn, and how. */
struct Choice
{
    PlotKind kind{PlotKind::LINE};
    std::optional<std::size_t> x; ///< empty: a stack of rows in which nothing varies
    Indices y;                    ///< one; several of a stack
    Indices series;
    std::optional<std::size_t> panels;
};

/** The numbers of which there are most, else the first names, that vary and are neither @p asked for nor @p taken. */
std::optional<std::size_t>
ChooseX(const CsvTable& table, const PlotNames& names, const Indices& asked, const Indices& taken)
{
    std::optional<std::size_t> x;
    std::size_t most = 0;
    for (const auto column : VariedColumns(table, names, asked))
    {
        const auto count = IsNumeric(table, column) ? TextsOf(table, column).size() : 0;
        if (!Has(asked, column) && !Has(taken, column) && (!x || count > most))
        {
            x = column;
            most = count;
        }
    }
    return x;
}

/** All that varies beside what is @p taken; what was asked for comes first. */
Indices
ChooseSeries(const CsvTable& table, const PlotNames& names, const Indices& taken, Indices first)
{
    std::copy_if(taken.begin(), taken.end(), std::back_inserter(first), [&](auto column) {
        return Has(names.settings, table.columns[column]); // a result decides all settings
    });
    auto series = VariedColumns(table, names, first);
    const auto isTaken = [&](auto column) { return Has(taken, column); };
    series.erase(std::remove_if(series.begin(), series.end(), isTaken), series.end());
    return series;
}

Indices
ChooseY(const CsvTable& table, const PlotNames& names, const std::string& asked, PlotKind kind)
{
    if (kind != PlotKind::STACK)
    {
        return {ColumnOf(table, names, asked.empty() ? RowOf(kind).y : asked, "--y")};
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
Check(const CsvTable& table, const Choice& choice)
{
    if (!IsNumeric(table, choice.y.front()))
    {
        throw InputError(fmt::format("--y: {}: nothing to draw: column {} holds no numbers",
                                     table.path,
                                     table.columns[choice.y.front()]));
    }
    if (GoesOverNumbers(choice.kind) && !IsNumeric(table, *choice.x))
    {
        throw InputError(fmt::format("--kind {}: column {} holds names, and lines go over "
                                     "numbers; --kind bar goes over names",
                                     PlotKindName(choice.kind),
                                     table.columns[*choice.x]));
    }
    if (choice.kind == PlotKind::HEAT && choice.series.size() != 1)
    {
        Texts others;
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

Choice
Choose(const CsvTable& table, const PlotNames& names, const PlotRequest& request)
{
    const auto status = table.Find("status");
    if (status && !Has(TextsOf(table, *status), "done"))
    {
        throw InputError(table.path + ": nothing to draw: no row is done; its column warnings "
                                      "says why");
    }
    Choice choice;
    Indices asked;
    std::istringstream words(request.series);
    for (std::string name; std::getline(words, name, ',');)
    {
        asked.push_back(ColumnOf(table, names, name, "--series"));
    }
    Indices taken;
    if (!request.panels.empty())
    {
        choice.panels = ColumnOf(table, names, request.panels, "--panels");
        taken.push_back(*choice.panels);
    }
    const bool isOfTrainings = table.Find(g_trainingColumn).has_value();
    const auto kind = request.kind.value_or(isOfTrainings ? PlotKind::CURVE : PlotKind::LINE);
    const auto x = request.x.empty() ? RowOf(kind).x : request.x;
    choice.x = x.empty() ? ChooseX(table, names, asked, taken)
                         : std::optional(ColumnOf(table, names, x, "--x"));
    choice.kind = request.kind || isOfTrainings || (choice.x && IsNumeric(table, *choice.x)) ? kind
                  : choice.x ? PlotKind::BAR
                             : PlotKind::STACK;
    if (!choice.x && choice.kind != PlotKind::STACK)
    {
        throw InputError(
            fmt::format("{}: no setting differs between its rows; --x names a column to "
                        "draw over, or --kind stack draws where the time goes",
                        table.path));
    }
    if (choice.x)
    {
        taken.push_back(*choice.x);
    }
    choice.series = ChooseSeries(table, names, taken, asked);
    choice.y = ChooseY(table, names, request.y, choice.kind);
    Check(table, choice);
    return choice;
}

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
PlacesOf(const CsvTable& table, std::size_t column)
{
    auto texts = TextsOf(table, column);
    if (IsNumeric(table, column))
    {
        texts.erase(std::remove(texts.begin(), texts.end(), ""), texts.end());
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
    std::vector<double> runs;
    std::optional<double> low; ///< the range of the last run by its preset
    std::optional<double> high;
};

PlotPoint
PointOf(const Cell& cell, PlotKind kind)
{
    if (cell.runs.empty())
    {
        return {};
    }
    const auto sample = SampleOf(cell.runs);
    if (cell.runs.size() == 1 && cell.low && cell.high)
    {
        return {sample.mean, *cell.low, *cell.high};
    }
    if (kind == PlotKind::CURVE)
    {
        const auto [least, most] = std::minmax_element(cell.runs.begin(), cell.runs.end());
        return {sample.mean, *least, *most};
    }
    return {sample.mean, sample.mean - sample.margin, sample.mean + sample.margin};
}

/** Puts the rows of a table into the points of series. Those of a stack are its parts, over all else that varies. */
class Collector
{
  public:
    Collector(const CsvTable& table, const Choice& choice)
        : m_table(table),
          m_choice(choice),
          m_isStack(choice.kind == PlotKind::STACK)
    {
        m_data.kind = choice.kind;
        m_data.column = m_isStack ? "time_per_iteration_s" : table.columns[choice.y.front()];
        m_data.words = m_isStack ? "" : ColumnWords(table, choice.y.front());
        if (choice.x)
        {
            m_places = PlacesOf(table, *choice.x);
        }
        if (choice.panels)
        {
            m_panels = PlacesOf(table, *choice.panels);
            m_data.panels.clear();
            for (const auto& text : m_panels)
            {
                m_data.panels.push_back(ValueName(table.columns[*choice.panels], text));
            }
        }
        for (std::size_t i = 0; m_isStack && i < choice.y.size(); ++i)
        {
            const auto& part = table.columns[choice.y[i]];
            m_data.series.push_back({part.substr(0, part.rfind('_')), "", {}});
        }
        if (m_isStack)
        {
            return;
        }
        m_data.xs = m_places;
        m_data.xColumn = table.columns[*choice.x];
        m_data.xIsNumber = IsNumeric(table, *choice.x);
        for (const auto column : choice.series)
        {
            m_data.seriesColumns.push_back(table.columns[column]);
            m_data.seriesAreNumbers = IsNumeric(table, column);
        }
    }

    PlotData Collect()
    {
        using Placed = std::pair<std::size_t, const CsvTableRow*>;
        std::vector<Placed> rows;
        for (const auto& row : m_table.rows)
        {
            const auto place = PlaceIn(m_places, m_choice.x, row);
            if (place && PlaceIn(m_panels, m_choice.panels, row)) // else they do not apply to it
            {
                rows.emplace_back(*place, &row);
            }
        }
        if (m_isStack) // those of a place stand beside each other
        {
            std::stable_sort(rows.begin(), rows.end(), [](const Placed& a, const Placed& b) {
                return a.first < b.first;
            });
        }
        for (const auto& [place, row] : rows)
        {
            Add(*row, SpotOf(*row, place));
        }
        Check();
        double top = 0; // parts begin where those before them end
        for (const auto& [spot, cell] : m_cells)
        {
            const auto& [panel, place, series] = spot;
            auto point = PointOf(cell, m_data.kind);
            if (m_isStack)
            {
                const auto bottom = series == 0 ? 0 : top;
                top = bottom + point.mean.value_or(0);
                point = {point.mean.value_or(0), bottom, top};
            }
            m_data.series[series].points[m_data.IndexOf(panel, place)] = point;
        }
        return std::move(m_data);
    }

  private:
    using Spot = std::tuple<std::size_t, std::size_t, std::size_t>; ///< panel, place and series

    /** @return the number of what the row has in a column, if it is among @p places */
    static std::optional<std::size_t> PlaceIn(const Texts& places,
                                              const std::optional<std::size_t>& column,
                                              const CsvTableRow& row)
    {
        const auto found =
            std::find(places.begin(), places.end(), column ? row.fields[*column] : std::string());
        const auto place = static_cast<std::size_t>(found - places.begin());
        return place < places.size() ? std::optional(place) : std::nullopt;
    }

    /** What has not been before is another series; of a stack, another place. */
    Spot SpotOf(const CsvTableRow& row, std::size_t place)
    {
        auto columns = m_choice.series;
        if (m_isStack && m_choice.x)
        {
            columns.insert(columns.begin(), *m_choice.x);
        }
        Texts key;
        Texts names;
        for (const auto column : columns)
        {
            key.push_back(row.fields[column]);
            names.push_back(ValueName(m_table.columns[column], key.back()));
        }
        const auto [found, isNew] = m_seen.emplace(key, m_seen.size());
        const auto name = Joined(names);
        if (isNew && m_isStack)
        {
            m_data.xs.push_back(name);
        }
        else if (isNew)
        {
            m_data.series.push_back({name, key.empty() ? "" : key.front(), {}});
        }
        const auto panel = PlaceIn(m_panels, m_choice.panels, row).value_or(0);
        return m_isStack ? Spot{panel, found->second, 0} : Spot{panel, place, found->second};
    }

    void Add(const CsvTableRow& row, const Spot& spot)
    {
        const auto [found, isNew] =
            m_lines.emplace(std::pair(spot, FieldOf(m_table, row, "seed")), row.line);
        if (!isNew)
        {
            throw InputError(
                InputPlace{m_table.path, row.line, 0, ""},
                fmt::format("is at the same place as line {}, and no other seed; --series names a "
                            "column that sets them apart",
                            found->second));
        }
        const auto status = FieldOf(m_table, row, "status");
        const bool isDone = status.empty() || status == "done";
        if (!isDone)
        {
            ++m_data.notDone[status];
        }
        auto [panel, place, series] = spot;
        for (std::size_t i = 0; i < m_choice.y.size(); ++i)
        {
            auto& cell = m_cells[{panel, place, series + i}];
            const auto value = NumberOf(row.fields[m_choice.y[i]]);
            cell.runs.insert(cell.runs.end(), isDone && value.has_value(), value.value_or(0));
            // a calibrated preset gives ranges
            cell.low = NumberOf(FieldOf(m_table, row, FigureColumn(m_data.column, "low").c_str()));
            cell.high =
                NumberOf(FieldOf(m_table, row, FigureColumn(m_data.column, "high").c_str()));
        }
    }

    /** @return whether all of it can be told apart */
    bool HasRoom() const
    {
        const auto series = m_data.series.size();
        const auto places = m_data.xs.size();
        return m_data.kind == PlotKind::HEAT  ? std::max(series, places) <= g_mostNames
               : GoesOverNumbers(m_data.kind) ? series <= g_mostSeries
               : m_data.kind == PlotKind::STACK
                   ? places <= g_mostNames
                   : std::max(series, places) <= g_mostNames && series <= g_mostSeries &&
                         series * places <= g_mostBars;
    }

    void Check() const
    {
        if (std::all_of(m_cells.begin(), m_cells.end(), [](const auto& cell) {
                return cell.second.runs.empty();
            }))
        {
            throw InputError(fmt::format("{}: nothing to draw: no row has {} and {}",
                                         m_table.path,
                                         m_data.xColumn.empty() ? "a result" : m_data.xColumn,
                                         m_data.column));
        }
        if (!HasRoom())
        {
            throw InputError(
                fmt::format("{}: --kind {} has no room for {} series at {} places that can be told "
                            "apart; --x or "
                            "--panels takes another key, or draw a sweep of fewer points",
                            m_table.path,
                            PlotKindName(m_data.kind),
                            m_data.series.size(),
                            m_data.xs.size()));
        }
    }

    const CsvTable& m_table;
    const Choice& m_choice;
    bool m_isStack;
    PlotData m_data;
    Texts m_places{""}; ///< values of the column of x
    Texts m_panels{""}; ///< and of that of panels
    std::map<Spot, Cell> m_cells;
    std::map<std::pair<Spot, std::string>, unsigned> m_lines; ///< of each seed
    std::map<Texts, std::size_t> m_seen;                      ///< by what sets them apart
};

} // namespace

std::vector<std::string>
PlotKindNames()
{
    std::vector<std::string> names;
    std::transform(g_kinds.begin(), g_kinds.end(), std::back_inserter(names), [](const auto& row) {
        return row.name;
    });
    return names;
}

std::string
PlotKindName(PlotKind kind)
{
    return RowOf(kind).name;
}

PlotKind
PlotKindOf(const std::string& name)
{
    const auto names = PlotKindNames();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
    {
        throw InputError("--kind: " + UnknownName(name, names));
    }
    return static_cast<PlotKind>(found - names.begin());
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
                                 nearest.empty() ? "`inca list --columns` names all"
                                                 : "did you mean '" + nearest + "'?"));
}

std::vector<std::size_t>
VariedColumns(const CsvTable& table, const PlotNames& names, const std::vector<std::size_t>& first)
{
    auto varied = first;
    for (const auto& name : names.settings)
    {
        const auto column = table.Find(name);
        if (column && !Has(varied, *column) && Applies(table, *column) &&
            !IsDecidedBy(table, *column, name == g_label ? Indices() : varied))
        {
            varied.push_back(*column);
        }
    }
    return varied;
}

PlotData
CollectPlot(const CsvTable& table, const PlotNames& names, const PlotRequest& request)
{
    const auto choice = Choose(table, names, request);
    return Collector(table, choice).Collect();
}

} // namespace inca
