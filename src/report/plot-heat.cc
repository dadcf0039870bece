/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-heat.h"

#include "record/sample.h"

#include <fmt/format.h>

#include <algorithm>

namespace inca
{

namespace
{

/** Cividis: for all eyes, and its lightness grows evenly. */
constexpr const char* g_palette =
    "palette defined (0 '#00204D', 0.25 '#414D6B', 0.5 '#7C7B78', 0.75 '#BCAF6F', 1 '#FFEA46')";

/** Sets an axis of one key: its title, and the values by which it was varied. */
void
SetKey(const std::string& axis,
       const std::string& column,
       std::vector<std::string> texts,
       PlotPage& page)
{
    std::vector<double> numbers;
    for (const auto& text : texts)
    {
        numbers.push_back(NumberOf(text).value_or(0));
    }
    const auto unit = UnitFor(column, numbers);
    for (std::size_t i = 0; i < texts.size(); ++i)
    {
        texts[i] = NumberOf(texts[i]) ? ShortFigure(numbers[i] * unit.factor) : texts[i];
    }
    page.SetTitle(axis, column == "label" ? "" : unit.title);
    page.SetNames(axis, texts);
}

} // namespace

void
DrawHeat(const PlotData& data, PlotPage& page)
{
    auto series = data.series; // from below: numbers as they grow, names as they come from above
    std::reverse(series.begin(), series.end());
    if (data.seriesAreNumbers)
    {
        std::sort(series.begin(), series.end(), [](const PlotSeries& a, const PlotSeries& b) {
            return NumberOf(a.text) < NumberOf(b.text);
        });
    }
    std::vector<std::string> names;
    std::vector<double> values;
    PlotRows done; // column, row, mean
    PlotRows notDone;
    for (const auto& one : series)
    {
        const auto row = static_cast<double>(names.size());
        names.push_back(one.text);
        for (const auto& [place, cell] : one.cells)
        {
            const auto& runs = cell.values.front();
            if (!runs.empty())
            {
                values.push_back(SampleOf(runs).mean);
                done.push_back({static_cast<double>(place), row, values.back()});
            }
            if (!cell.notDone.empty())
            {
                notDone.push_back({static_cast<double>(place), row});
            }
        }
    }
    const auto unit = UnitFor(data.columns.front(), values);
    std::for_each(done.begin(), done.end(), [&](auto& row) { row[2] *= unit.factor; });
    page.Set(g_palette);
    page.Set("border 0");
    page.Set("tics scale 0");
    SetKey("x", data.xColumn, data.xs, page);
    SetKey("y", data.seriesColumn, names, page);
    page.SetTitle("cb", unit.title);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (*least > 0 && *most >= 10 * *least)
    {
        page.Set("logscale cb");
    }
    page.Draw(fmt::format("column, row, {}", unit.title),
              done,
              "1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3",
              "with boxxyerror fillstyle solid 1 border linecolor rgb 'white' fillcolor palette");
    if (!notDone.empty())
    {
        page.Draw(
            "not done", notDone, "1:2", std::string(NOT_DONE_MARK) + "'black'", NotDoneNames(data));
    }
}

} // namespace inca
