/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-heat.h"

#include "record/sample.h"
#include "report/plot-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace inca
{

namespace
{

using Rows = std::vector<std::vector<double>>;

/** Cividis: for all eyes, and its lightness grows evenly. */
constexpr const char* g_palette =
    "palette defined (0 '#00204D', 0.25 '#414D6B', 0.5 '#7C7B78', 0.75 '#BCAF6F', 1 '#FFEA46')";

constexpr double g_darkUpTo = 0.5;     // of the palette: white text is read on it
constexpr std::size_t g_mostTexts = 7; // columns that hold a figure of four digits

/** Ticks of one axis. @return the title of the axis */
std::string
SetTicks(const std::string& axis,
         const std::string& column,
         const std::vector<std::string>& texts,
         bool areNumbers,
         PlotPage& page)
{
    std::vector<double> numbers;
    for (const auto& text : texts)
    {
        if (const auto number = NumberOf(text))
        {
            numbers.push_back(*number);
        }
    }
    const bool haveUnit = areNumbers && numbers.size() == texts.size();
    const auto unit = UnitFor(column, numbers);
    std::vector<double> at;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < texts.size(); ++i)
    {
        at.push_back(static_cast<double>(i));
        names.push_back(haveUnit ? ShortFigure(numbers[i] * unit.factor) : texts[i]);
    }
    page.SetNames(axis, at, names);
    page.Set(
        fmt::format("{}range [-0.5:{}]", axis, Figure(static_cast<double>(texts.size()) - 0.5)));
    return column == "label" ? "" : unit.title;
}

/** Cells that hold a figure: column, row, mean in the column's unit. */
struct HeatCells
{
    Rows done;
    Rows notDone;
    std::vector<double> values;
};

/** @param order of series from below */
HeatCells
CellsOf(const PlotData& data, const std::vector<std::size_t>& order)
{
    HeatCells cells;
    for (std::size_t row = 0; row < order.size(); ++row)
    {
        for (const auto& cell : data.series[order[row]].cells)
        {
            const auto x = static_cast<double>(cell.x);
            const auto y = static_cast<double>(row);
            const auto& runs = cell.values.front();
            if (!runs.empty())
            {
                cells.values.push_back(SampleOf(runs).mean);
                cells.done.push_back({x, y, cells.values.back()});
            }
            if (!cell.notDone.empty())
            {
                cells.notDone.push_back({x, y});
            }
        }
    }
    return cells;
}

/** Series by their numbers, smallest below; names as they come, the first above. */
std::vector<std::size_t>
OrderOf(const PlotData& data)
{
    std::vector<std::size_t> order(data.series.size());
    std::iota(order.begin(), order.end(), 0);
    const auto text = [&data](std::size_t i) { return data.series[i].text; };
    if (!data.seriesAreNumbers)
    {
        std::reverse(order.begin(), order.end());
        return order;
    }
    std::sort(order.begin(), order.end(), [&](auto a, auto b) {
        return NumberOf(text(a)) < NumberOf(text(b));
    });
    return order;
}

/** The figures, white on dark cells and black on others. */
void
DrawFigures(const Rows& rows, const AxisScale& scale, PlotPage& page)
{
    for (const bool isDark : {true, false})
    {
        Rows some;
        std::copy_if(rows.begin(), rows.end(), std::back_inserter(some), [&](const auto& row) {
            return (scale.ShareOf(row[2]) < g_darkUpTo) == isDark;
        });
        if (!some.empty())
        {
            const auto block =
                page.AddBlock(isDark ? "figures on dark cells" : "figures on light cells", some);
            page.Draw(block,
                      fmt::format("using 1:2:(sprintf('%.3g', $3)) with labels textcolor rgb '{}'",
                                  isDark ? "white" : "black"));
        }
    }
}

/** Colours begin and end with the values. */
AxisScale
ColourScale(const std::vector<double>& values)
{
    auto scale = ValueScale(values);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (*least < *most)
    {
        scale.least = *least;
        scale.most = *most;
    }
    return scale;
}

} // namespace

void
DrawHeat(const PlotData& data, PlotPage& page)
{
    const auto order = OrderOf(data);
    std::vector<std::string> rowTexts;
    for (const auto i : order)
    {
        rowTexts.push_back(data.series[i].text);
    }
    auto cells = CellsOf(data, order);
    const auto unit = UnitFor(data.columns.front(), cells.values);
    std::for_each(cells.values.begin(), cells.values.end(), [&](double& v) { v *= unit.factor; });
    std::for_each(cells.done.begin(), cells.done.end(), [&](auto& row) { row[2] *= unit.factor; });
    const auto scale = ColourScale(cells.values);

    page.Set(g_palette);
    page.Set("border 0");
    page.Set("tics scale 0");
    page.SetTitle("x", SetTicks("x", data.xColumn, data.xs, data.xIsNumber, page));
    page.SetTitle("y", SetTicks("y", data.seriesColumn, rowTexts, data.seriesAreNumbers, page));
    page.SetScale("cb", scale);
    const bool hasFigures = data.xs.size() <= g_mostTexts;
    if (hasFigures)
    {
        page.Set("title " + Quoted(unit.title));
        page.Unset("colorbox"); // the figures say what colours mean
    }
    else
    {
        page.SetTitle("cb", unit.title);
    }
    const auto block = page.AddBlock(fmt::format("column, row, {}", unit.title), cells.done);
    page.Draw(block,
              "using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillstyle solid 1 "
              "border linecolor rgb 'white' fillcolor palette");
    if (hasFigures)
    {
        DrawFigures(cells.done, scale, page);
    }
    if (!cells.notDone.empty())
    {
        const auto crosses = page.AddBlock("not done", cells.notDone);
        page.Draw(
            crosses,
            "using 1:2 with points pointtype 2 pointsize 0.8 linewidth 1.5 linecolor rgb 'black'",
            NotDoneNames(data));
    }
}

} // namespace inca
