/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "record/sample.h"
#include "record/share-parts.h"

#include <fmt/format.h>

#include <algorithm>
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

/** Of iteration times, the columns of their range, where a calibrated preset gives one. */
constexpr const char* g_timeColumn = "iteration_time_s";
constexpr const char* g_lowColumn = "iteration_time_low_s";
constexpr const char* g_highColumn = "iteration_time_high_s";

constexpr std::size_t g_mostLines = 16;
constexpr std::size_t g_mostColours = 8;
constexpr std::size_t g_mostNames = 24; // upright, side by side, in 3.3 inches
constexpr std::size_t g_mostBars = 64;

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

/** @return whether a column holds numbers; labels are names, whatever they look like */
bool
IsNumeric(const CsvTable& table, std::size_t column)
{
    const auto texts = TextsOf(table, column);
    return table.columns[column] != g_label && texts != std::set<std::string>{""} &&
           std::all_of(texts.begin(), texts.end(), [](const std::string& text) {
               return text.empty() || NumberOf(text);
           });
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
ChooseX(const CsvTable& table,
        const PlotNames& names,
        Indices& asked,
        const std::optional<std::size_t>& panels)
{
    std::optional<std::size_t> x;
    std::size_t most = 0;
    for (const auto column : VariedColumns(table, names, asked))
    {
        const auto count = IsNumeric(table, column) ? TextsOf(table, column).size() : 0;
        if (!Has(asked, column) && column != panels && (!x || count > most))
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

/** All that varies beside what is @p taken; what was asked for comes first. */
Indices
ChooseSeries(const CsvTable& table,
             const PlotNames& names,
             const std::vector<std::optional<std::size_t>>& taken,
             Indices first)
{
    for (const auto& column : taken)
    {
        if (column && Has(names.settings, table.columns[*column]))
        {
            first.insert(first.begin(), *column);
        }
    }
    auto series = VariedColumns(table, names, first);
    for (const auto& column : taken)
    {
        series.erase(std::remove(series.begin(), series.end(), column), series.end());
    }
    return series;
}

Indices
ChooseY(const CsvTable& table, const PlotNames& names, const std::string& asked, PlotKind kind)
{
    if (kind != PlotKind::STACK)
    {
        const auto* const usual = kind == PlotKind::CURVE    ? "accuracy"
                                  : kind == PlotKind::PARETO ? "sum_vnmse"
                                                             : g_timeColumn;
        return {ColumnOf(table, names, asked.empty() ? usual : asked, "--y")};
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
    for (const auto column : choice.y)
    {
        if (!IsNumeric(table, column))
        {
            throw InputError(fmt::format("--y: {}: nothing to draw: column {} holds no numbers",
                                         table.path,
                                         table.columns[column]));
        }
    }
    if (GoesOverNumbers(choice.kind) && !IsNumeric(table, *choice.x))
    {
        throw InputError(fmt::format("--kind {}: column {} holds names, and lines go over "
                                     "numbers; --kind bar goes over names",
                                     PlotKindName(choice.kind),
                                     table.columns[*choice.x]));
    }
    if (choice.kind == PlotKind::HEAT && choice.panels)
    {
        throw InputError("--panels: --kind heat draws one panel");
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

Choice
Choose(const CsvTable& table, const PlotNames& names, const PlotRequest& request)
{
    const auto status = table.Find("status");
    if (status && TextsOf(table, *status).count("done") == 0)
    {
        throw InputError(table.path + ": nothing to draw: no row is done; its column warnings "
                                      "says why");
    }
    Choice choice;
    auto asked = SeriesAsked(table, names, request.series);
    if (!request.panels.empty())
    {
        choice.panels = ColumnOf(table, names, request.panels, "--panels");
    }
    const auto trainingTime = table.Find("training_time_s");
    const bool isOfTrainings =
        trainingTime && request.kind.value_or(PlotKind::CURVE) == PlotKind::CURVE;
    choice.x = !request.x.empty() ? std::optional(ColumnOf(table, names, request.x, "--x"))
               : isOfTrainings    ? trainingTime
               : request.kind == PlotKind::PARETO
                   ? std::optional(ColumnOf(table, names, g_timeColumn, "--x"))
                   : ChooseX(table, names, asked, choice.panels);
    choice.kind = request.kind                  ? *request.kind
                  : isOfTrainings               ? PlotKind::CURVE
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
    choice.series = ChooseSeries(table, names, {choice.x, choice.panels}, asked);
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
    std::optional<double> low;               ///< the range of the last run by its preset
    std::optional<double> high;
};

PlotPoint
PointOf(const Cell& cell, PlotKind kind)
{
    const auto& runs = cell.values.front();
    if (runs.empty())
    {
        return {};
    }
    const auto sample = SampleOf(runs);
    if (runs.size() == 1 && cell.low && cell.high)
    {
        return {sample.mean, *cell.low, *cell.high};
    }
    if (kind == PlotKind::CURVE)
    {
        const auto [least, most] = std::minmax_element(runs.begin(), runs.end());
        return {sample.mean, *least, *most};
    }
    return {sample.mean, sample.mean - sample.margin, sample.mean + sample.margin};
}

/** Puts the rows of a table into the points of series. */
class Collector
{
  public:
    Collector(const CsvTable& table, const Choice& choice)
        : m_table(table),
          m_choice(choice)
    {
        m_data.kind = choice.kind;
        m_data.xs = {""};
        m_data.column = table.columns[choice.y.front()];
        for (const auto column : choice.series)
        {
            m_data.seriesColumns.push_back(table.columns[column]);
            m_data.seriesAreNumbers = IsNumeric(table, column);
        }
        if (choice.x)
        {
            m_data.xColumn = table.columns[*choice.x];
            m_data.xIsNumber = IsNumeric(table, *choice.x);
            m_data.xs = PlacesOf(table, *choice.x, m_data.xIsNumber);
        }
        if (choice.panels)
        {
            m_panels = PlacesOf(table, *choice.panels, IsNumeric(table, *choice.panels));
            m_data.panels.clear();
            for (const auto& text : m_panels)
            {
                m_data.panels.push_back(ValueName(table.columns[*choice.panels], text));
            }
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
            const auto panel = PanelOf(row);
            if (place != places.end() &&
                panel < m_data.panels.size()) // else they do not apply to it
            {
                Add(row, m_data.IndexOf(panel, place->second), SeriesOf(row));
            }
        }
        Check();
        for (const auto& [at, cell] : m_cells)
        {
            m_data.series[at.second].points[at.first] = PointOf(cell, m_data.kind);
        }
        return m_data.kind == PlotKind::STACK ? Stacked() : std::move(m_data);
    }

  private:
    std::size_t PanelOf(const CsvTableRow& row) const
    {
        const auto text = m_choice.panels ? row.fields[*m_choice.panels] : "";
        const auto found = std::find(m_panels.begin(), m_panels.end(), text);
        return m_choice.panels ? static_cast<std::size_t>(found - m_panels.begin()) : 0;
    }

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
            ++m_data.notDone[status];
            return;
        }
        if (m_data.column == g_timeColumn)
        {
            cell.low = NumberOf(FieldOf(m_table, row, g_lowColumn));
            cell.high = NumberOf(FieldOf(m_table, row, g_highColumn));
        }
        for (std::size_t i = 0; i < m_choice.y.size(); ++i)
        {
            if (const auto value = NumberOf(row.fields[m_choice.y[i]]))
            {
                cell.values[i].push_back(*value);
                m_hasValues = m_hasValues || i == 0;
            }
        }
    }

    std::size_t SeriesOf(const CsvTableRow& row)
    {
        Texts key;
        Texts names;
        for (const auto column : m_choice.series)
        {
            const auto& name = m_table.columns[column];
            key.push_back(row.fields[column]);
            names.push_back(ValueName(name, key.back()));
        }
        const auto [found, isNew] = m_series.emplace(key, m_data.series.size());
        if (isNew)
        {
            m_data.series.push_back({Joined(names), key.empty() ? "" : key.front(), {}});
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
        const bool isLine = GoesOverNumbers(m_data.kind);
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
        stacks.panels = m_data.panels;
        stacks.notDone = m_data.notDone;
        std::map<std::pair<std::size_t, std::size_t>, std::size_t> places; // by x and series
        for (const auto& [at, cell] : m_cells)
        {
            places.emplace(std::pair(at.first % m_data.xs.size(), at.second), 0);
        }
        for (auto& [at, place] : places)
        {
            place = stacks.xs.size();
            stacks.xs.push_back(Joined(
                {ValueName(m_data.xColumn, m_data.xs[at.first]), m_data.series[at.second].name}));
        }
        for (std::size_t part = 0; part < m_choice.y.size(); ++part)
        {
            const auto column = m_table.columns[m_choice.y[part]];
            stacks.series.push_back({column.substr(0, column.rfind('_')), "", {}});
        }
        for (const auto& [at, cell] : m_cells)
        {
            const auto x = m_data.xs.size();
            const auto index = stacks.IndexOf(at.first / x, places.at({at.first % x, at.second}));
            double top = 0;
            for (std::size_t part = 0; part < cell.values.size(); ++part)
            {
                const auto& runs = cell.values[part];
                const auto time = runs.empty() ? 0 : SampleOf(runs).mean;
                stacks.series[part].points[index] = {time, top, top + time};
                top += time;
            }
        }
        return stacks;
    }

    const CsvTable& m_table;
    const Choice& m_choice;
    PlotData m_data;
    std::map<std::pair<std::size_t, std::size_t>, Cell>
        m_cells; ///< by PlotData::IndexOf and series
    std::map<std::tuple<std::size_t, std::size_t, std::string>, unsigned> m_lines; ///< of each seed
    std::map<Texts, std::size_t> m_series; ///< by what sets them apart
    Texts m_panels;                        ///< values of the column of panels
    bool m_hasValues{false};
};

} // namespace

const std::vector<std::string>&
PlotKindNames()
{
    static const std::vector<std::string> names{"line", "bar", "stack", "heat", "curve", "pareto"};
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

PlotData
CollectPlot(const CsvTable& table, const PlotNames& names, const PlotRequest& request)
{
    const auto choice = Choose(table, names, request);
    return Collector(table, choice).Collect();
}

} // namespace inca
