/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-script.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "report/plot-axis.h"

#include <boost/algorithm/string/replace.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

namespace inca
{

namespace
{

constexpr double g_width = 3.3;                // inches, a column of a paper
constexpr double g_height = 2.2;               // inches, with an axis' title and one line of ticks
constexpr double g_line = 0.14;                // inches, of text in 8 points
constexpr double g_points = 8;                 // of all text
constexpr std::size_t g_lineCharacters = 48;   // of usual text in 8 points
constexpr std::size_t g_samplesCharacters = 7; // what a legend's sample and its margin take
constexpr std::size_t g_mostName = 40;         // characters of a name that are shown
constexpr double g_notDoneStep = 0.045;        // of the axis' length

/** How a mark is drawn of a point that has no result, but for its colour. */
constexpr const char* g_notDone =
    "with points pointtype 2 pointsize 0.8 linewidth 1.5 linecolor rgb ";

/** Cividis: for all eyes, and its lightness grows evenly. */
constexpr const char* g_palette =
    "palette defined (0 '#00204D', 0.25 '#414D6B', 0.5 '#7C7B78', 0.75 '#BCAF6F', 1 '#FFEA46')";

using Colours = std::vector<const char*>;

/** The colours of series, by Okabe and Ito: for all eyes; neighbours differ in grey, too. */
const Colours g_colours{"'#0072B2'",
                        "'#E69F00'",
                        "'#595959'",
                        "'#56B4E9'",
                        "'#D55E00'",
                        "'#CC79A7'",
                        "'#009E73'",
                        "'#999999'"};

/** Colours of parts: neighbours differ in grey, too. Communication is dark. */
const Colours g_partColours{
    "'#0072B2'", "'#56B4E9'", "'#F0E442'", "'#D55E00'", "'#E69F00'", "'#009E73'", "'#333333'"};

using PlotRows = std::vector<std::vector<double>>;

/** @return whether a byte begins a character of UTF-8 */
bool
Begins(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

/** @return how many characters (not bytes) a text has */
std::size_t
LengthOf(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), Begins));
}

/** @return @p text with at most @p most characters, of which the last is "…" if some are left out */
std::string
Shortened(std::string_view text, std::size_t most = g_mostName)
{
    std::size_t end = 0;
    for (std::size_t left = most; left > 0 && end < text.size(); ++end)
    {
        left -= Begins(text[end]) ? 1 : 0;
    }
    return LengthOf(text) <= most ? std::string(text) : std::string(text.substr(0, end - 1)) + "…";
}

/**
 * A text as gnuplot's scripts hold it: in single quotes, in which nothing else means anything; one that
 * has such quotes itself in double ones, where each character that means anything stands by its octal number: two single
 * quotes for one are not understood everywhere. Control characters, a line feed as well, become '?'.
 */
std::string
Quoted(std::string_view text)
{
    const auto shown = Printable(text);
    if (shown.find('\'') == std::string::npos)
    {
        return "'" + shown + "'";
    }
    constexpr std::string_view means = "\"\\`$@'";
    std::string quoted;
    for (const char c : shown)
    {
        quoted += means.find(c) == std::string_view::npos ? std::string(1, c)
                                                          : fmt::format("\\{:03o}", c);
    }
    return "\"" + quoted + "\"";
}

/** A number as scripts and data have it. */
std::string
Figure(double number)
{
    return std::isnan(number) ? "NaN" : fmt::format("{:.9g}", number);
}

/** "4 significant digits at most", for ticks: "0.25", "1e+06". */
std::string
ShortFigure(double number)
{
    return fmt::format("{:.4g}", number);
}

/** "'ring' 2", where a '%' would stand for a number's place. */
std::string
Tick(const std::string& text, double at)
{
    return Quoted(boost::algorithm::replace_all_copy(text, "%", "%%")) + " " + Figure(at);
}

std::vector<double>
Scaled(std::vector<double> figures, double factor)
{
    std::for_each(figures.begin(), figures.end(), [factor](double& figure) { figure *= factor; });
    return figures;
}

/** The places of an axis: their names, and where they are numbers, these in the axis' unit. */
struct Places
{
    Places(const std::string& column, bool areNumbers, const std::vector<std::string>& texts)
        : names(texts)
    {
        for (std::size_t i = 0; areNumbers && i < texts.size(); ++i)
        {
            numbers.push_back(NumberOf(texts[i]).value_or(0));
        }
        unit = UnitFor(column, numbers);
        numbers = Scaled(numbers, unit.factor);
        for (std::size_t i = 0; i < numbers.size(); ++i)
        {
            names[i] = ShortFigure(numbers[i]);
        }
        title = column == "label" ? "" : unit.title;
    }

    AxisUnit unit;
    std::string title;
    std::vector<std::string> names;
    std::vector<double> numbers; ///< none, if places are names
};

/**
 * Puts a script together: what is set, then what is drawn. Pictures are 3.3 inches wide, a column of a
 * paper, with all text in 8 points; the legend stands above, and the picture grows with it.
 */
class Page
{
  public:
    /** Adds a line before the drawing: "xlabel 'workers'". */
    void Set(const std::string& line)
    {
        m_settings += "set " + line + "\n";
    }

    /** Names an axis. @param axis "x", "y" or "cb" */
    void SetTitle(const std::string& axis, const std::string& title)
    {
        Set(axis + "label " + Quoted(Shortened(title)));
    }

    /** Sets an axis' ends, scale and ticks, in the axis' unit. */
    void SetScale(const std::string& axis, const AxisScale& scale)
    {
        if (scale.isLog)
        {
            Set("logscale " + axis);
        }
        Set(fmt::format("{}range [{}:{}]", axis, Figure(scale.least), Figure(scale.most)));
        std::vector<std::string> ticks;
        for (const auto tick : scale.ticks)
        {
            ticks.push_back(Tick(ShortFigure(tick), tick));
        }
        if (!ticks.empty())
        {
            Set(fmt::format("{}tics ({})", axis, fmt::join(ticks, ", ")));
        }
    }

    /** Sets ticks with names at 0, 1, ...; they are upright where there is no room side by side. */
    void SetPlaces(const std::string& axis, const Places& places)
    {
        std::size_t longest = 0;
        std::vector<std::string> ticks;
        for (const auto& name : places.names)
        {
            const auto shown = Shortened(name, g_mostName / 2 + 4);
            longest = std::max(longest, LengthOf(shown));
            ticks.push_back(Tick(shown, static_cast<double>(ticks.size())));
        }
        const bool stands = axis == "x" && ticks.size() * (longest + 1) > g_lineCharacters - 2;
        constexpr double linesPerCharacter = 0.44;
        m_nameLines += stands ? linesPerCharacter * static_cast<double>(longest) : 0;
        SetTitle(axis, places.title);
        Set(fmt::format("{}tics scale 0{} ({})",
                        axis,
                        stands ? " rotate by 90 right" : "",
                        fmt::join(ticks, ", ")));
        Set(fmt::format("{}range [-0.6:{}]", axis, static_cast<double>(ticks.size()) - 0.4));
    }

    /**
     * Draws rows of numbers; of none there is only the entry of the legend.
     * @param name says in the data what they are @param columns "1:2" @param style "with lines"
     * @param title of the legend; empty: there is no entry
     */
    void Draw(const std::string& name,
              const PlotRows& rows,
              const std::string& columns,
              const std::string& style,
              const std::string& title = "")
    {
        const auto entry = title.empty() ? "notitle" : "title " + Quoted(Shortened(title));
        m_titles.insert(m_titles.end(), title.empty() ? 0 : 1, Shortened(title));
        if (rows.empty())
        {
            m_drawn.push_back(fmt::format("keyentry {} {}", style, entry));
            return;
        }
        m_data += (m_blocks > 0 ? "\n\n# " : "# ") + Printable(name) + "\n";
        for (const auto& row : rows)
        {
            std::vector<std::string> figures(row.size());
            std::transform(row.begin(), row.end(), figures.begin(), Figure);
            m_data += fmt::format("{}\n", fmt::join(figures, " "));
        }
        ++m_blocks;
        DrawAgain(columns, style, entry);
    }

    /** Draws the rows of the last Draw() in another way, too. */
    void DrawAgain(const std::string& columns,
                   const std::string& style,
                   const std::string& entry = "notitle")
    {
        m_drawn.push_back(
            fmt::format("'plot.dat' index {} using {} {} {}", m_blocks - 1, columns, style, entry));
    }

    PlotFiles Files(PictureForm form, std::vector<std::string> notes) const
    {
        static const std::array<std::string, 3> names{"svg", "png", "pdf"};
        const auto picture = "plot." + names.at(static_cast<std::size_t>(form));
        auto script = fmt::format("# Written by inca plot: gnuplot plot.gp draws {0} of plot.dat.\n"
                                  "set terminal {1} noenhanced background 'white'\n"
                                  "set output '{0}'\n"
                                  "set encoding utf8\n"
                                  "set border 3 linewidth 0.7\n"
                                  "set tics nomirror out scale 0.6\n",
                                  picture,
                                  Terminal(form));
        script += m_titles.empty()
                      ? "unset key\n"
                      : fmt::format(
                            "set key tmargin center horizontal Left reverse samplen 2 maxcols {}\n",
                            LegendColumns());
        script += fmt::format("{}plot {}\n", m_settings, fmt::join(m_drawn, ", \\\n     "));
        return {script, m_data, picture, std::move(notes)};
    }

  private:
    std::string Terminal(PictureForm form) const
    {
        const auto columns = LegendColumns();
        const auto legendRows = (m_titles.size() + columns - 1) / columns;
        const auto height = g_height + g_line * (static_cast<double>(legendRows) + m_nameLines);
        constexpr double dotsPerInch = 96;
        constexpr double fine = 300 / dotsPerInch; // the dots of a PNG against those of an SVG
        return form == PictureForm::SVG
                   ? fmt::format(
                         "svg size {:.0f},{:.0f} fixed font 'sans-serif,{:.3g}' linewidth 1.2",
                         g_width * dotsPerInch,
                         height * dotsPerInch,
                         g_points * dotsPerInch / 72)
               : form == PictureForm::PNG
                   ? fmt::format("pngcairo size {:.0f},{:.0f} font 'Sans,{}' fontscale {} "
                                 "linewidth 3.5 pointscale 3.5",
                                 g_width * dotsPerInch * fine,
                                 height * dotsPerInch * fine,
                                 g_points,
                                 fine)
                   : fmt::format("pdfcairo size {:.3g}in,{:.3g}in font 'Sans,{}' fontscale 0.75 "
                                 "linewidth 1.2 pointscale 0.8",
                                 g_width,
                                 height,
                                 g_points);
    }

    std::size_t LegendColumns() const
    {
        std::size_t longest = 0;
        for (const auto& title : m_titles)
        {
            longest = std::max(longest, LengthOf(title));
        }
        return std::clamp<std::size_t>(g_lineCharacters / (longest + g_samplesCharacters),
                                       1,
                                       std::max<std::size_t>(1, m_titles.size()));
    }

    std::string m_settings;
    std::vector<std::string> m_drawn;
    std::vector<std::string> m_titles; ///< of the legend
    std::string m_data;
    std::size_t m_blocks{0};
    double m_nameLines{0}; ///< lines of text that upright ticks take more than others
};

/** Adds the legend's entry of points that have no result: "refused", "failed, refused". */
void
NameNotDone(const PlotData& data, Page& page)
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
    if (!names.empty())
    {
        page.Draw("",
                  {},
                  "",
                  std::string(g_notDone) + "'black'",
                  fmt::format("{}", fmt::join(names, ", ")));
    }
}

/** Draws lines, bars side by side, or stacks of parts, in the units of their axes. */
class SeriesPicture
{
  public:
    SeriesPicture(const PlotData& data, Page& page)
        : m_data(data),
          m_page(page),
          m_isLine(data.kind == PlotKind::LINE),
          m_isStack(data.kind == PlotKind::STACK),
          m_x(data.xColumn, data.xIsNumber, data.xs)
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
            m_xScale = PlaceScale(m_x.numbers);
            m_page.SetTitle("x", m_x.unit.title);
            m_page.SetScale("x", m_xScale);
        }
        else
        {
            m_page.SetPlaces("x", m_x);
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
                m_xScale.ShareOf(m_x.numbers[place]),
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
        const auto& colours = m_isStack ? g_partColours : g_colours;
        return colours[series.colour % colours.size()];
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
                        : fmt::format("with {} fillstyle solid {:.2g} border linecolor rgb "
                                      "'#333333' linewidth 0.4 fillcolor rgb {}",
                                      m_isStack ? "boxxyerror" : "boxes",
                                      std::pow(left, static_cast<double>(series.shade)),
                                      ColourOf(series));
    }

    double PlaceOf(std::size_t place, std::size_t series) const
    {
        const auto fromCentre =
            static_cast<double>(series) - static_cast<double>(m_data.series.size() - 1) / 2;
        return m_isLine    ? m_x.numbers[place]
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
        NameNotDone(m_data, m_page);
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
    Page& m_page;
    bool m_isLine;
    bool m_isStack;
    Places m_x;
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
DrawHeat(const PlotData& data, Page& page)
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
    page.SetPlaces("x", {data.xColumn, data.xIsNumber, data.xs});
    page.SetPlaces("y", {data.seriesColumns.front(), data.seriesAreNumbers, names});
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
        page.Draw("not done", notDone, "1:2", std::string(g_notDone) + "'black'");
        NameNotDone(data, page);
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
    Page page;
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
    return page.Files(form, std::move(notes));
}

} // namespace inca
