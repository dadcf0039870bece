/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-script.h"

#include "base/errors.h"
#include "base/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace inca
{

namespace
{

constexpr double g_notDoneStep = 0.045; // of the axis' length

/** How a mark is drawn of a point that has no result, but for its colour. */
constexpr const char* g_notDone =
    "with points pointtype 2 pointsize 0.8 linewidth 1.5 linecolor rgb ";

/** How bars look, but for their colour. */
constexpr const char* g_bar = "border linecolor rgb '#333333' linewidth 0.4 fillcolor rgb ";

/** Cividis: for all eyes, and its lightness grows evenly. */
constexpr const char* g_palette =
    "palette defined (0 '#00204D', 0.25 '#414D6B', 0.5 '#7C7B78', 0.75 '#BCAF6F', 1 '#FFEA46')";

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

/** What is said of points that have no result: "refused", "failed, refused". */
std::string
NotDoneNames(const PlotData& data)
{
    std::set<std::string> names;
    for (const auto& series : data.series)
    {
        for (const auto& [place, point] : series.points)
        {
            names.insert(point.notDone);
        }
    }
    names.erase("");
    return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<double>
Scaled(std::vector<double> figures, double factor)
{
    std::for_each(figures.begin(), figures.end(), [factor](double& figure) { figure *= factor; });
    return figures;
}

/** The numbers of an axis' places, and their unit; none, if they are names. */
struct PlaceNumbers
{
    AxisUnit unit;
    std::vector<double> values;
};

PlaceNumbers
NumbersOf(const std::string& column, bool areNumbers, const std::vector<std::string>& texts)
{
    std::vector<double> values;
    for (std::size_t i = 0; areNumbers && i < texts.size(); ++i)
    {
        values.push_back(NumberOf(texts[i]).value_or(0));
    }
    const auto unit = UnitFor(column, values);
    return {unit, Scaled(values, unit.factor)};
}

/** Sets an axis whose places are at 0, 1, ..., and have names. */
void
SetPlaces(const std::string& axis,
          const std::string& column,
          const PlaceNumbers& numbers,
          std::vector<std::string> names,
          PlotPage& page)
{
    for (std::size_t i = 0; i < numbers.values.size(); ++i)
    {
        names[i] = ShortFigure(numbers.values[i]);
    }
    page.SetTitle(axis, column == "label" ? "" : numbers.unit.title);
    page.Set(axis + "tics scale 0");
    page.SetNames(axis, std::move(names));
}

/** Draws lines, bars side by side, or stacks of parts, in the units of their axes. */
class SeriesPicture
{
  public:
    SeriesPicture(const PlotData& data, PlotPage& page)
        : m_data(data),
          m_page(page),
          m_isLine(data.kind == PlotKind::LINE),
          m_isStack(data.kind == PlotKind::STACK),
          m_x(NumbersOf(data.xColumn, data.xIsNumber, data.xs))
    {
        std::vector<double> values;
        for (const auto& series : data.series)
        {
            for (const auto& [place, point] : series.points)
            {
                if (point.mean)
                {
                    values.insert(values.end(), {point.from, point.to});
                }
            }
        }
        m_y = UnitFor(data.column, values);
        m_yScale = ValueScale(Scaled(values, m_y.factor), !m_isLine);
    }

    void Draw()
    {
        if (m_isLine)
        {
            m_xScale = PlaceScale(m_x.values);
            m_page.SetTitle("x", m_x.unit.title);
            m_page.SetScale("x", m_xScale);
        }
        else
        {
            SetPlaces("x", m_data.xColumn, m_x, m_data.xs, m_page);
        }
        m_page.SetTitle("y", m_y.title);
        m_page.Set("grid ytics linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5");
        m_page.SetScale("y", m_yScale);
        for (std::size_t i = 0; i < m_data.series.size(); ++i)
        {
            DrawSeries(i);
        }
        DrawNotDone();
    }

    /**
     * Marks where two series cross. Lines are straight between two points, as they are drawn; only what both have an x
     * of counts.
     * @return whether they do
     */
    bool MarkCrossings(const PlotSeries& a, const PlotSeries& b)
    {
        bool crosses = false;
        std::array<double, 3> last{}; // at which they differ: x, a and a - b in shares of the axes
        std::array<double, 3> next{}; // after it
        for (const auto& [place, point] : a.points)
        {
            const auto other = b.points.find(place);
            if (!point.mean || other == b.points.end() || !other->second.mean)
            {
                continue;
            }
            const auto y = m_yScale.ShareOf(*point.mean * m_y.factor);
            const std::array<double, 3> here{
                m_xScale.ShareOf(m_x.values[place]),
                y,
                y - m_yScale.ShareOf(*other->second.mean * m_y.factor)};
            next = last == next ? here : next;
            if (last[2] * here[2] < 0)
            {
                const auto share = last[2] / (last[2] - next[2]);
                MarkCrossing(last[0] + share * (next[0] - last[0]),
                             last[1] + share * (next[1] - last[1]));
                crosses = true;
            }
            if (here[2] != 0)
            {
                last = here;
                next = here;
            }
        }
        return crosses;
    }

  private:
    std::string ColourOf(const PlotSeries& series) const
    {
        return m_isStack ? g_partColours.at(series.colour % g_partColours.size())
                         : g_colours.at(series.colour % g_colours.size());
    }

    /** Every line has marks and dashes of its own; each shade of a bar is lighter than the one before. */
    std::string StyleOf(const PlotSeries& series) const
    {
        constexpr std::array<int, 8> marks{7, 5, 9, 13, 11, 6, 4, 8}; // gnuplot's: full ones first
        constexpr std::size_t dashes = 4;
        constexpr double left = 0.4; // of a colour, in the next shade of it
        const auto i = series.colour;
        return m_isLine ? fmt::format("with linespoints linecolor rgb {} pointtype {} pointsize "
                                      "0.6 linewidth 1.3 dashtype {}",
                                      ColourOf(series),
                                      marks.at((i + i / marks.size()) % marks.size()),
                                      i % dashes + 1)
                        : fmt::format("with {} fillstyle solid {:.2g} {}{}",
                                      m_isStack ? "boxxyerror" : "boxes",
                                      std::pow(left, static_cast<double>(series.shade)),
                                      g_bar,
                                      ColourOf(series));
    }

    double PlaceOf(std::size_t place, std::size_t series) const
    {
        const auto fromCentre =
            static_cast<double>(series) - static_cast<double>(m_data.series.size() - 1) / 2;
        return m_isLine    ? m_x.values[place]
               : m_isStack ? static_cast<double>(place)
                           : static_cast<double>(place) + fromCentre * BarWidth();
    }

    double BarWidth() const
    {
        constexpr double used = 0.8; // of a place
        return used / static_cast<double>(m_data.series.size());
    }

    /** Place, mean, and from where to where; a line has a gap where there is no result. */
    PlotRows RowsOf(std::size_t series) const
    {
        constexpr double gap = std::numeric_limits<double>::quiet_NaN();
        PlotRows rows;
        for (const auto& [place, point] : m_data.series[series].points)
        {
            const auto at = PlaceOf(place, series);
            if (m_isLine && !point.notDone.empty())
            {
                rows.push_back({at, gap, gap, gap});
            }
            else if (point.mean)
            {
                const auto y = Scaled({*point.mean, point.from, point.to}, m_y.factor);
                rows.push_back({at, y[0], y[1], y[2]});
            }
        }
        return rows;
    }

    void DrawSeries(std::size_t i)
    {
        const auto& series = m_data.series[i];
        const auto rows = RowsOf(i);
        const bool hasHeight =
            std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row[3] > row[2]; });
        if (m_isStack && !hasHeight) // a part that no bar has is left out
        {
            return;
        }
        m_page.Draw(fmt::format("{}{}{}, {}, {}from, to",
                                series.name,
                                series.name.empty() ? "" : ": ",
                                m_isLine ? m_x.unit.title : "place",
                                m_y.title,
                                m_isStack ? "" : "95 % "),
                    rows,
                    m_isLine    ? "1:2"
                    : m_isStack ? "1:3:($1-0.4):($1+0.4):3:4"
                                : fmt::format("1:2:({})", Figure(BarWidth())),
                    StyleOf(series),
                    series.name);
        if (hasHeight && !m_isStack) // gnuplot's own error bars leave a hole in the middle
        {
            m_page.DrawAgain("1:3:(0):($4-$3)",
                             "with vectors heads size graph 0.01,90 fixed linewidth 1 linecolor "
                             "rgb " +
                                 (m_isLine ? ColourOf(series) : "'black'"));
        }
    }

    /** Draws crosses at the axis, those of each line a bit higher than those of the one before. */
    void DrawNotDone()
    {
        double height = 0;
        for (std::size_t i = 0; i < m_data.series.size(); ++i)
        {
            const auto& series = m_data.series[i];
            PlotRows rows;
            for (const auto& [place, point] : series.points)
            {
                if (!point.notDone.empty())
                {
                    const auto share = m_isLine ? height + g_notDoneStep : g_notDoneStep;
                    rows.push_back({PlaceOf(place, i), m_yScale.At(share)});
                }
            }
            if (!rows.empty())
            {
                height += g_notDoneStep;
                m_page.Draw(m_isStack ? "not done" : series.name + ": not done",
                            rows,
                            "1:2",
                            g_notDone + (m_isStack ? "'black'" : ColourOf(series)));
            }
        }
        if (height > 0)
        {
            m_page.Draw("", {}, "", std::string(g_notDone) + "'black'", NotDoneNames(m_data));
        }
    }

    /** Draws a circle with its value: of the first above it, of the next below, which seldom meet. */
    void MarkCrossing(double x, double y)
    {
        const bool isBelow = y > 0.85 || (y > 0.1 && m_crossings % 2 == 1);
        const bool isLeft = x > (isBelow ? 0.3 : 0.7);
        const auto at = m_xScale.At(x);
        const auto& unit = m_x.unit.unit;
        const auto text = fmt::format("{:.3g}{}{}", at, unit.empty() ? "" : " ", unit);
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
    bool m_isStack;
    PlaceNumbers m_x;
    AxisUnit m_y;
    AxisScale m_xScale; ///< of lines
    AxisScale m_yScale;
    std::size_t m_crossings{0}; ///< that are marked
};

/** The two series of "A,B"; either name may hold commas itself. */
std::pair<const PlotSeries*, const PlotSeries*>
SeriesNamed(const PlotData& data, const std::string& names)
{
    std::vector<std::string> known;
    for (const auto& a : data.series)
    {
        known.push_back(a.name);
        for (const auto& b : data.series)
        {
            if (&a != &b && a.name + "," + b.name == names)
            {
                return {&a, &b};
            }
        }
    }
    const auto comma = names.find(',');
    const auto first = names.substr(0, comma);
    const bool isKnown = std::find(known.begin(), known.end(), first) != known.end();
    throw InputError("--crossover: must be the names of two series, A,B; " +
                     (comma == std::string::npos
                          ? "got '" + names + "'"
                          : UnknownName(isKnown ? names.substr(comma + 1) : first, known)));
}

/** Two keys, each value a colour; a cross where a point is not done. */
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
        for (const auto& [place, point] : one.points)
        {
            if (point.mean)
            {
                values.push_back(*point.mean);
                done.push_back({static_cast<double>(place), row, *point.mean});
            }
            if (!point.notDone.empty())
            {
                notDone.push_back({static_cast<double>(place), row});
            }
        }
    }
    const auto unit = UnitFor(data.column, values);
    std::for_each(done.begin(), done.end(), [&](auto& row) { row[2] *= unit.factor; });
    page.Set(g_palette);
    page.Set("border 0");
    page.Set("cbtics scale 0");
    const auto xs = NumbersOf(data.xColumn, data.xIsNumber, data.xs);
    SetPlaces("x", data.xColumn, xs, data.xs, page);
    const auto ys = NumbersOf(data.seriesColumn, data.seriesAreNumbers, names);
    SetPlaces("y", data.seriesColumn, ys, names, page);
    page.SetTitle("cb", unit.title);
    if (ValueScale(values).isLog)
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
            "not done", notDone, "1:2", std::string(g_notDone) + "'black'", NotDoneNames(data));
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
    std::vector<std::string> notes;
    if (data.kind == PlotKind::HEAT)
    {
        DrawHeat(data, page);
    }
    else
    {
        SeriesPicture picture(data, page);
        picture.Draw();
        for (const auto& names : crossovers)
        {
            const auto [a, b] = SeriesNamed(data, names);
            if (!picture.MarkCrossings(*a, *b))
            {
                notes.push_back(
                    fmt::format("{} and {} do not cross in this picture", a->name, b->name));
            }
        }
    }
    auto files = page.Files(form);
    files.notes = notes;
    return files;
}

} // namespace inca
