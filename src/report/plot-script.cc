/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-script.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "record/sample.h"
#include "report/plot-heat.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace inca
{

namespace
{

constexpr double g_gap = std::numeric_limits<double>::quiet_NaN();

/** How bars look, but for their colour. */
constexpr const char* g_bar = "border linecolor rgb '#333333' linewidth 0.4 fillcolor rgb ";

/** The colours of series, by Okabe and Ito: for all eyes; neighbours differ in grey, too. */
constexpr std::array<const char*, 8> g_colours{"'#0072B2'",
                                               "'#E69F00'",
                                               "'#595959'",
                                               "'#56B4E9'",
                                               "'#D55E00'",
                                               "'#CC79A7'",
                                               "'#009E73'",
                                               "'#999999'"};

/** Colours of parts: neighbours differ in grey, too. Communication is dark. */
constexpr std::array<const char*, 7> g_partColours{
    "'#0072B2'", "'#56B4E9'", "'#F0E442'", "'#D55E00'", "'#E69F00'", "'#009E73'", "'#333333'"};

std::string
ColourOf(const PlotSeries& series)
{
    return g_colours.at(series.colour % g_colours.size());
}

std::string
LineStyle(const PlotSeries& series)
{
    constexpr std::array<int, 8> marks{7, 5, 9, 13, 11, 6, 4, 8}; // gnuplot's: full ones first
    constexpr std::size_t dashes = 4;
    const auto i = series.colour;
    return fmt::format("with linespoints linecolor rgb {} pointtype {} pointsize 0.6 linewidth 1.3 "
                       "dashtype {}",
                       ColourOf(series),
                       marks.at((i + i / marks.size()) % marks.size()),
                       i % dashes + 1);
}

/** Each shade is lighter than the one before. */
std::string
BarStyle(const PlotSeries& series)
{
    constexpr double left = 0.4; // of a colour, in the next shade of it
    return fmt::format("with boxes fillstyle solid {:.2g} {}{}",
                       std::pow(left, static_cast<double>(series.shade)),
                       g_bar,
                       ColourOf(series));
}

/** The interval of a row's third and fourth figures; gnuplot's own error bars leave a hole in the middle. */
std::string
IntervalStyle(const std::string& colour)
{
    return "with vectors heads size graph 0.01,90 fixed linewidth 1 linecolor rgb " + colour;
}

/** @return the mean of a cell's runs and the ends of its 95 % interval, or of what was published; or none */
std::vector<double>
MeanAndEnds(const PlotCell& cell)
{
    const auto& runs = cell.values.front();
    if (runs.empty())
    {
        return {};
    }
    const auto sample = SampleOf(runs);
    return runs.size() == 1 && !cell.range.empty()
               ? std::vector{runs.front(), cell.range.front(), cell.range.back()}
               : std::vector{sample.mean, sample.mean - sample.margin, sample.mean + sample.margin};
}

std::vector<double>
Scaled(std::vector<double> figures, double factor)
{
    std::for_each(figures.begin(), figures.end(), [factor](double& figure) { figure *= factor; });
    return figures;
}

/** Names bars' places, which begin at 0. @param numbers of the places, in the axis' unit; empty: they are names */
void
SetPlaces(const PlotData& data,
          const AxisUnit& unit,
          const std::vector<double>& numbers,
          PlotPage& page)
{
    std::vector<std::string> names = data.xs;
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        names[i] = ShortFigure(numbers[i]);
    }
    page.SetTitle("x", data.xColumn == "label" ? "" : unit.title);
    page.Set("xtics scale 0");
    page.SetNames("x", names);
}

void
SetValues(const std::string& title, const AxisScale& scale, PlotPage& page)
{
    page.SetTitle("y", title);
    page.Set("grid ytics linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5");
    page.SetScale("y", scale);
}

/** Draws lines, or bars side by side, in the units of their axes. */
class SeriesPicture
{
  public:
    SeriesPicture(const PlotData& data, PlotPage& page)
        : m_data(data),
          m_page(page),
          m_isLine(data.kind == PlotKind::LINE)
    {
        std::vector<double> values;
        for (const auto& series : data.series)
        {
            for (const auto& [place, cell] : series.cells)
            {
                const auto figures = MeanAndEnds(cell);
                values.insert(values.end(), figures.begin(), figures.end());
            }
        }
        std::vector<double> xs;
        for (std::size_t i = 0; data.xIsNumber && i < data.xs.size(); ++i)
        {
            xs.push_back(*NumberOf(data.xs[i]));
        }
        m_x = UnitFor(data.xColumn, xs);
        m_y = UnitFor(data.columns.front(), values);
        m_xs = Scaled(xs, m_x.factor);
        m_yScale = ValueScale(Scaled(values, m_y.factor), !m_isLine);
    }

    void Draw()
    {
        if (m_isLine)
        {
            m_xScale = PlaceScale(m_xs);
            m_page.SetTitle("x", m_x.title);
            m_page.SetScale("x", m_xScale);
        }
        else
        {
            SetPlaces(m_data, m_x, m_xs, m_page);
        }
        SetValues(m_y.title, m_yScale, m_page);
        for (std::size_t i = 0; i < m_data.series.size(); ++i)
        {
            DrawSeries(i);
        }
        DrawNotDone();
    }

    /** @param names "A,B"; either may hold commas itself */
    void MarkCrossings(const std::string& names)
    {
        for (std::size_t a = 0; a < m_data.series.size(); ++a)
        {
            for (std::size_t b = 0; b < m_data.series.size(); ++b)
            {
                if (a != b && m_data.series[a].name + "," + m_data.series[b].name == names)
                {
                    MarkCrossings(a, b);
                    return;
                }
            }
        }
        std::vector<std::string> known;
        for (const auto& series : m_data.series)
        {
            known.push_back(series.name);
        }
        const auto comma = names.find(',');
        const bool isFirstKnown =
            std::find(known.begin(), known.end(), names.substr(0, comma)) != known.end();
        throw InputError(
            "--crossover: must be the names of two series, A,B; " +
            (comma == std::string::npos
                 ? "got '" + names + "'"
                 : UnknownName(isFirstKnown ? names.substr(comma + 1) : names.substr(0, comma),
                               known)));
    }

  private:
    double PlaceOf(std::size_t place, std::size_t series) const
    {
        const auto fromCentre =
            static_cast<double>(series) - static_cast<double>(m_data.series.size() - 1) / 2;
        return m_isLine ? m_xs[place] : static_cast<double>(place) + fromCentre * BarWidth();
    }

    double BarWidth() const
    {
        constexpr double used = 0.8; // of a place
        return used / static_cast<double>(m_data.series.size());
    }

    /** Place, mean and the interval's ends; a line has a gap where there is no result. */
    PlotRows RowsOf(std::size_t series) const
    {
        PlotRows rows;
        for (const auto& [place, cell] : m_data.series[series].cells)
        {
            auto row = Scaled(MeanAndEnds(cell), m_y.factor);
            if (m_isLine && !cell.notDone.empty())
            {
                row = {g_gap, g_gap, g_gap};
            }
            if (!row.empty())
            {
                row.insert(row.begin(), PlaceOf(place, series));
                rows.push_back(row);
            }
        }
        return rows;
    }

    void DrawSeries(std::size_t i)
    {
        const auto& series = m_data.series[i];
        const auto rows = RowsOf(i);
        const bool hasIntervals =
            std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row[3] > row[2]; });
        m_page.Draw((series.name.empty() ? "" : series.name + ": ") +
                        (m_isLine ? m_x.title : "place") + ", " + m_y.title + ", 95 % from, to",
                    rows,
                    m_isLine ? "1:2" : fmt::format("1:2:({})", Figure(BarWidth())),
                    m_isLine ? LineStyle(series) : BarStyle(series),
                    series.name);
        if (hasIntervals)
        {
            m_page.DrawAgain("1:3:(0):($4-$3)",
                             IntervalStyle(m_isLine ? ColourOf(series) : "'black'"));
        }
    }

    /** Draws crosses at the axis, those of each line a bit higher than those of the one before. */
    void DrawNotDone()
    {
        constexpr double step = 0.045; // of the axis' length
        double height = 0;
        for (std::size_t i = 0; i < m_data.series.size(); ++i)
        {
            PlotRows rows;
            for (const auto& [place, cell] : m_data.series[i].cells)
            {
                if (!cell.notDone.empty())
                {
                    rows.push_back(
                        {PlaceOf(place, i), m_yScale.At(m_isLine ? height + step : step)});
                }
            }
            if (!rows.empty())
            {
                height += step;
                m_page.Draw(m_data.series[i].name + ": not done",
                            rows,
                            "1:2",
                            NOT_DONE_MARK + ColourOf(m_data.series[i]));
            }
        }
        if (height > 0)
        {
            m_page.Draw("", {}, "", std::string(NOT_DONE_MARK) + "'black'", NotDoneNames(m_data));
        }
    }

    /** Lines are straight between two points, as they are drawn; only what both have an x of counts. */
    void MarkCrossings(std::size_t a, std::size_t b)
    {
        std::vector<std::array<double, 3>> pairs; // x, a and b in shares of the axes
        for (const auto& [place, cell] : m_data.series[a].cells)
        {
            const auto other = m_data.series[b].cells.find(place);
            const auto one = Scaled(MeanAndEnds(cell), m_y.factor);
            if (other != m_data.series[b].cells.end() && !one.empty() &&
                !MeanAndEnds(other->second).empty())
            {
                const auto two = Scaled(MeanAndEnds(other->second), m_y.factor);
                pairs.push_back({m_xScale.ShareOf(m_xs[place]),
                                 m_yScale.ShareOf(one.front()),
                                 m_yScale.ShareOf(two.front())});
            }
        }
        bool crosses = false;
        const std::array<double, 3>* last = nullptr; // at which they differ
        for (std::size_t i = 0; i < pairs.size(); ++i)
        {
            const auto difference = pairs[i][1] - pairs[i][2];
            if (last != nullptr && ((*last)[1] - (*last)[2]) * difference < 0)
            {
                const auto& next = *(last + 1);
                const auto before = (*last)[1] - (*last)[2];
                const auto share = before / (before - (next[1] - next[2]));
                MarkCrossing((*last)[0] + share * (next[0] - (*last)[0]),
                             (*last)[1] + share * (next[1] - (*last)[1]));
                crosses = true;
            }
            last = difference != 0 ? &pairs[i] : last;
        }
        if (!crosses)
        {
            m_page.Note(fmt::format("{} and {} do not cross in this picture",
                                    m_data.series[a].name,
                                    m_data.series[b].name));
        }
    }

    /** Draws a circle with its value: of the first above it, of the next below, which seldom meet. */
    void MarkCrossing(double x, double y)
    {
        const bool isBelow = y > 0.85 || (y > 0.1 && m_crossings % 2 == 1);
        const bool isLeft = x > (isBelow ? 0.3 : 0.7);
        const auto at = m_xScale.At(x);
        const auto text = fmt::format("{:.3g}{}{}", at, m_x.unit.empty() ? "" : " ", m_x.unit);
        m_page.Set(fmt::format("label {} at {},{} {} offset {},{} front point pointtype 6 "
                               "pointsize 1.2 linewidth 1.5",
                               Quoted(text),
                               Figure(at),
                               Figure(m_yScale.At(y)),
                               isLeft ? "right" : "left",
                               isLeft ? -0.4 : 0.4,
                               isBelow ? -1 : 1));
        ++m_crossings;
    }

    const PlotData& m_data;
    PlotPage& m_page;
    bool m_isLine;
    AxisUnit m_x;
    AxisUnit m_y;
    std::vector<double> m_xs; ///< places that are numbers
    AxisScale m_xScale;       ///< of lines
    AxisScale m_yScale;
    std::size_t m_crossings{0}; ///< that are marked
};

/** Draws a bar for every point, of its parts one on the other. */
void
DrawStacks(const PlotData& data, PlotPage& page)
{
    std::vector<std::string> names;
    std::vector<std::vector<double>> tops{{}}; // of each part, of each bar
    PlotRows notDone;
    for (std::size_t x = 0; x < data.xs.size(); ++x)
    {
        for (const auto& series : data.series)
        {
            const auto cell = series.cells.find(x);
            if (cell == series.cells.end())
            {
                continue;
            }
            if (!cell->second.notDone.empty())
            {
                notDone.push_back({static_cast<double>(names.size()), 0});
            }
            const auto place = ValueName(data.xColumn, data.xs[x]);
            names.push_back(place + (place.empty() || series.name.empty() ? "" : ", ") +
                            series.name);
            tops.resize(data.columns.size() + 1);
            tops.front().push_back(0);
            for (std::size_t part = 0; part < data.columns.size(); ++part)
            {
                const auto& runs = cell->second.values[part];
                tops[part + 1].push_back(tops[part].back() +
                                         (runs.empty() ? 0 : SampleOf(runs).mean));
            }
        }
    }
    const auto unit = UnitFor(data.columns.front(), tops.back());
    for (auto& top : tops)
    {
        top = Scaled(top, unit.factor);
    }
    auto ends = tops.back();
    ends.push_back(0);
    const auto scale = ValueScale(ends, true);
    SetValues(
        "time per iteration" + (unit.unit.empty() ? "" : " (" + unit.unit + ")"), scale, page);
    page.Set("xtics scale 0");
    page.SetNames("x", names);
    for (std::size_t part = 0; part < data.columns.size(); ++part)
    {
        PlotRows rows;
        for (std::size_t i = 0; i < names.size(); ++i)
        {
            const auto from = tops[part][i];
            const auto to = tops[part + 1][i];
            rows.push_back({static_cast<double>(i), to - from, from, to});
        }
        if (tops[part] != tops[part + 1]) // a part that no bar has is left out
        {
            const auto title = UnitFor(data.columns[part], {}).title;
            const auto name = title.substr(0, title.find(" ("));
            page.Draw(name + ": place, time, from, to",
                      rows,
                      "1:3:($1-0.4):($1+0.4):3:4",
                      std::string("with boxxyerror fillstyle solid 1 ") + g_bar +
                          g_partColours.at(part % g_partColours.size()),
                      name);
        }
    }
    if (!notDone.empty())
    {
        std::for_each(notDone.begin(), notDone.end(), [&](auto& row) { row[1] = scale.At(0.045); });
        page.Draw(
            "not done", notDone, "1:2", std::string(NOT_DONE_MARK) + "'black'", NotDoneNames(data));
    }
}

} // namespace

PlotFiles
ScriptOf(const PlotData& data, PictureForm form, const std::vector<std::string>& crossovers)
{
    if (!crossovers.empty() && data.kind != PlotKind::LINE)
    {
        throw InputError("--crossover: lines cross; this is --kind " + PlotKindName(data.kind));
    }
    PlotPage page;
    switch (data.kind)
    {
    case PlotKind::LINE:
    case PlotKind::BAR:
    {
        SeriesPicture picture(data, page);
        picture.Draw();
        for (const auto& crossover : crossovers)
        {
            picture.MarkCrossings(crossover);
        }
        break;
    }
    case PlotKind::STACK:
        DrawStacks(data, page);
        break;
    case PlotKind::HEAT:
        DrawHeat(data, page);
        break;
    }
    return page.Files(form);
}

} // namespace inca
