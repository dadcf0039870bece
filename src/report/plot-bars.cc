/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-bars.h"

#include "record/sample.h"
#include "report/plot-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace inca
{

namespace
{

using Rows = std::vector<std::vector<double>>;

constexpr double g_crossHeight = 0.04; // of the axis' length
constexpr const char* g_cross =
    "with points pointtype 2 pointsize 0.8 linewidth 1.5 linecolor rgb '{}'";
constexpr const char* g_edge = "border linecolor rgb '#333333'";

/** Where bars stand: at each place one of every series. */
struct BarPlaces
{
    std::size_t series;

    double Width() const
    {
        constexpr double used = 0.8;
        return used / static_cast<double>(series);
    }

    double At(std::size_t place, std::size_t ofSeries) const
    {
        const auto fromCentre = static_cast<double>(ofSeries) - static_cast<double>(series - 1) / 2;
        return static_cast<double>(place) + fromCentre * Width();
    }
};

/** The place names below, with the unit that they have in common. */
void
SetPlaces(const PlotData& data, PlotPage& page)
{
    std::vector<double> numbers;
    for (const auto& x : data.xs)
    {
        numbers.push_back(NumberOf(x).value_or(0));
    }
    const auto unit = UnitFor(data.xColumn, numbers);
    std::vector<double> at;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < data.xs.size(); ++i)
    {
        at.push_back(static_cast<double>(i));
        names.push_back(data.xIsNumber ? ShortFigure(numbers[i] * unit.factor) : data.xs[i]);
    }
    if (data.xColumn != "label")
    {
        page.SetTitle("x", data.xIsNumber ? unit.title : UnitFor(data.xColumn, {}).title);
    }
    page.Set(fmt::format("xrange [-0.6:{}]", Figure(static_cast<double>(at.size()) - 0.4)));
    page.SetNames("x", at, names);
}

/** Settings of all axes of values. */
void
SetValues(const std::string& title, const AxisScale& scale, PlotPage& page)
{
    page.SetTitle("y", title);
    page.Set("grid ytics linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5");
    page.Set("xtics scale 0");
    page.SetScale("y", scale);
}

/** What is of one series' cells. */
using OfRuns = std::function<std::vector<double>(const std::vector<double>& runs)>;

/** Everything that pictures of bars and boxes have in common. */
class BarPicture
{
  public:
    BarPicture(const PlotData& data, PlotPage& page, OfRuns figures)
        : m_data(data),
          m_page(page),
          m_places{data.series.size()},
          m_figures(std::move(figures))
    {
        std::vector<double> all;
        for (const auto& series : data.series)
        {
            for (const auto& cell : series.cells)
            {
                const auto of = FiguresOf(cell);
                all.insert(all.end(), of.begin(), of.end());
            }
        }
        m_unit = UnitFor(data.columns.front(), all);
        for (auto& figure : all)
        {
            figure *= m_unit.factor;
        }
        m_all = all;
    }

    void SetAxes(const AxisScale& scale)
    {
        m_scale = scale;
        SetPlaces(m_data, m_page);
        SetValues(m_unit.title, scale, m_page);
    }

    const std::vector<double>& All() const
    {
        return m_all;
    }

    double Width() const
    {
        return m_places.Width();
    }

    std::string NameOf(std::size_t series) const
    {
        return m_data.series[series].name;
    }

    std::string ColourOf(std::size_t series) const
    {
        return SeriesColour(m_data.series[series].colour, m_data.series[series].shade);
    }

    /** The rows of a series: its place, then the figures. */
    Rows RowsOf(std::size_t series) const
    {
        Rows rows;
        for (const auto& cell : m_data.series[series].cells)
        {
            auto row = FiguresOf(cell);
            if (!row.empty())
            {
                std::for_each(row.begin(), row.end(), [this](double& f) { f *= m_unit.factor; });
                row.insert(row.begin(), m_places.At(cell.x, series));
                rows.push_back(row);
            }
        }
        return rows;
    }

    std::size_t AddBlock(std::size_t series, const std::string& figures, const Rows& rows)
    {
        return m_page.AddBlock(fmt::format("{}{}, of {}",
                                           NameOf(series).empty() ? "" : NameOf(series) + ": ",
                                           figures,
                                           m_unit.title),
                               rows);
    }

    void DrawNotDone()
    {
        bool isSome = false;
        for (std::size_t i = 0; i < m_data.series.size(); ++i)
        {
            Rows rows;
            for (const auto& cell : m_data.series[i].cells)
            {
                if (!cell.notDone.empty())
                {
                    rows.push_back({m_places.At(cell.x, i), m_scale.At(g_crossHeight)});
                }
            }
            if (!rows.empty())
            {
                isSome = true;
                const auto block = m_page.AddBlock(NameOf(i) + ": not done", rows);
                m_page.Draw(block, "using 1:2 " + fmt::format(g_cross, ColourOf(i)));
            }
        }
        if (isSome)
        {
            m_page.AddToLegend(fmt::format(g_cross, "black"), NotDoneNames(m_data));
        }
    }

  private:
    std::vector<double> FiguresOf(const PlotCell& cell) const
    {
        const auto& runs = cell.values.front();
        if (m_data.kind == PlotKind::BAR && runs.size() == 1 && !cell.range.empty())
        {
            return {runs.front(), cell.range.front(), cell.range.back()};
        }
        return runs.empty() ? std::vector<double>() : m_figures(runs);
    }

    const PlotData& m_data;
    PlotPage& m_page;
    BarPlaces m_places;
    OfRuns m_figures;
    AxisUnit m_unit;
    AxisScale m_scale;
    std::vector<double> m_all;
};

std::vector<double>
MeanAndEnds(const std::vector<double>& runs)
{
    const auto sample = SampleOf(runs);
    return {sample.mean, sample.mean - sample.margin, sample.mean + sample.margin};
}

/** Least, quartiles, most: straight between the runs in their order. */
std::vector<double>
FiveNumbers(std::vector<double> runs)
{
    std::sort(runs.begin(), runs.end());
    std::vector<double> numbers;
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
    {
        const auto at = share * static_cast<double>(runs.size() - 1);
        const auto below = static_cast<std::size_t>(at);
        const auto above = std::min(below + 1, runs.size() - 1);
        numbers.push_back(runs[below] + (at - std::floor(at)) * (runs[above] - runs[below]));
    }
    return numbers;
}

/** Colours of parts: neighbours differ in grey, too. Communication is dark. */
std::string
PartColour(std::size_t part)
{
    static const std::array<std::string, 7> colours{
        "#0072B2", "#56B4E9", "#F0E442", "#D55E00", "#E69F00", "#009E73", "#333333"};
    return colours.at(part % colours.size());
}

/** One bar of a picture of stacks. */
struct Stack
{
    double at;
    std::string name;
    const PlotCell* cell;
};

double
MeanOf(const std::vector<double>& runs)
{
    return runs.empty() ? 0 : SampleOf(runs).mean;
}

/** Works on one picture of stacks. */
class StackPicture
{
  public:
    StackPicture(const PlotData& data, PlotPage& page)
        : m_data(data),
          m_page(page)
    {
        for (std::size_t x = 0; x < data.xs.size(); ++x)
        {
            AddStacksAt(x);
        }
        for (const auto& stack : m_stacks)
        {
            m_sums.push_back(SumOf(*stack.cell, data.columns.size()));
        }
        m_unit = UnitFor(data.columns.front(), m_sums);
    }

    void Draw()
    {
        std::vector<double> tops{0};
        std::vector<double> at;
        std::vector<std::string> names;
        for (std::size_t i = 0; i < m_stacks.size(); ++i)
        {
            tops.push_back(m_sums[i] * m_unit.factor);
            at.push_back(m_stacks[i].at);
            names.push_back(m_stacks[i].name);
        }
        auto scale = BarScale(tops);
        if (!m_groups.empty())
        {
            const auto most = *std::max_element(tops.begin(), tops.end());
            scale.most = std::max(scale.most, 1.2 * most); // room for names
        }
        SetValues("time per iteration" + (m_unit.unit.empty() ? "" : " (" + m_unit.unit + ")"),
                  scale,
                  m_page);
        NameGroups();
        const auto margin = std::max(0.7, 2 - at.back() / 2); // a single bar is none of a wall
        m_page.Set(fmt::format("xrange [{}:{}]", Figure(-margin), Figure(at.back() + margin)));
        m_page.SetNames("x", at, names);
        for (std::size_t part = 0; part < m_data.columns.size(); ++part)
        {
            DrawPart(part);
        }
        DrawNotDone(scale);
    }

  private:
    /** A bar of each series; where there are several at several places, they are groups. */
    void AddStacksAt(std::size_t x)
    {
        const auto begin = m_next;
        const bool isOfSeries = m_data.xs.size() == 1 || IsGrouped();
        for (const auto& series : m_data.series)
        {
            const auto cell = std::find_if(
                series.cells.begin(), series.cells.end(), [x](const auto& c) { return c.x == x; });
            if (cell != series.cells.end())
            {
                m_stacks.push_back({m_next, isOfSeries ? series.name : PlaceName(x), &*cell});
                m_next += 1;
            }
        }
        if (IsGrouped())
        {
            m_groups.push_back({(begin + m_next - 1) / 2, PlaceName(x)});
        }
        m_next += 0.5; // between groups
    }

    bool IsGrouped() const
    {
        return m_data.xs.size() > 1 && m_data.series.size() > 1;
    }

    std::string PlaceName(std::size_t x) const
    {
        return ValueName(m_data.xColumn, m_data.xs[x]);
    }

    void NameGroups()
    {
        constexpr std::size_t characters = 44; // that there is room for
        for (const auto& [at, name] : m_groups)
        {
            m_page.Set(fmt::format("label {} at first {}, graph 0.95 center",
                                   Quoted(Shortened(name, characters / m_groups.size())),
                                   Figure(at)));
        }
    }

    static double SumOf(const PlotCell& cell, std::size_t parts)
    {
        double sum = 0;
        for (std::size_t i = 0; i < parts; ++i)
        {
            sum += MeanOf(cell.values[i]);
        }
        return sum;
    }

    /** A part that nobody has is left out of the legend, too. */
    void DrawPart(std::size_t part)
    {
        Rows rows;
        bool isSome = false;
        for (const auto& stack : m_stacks)
        {
            const auto from = SumOf(*stack.cell, part) * m_unit.factor;
            const auto to = SumOf(*stack.cell, part + 1) * m_unit.factor;
            isSome = isSome || to > from;
            rows.push_back({stack.at, to - from, from, to});
        }
        if (isSome)
        {
            auto name = UnitFor(m_data.columns[part], {}).title;
            name = name.substr(0, name.find(" ("));
            const auto block = m_page.AddBlock(name + ": place, time, from, to", rows);
            m_page.Draw(
                block,
                fmt::format("using 1:3:($1-0.4):($1+0.4):3:4 with boxxyerror fillstyle solid "
                            "1 {} linewidth 0.4 fillcolor rgb '{}'",
                            g_edge,
                            PartColour(part)),
                name);
        }
    }

    void DrawNotDone(const AxisScale& scale)
    {
        Rows rows;
        for (const auto& stack : m_stacks)
        {
            if (!stack.cell->notDone.empty())
            {
                rows.push_back({stack.at, scale.At(g_crossHeight)});
            }
        }
        if (!rows.empty())
        {
            const auto block = m_page.AddBlock("not done", rows);
            m_page.Draw(block, "using 1:2 " + fmt::format(g_cross, "black"), NotDoneNames(m_data));
        }
    }

    const PlotData& m_data;
    PlotPage& m_page;
    std::vector<Stack> m_stacks;
    std::vector<std::pair<double, std::string>> m_groups; ///< middles and names
    std::vector<double> m_sums;                           ///< of each stack, in the columns' unit
    double m_next{0};
    AxisUnit m_unit;
};

} // namespace

void
DrawBars(const PlotData& data, PlotPage& page)
{
    BarPicture picture(data, page, MeanAndEnds);
    picture.SetAxes(BarScale(picture.All()));
    std::vector<std::size_t> withIntervals;
    for (std::size_t i = 0; i < data.series.size(); ++i)
    {
        const auto rows = picture.RowsOf(i);
        const auto style =
            fmt::format("with boxes fillstyle solid 1 {} linewidth 0.4 fillcolor rgb '{}'",
                        g_edge,
                        picture.ColourOf(i));
        if (rows.empty())
        {
            page.AddToLegend(style, picture.NameOf(i));
            continue;
        }
        const auto block = picture.AddBlock(i, "place, mean, 95 % from, to", rows);
        page.Draw(block,
                  fmt::format("using 1:2:({}) {}", Figure(picture.Width()), style),
                  picture.NameOf(i));
        if (std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row[3] > row[2]; }))
        {
            withIntervals.push_back(block);
        }
    }
    for (const auto block : withIntervals)
    {
        page.Draw(block, IntervalStyle("#000000"));
    }
    picture.DrawNotDone();
}

void
DrawStacks(const PlotData& data, PlotPage& page)
{
    StackPicture(data, page).Draw();
}

void
DrawBoxes(const PlotData& data, PlotPage& page)
{
    BarPicture picture(data, page, FiveNumbers);
    picture.SetAxes(ValueScale(picture.All()));
    for (std::size_t i = 0; i < data.series.size(); ++i)
    {
        const auto rows = picture.RowsOf(i);
        const auto width = Figure(picture.Width());
        const auto style = fmt::format(
            "with candlesticks whiskerbars 0.5 fillstyle solid 0.45 border linecolor rgb '{0}' "
            "linecolor rgb '{0}' linewidth 1",
            picture.ColourOf(i));
        if (rows.empty())
        {
            page.AddToLegend(style, picture.NameOf(i));
            continue;
        }
        const auto block =
            picture.AddBlock(i, "place, least, quartile, median, quartile, most", rows);
        page.Draw(block, fmt::format("using 1:3:2:6:5:({}) {}", width, style), picture.NameOf(i));
        page.Draw(
            block,
            fmt::format("using 1:4:4:4:4:({}) with candlesticks linecolor rgb 'black' linewidth 1",
                        width));
    }
    picture.DrawNotDone();
}

} // namespace inca
