/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/printable.h"

#include <boost/algorithm/string/replace.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace inca
{

namespace
{

constexpr double g_columnWidth = 3.3;          // inches, a column of a paper
constexpr double g_pageWidth = 7;              // inches, both columns
constexpr double g_height = 2.2;               // inches, with an axis' title and one line of ticks
constexpr double g_pageHeight = 3;             // inches, of one panel over both columns
constexpr double g_line = 0.14;                // inches, of text in 8 points
constexpr double g_points = 8;                 // of all text
constexpr double g_lineCharacters = 48;        // of usual text in 8 points, in a column
constexpr std::size_t g_samplesCharacters = 7; // what a legend's sample and its margin take
constexpr std::size_t g_mostName = 40;         // characters of a name that are shown

/** Cividis: for all eyes, and its lightness grows evenly. */
constexpr const char* g_palette =
    "palette defined (0 '#00204D', 0.25 '#414D6B', 0.5 '#7C7B78', 0.75 '#BCAF6F', 1 '#FFEA46')";

using Colours = std::vector<const char*>;

/** For ratios: lower than 1, 1, and higher; for all eyes. */
constexpr const char* g_ratioPalette =
    "palette defined (0 '#B35806', 0.25 '#FDB863', 0.5 '#F7F7F7', 0.75 '#B2ABD2', 1 '#542788')";

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
 * A text as gnuplot's scripts hold it: in single quotes, in which nothing else means anything. One within it becomes
 * typographic. Control characters, a line feed as well, become '?'.
 */
std::string
Quoted(std::string_view text)
{
    return "'" + boost::algorithm::replace_all_copy(Printable(text), "'", "’") + "'";
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
 * Puts a script together: what is set for all panels, then what is set and drawn in each. Pictures are a column of a paper
 * wide, or two, with all text in 8 points; the legend stands above, and the picture grows with it.
 */
class Page
{
  public:
    Page(const PlotLook& look, std::size_t panels)
        : m_look(look),
          m_width(look.isPageWide ? g_pageWidth : g_columnWidth),
          m_count(panels)
    {
    }

    /** @return how wide a panel is, against a picture of one column */
    double PanelLength() const
    {
        return m_width / g_columnWidth / static_cast<double>(m_count);
    }

    /** What is set and drawn from here on is of another panel. */
    void BeginPanel()
    {
        m_panels.emplace_back();
    }

    /** Adds a line before the drawing: "xlabel 'workers'". */
    void Set(const std::string& line)
    {
        (m_panels.empty() ? m_settings : m_panels.back().settings) += "set " + line + "\n";
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
        else if (scale.isLog) // over many decades: 1e-05, not 0.000010
        {
            Set(fmt::format("format {} '%g'", axis));
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
        const auto room = static_cast<std::size_t>(g_lineCharacters * PanelLength() + 0.5) - 2;
        const bool stands = axis == "x" && ticks.size() * (longest + 1) > room;
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
     * @param title of the legend, which is that of the first panel; empty: there is no entry
     */
    void Draw(const std::string& name,
              const PlotRows& rows,
              const std::string& columns,
              const std::string& style,
              const std::string& title = "")
    {
        const auto entry = title.empty() ? "notitle" : "title " + Quoted(Shortened(title));
        if (!title.empty() && m_panels.size() == 1)
        {
            m_titles.push_back(Shortened(title));
        }
        if (rows.empty())
        {
            m_panels.back().drawn.push_back(fmt::format("keyentry {} {}", style, entry));
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
        m_panels.back().drawn.push_back(
            fmt::format("'plot.dat' index {} using {} {} {}", m_blocks - 1, columns, style, entry));
    }

    /** Puts script, data and the picture's name into @p files. */
    void Write(PlotFiles& files) const
    {
        static const std::array<std::string, 3> names{"svg", "png", "pdf"};
        files.picture = "plot." + names.at(static_cast<std::size_t>(m_look.form));
        files.data = m_data;
        files.script =
            fmt::format("# Written by inca plot: gnuplot plot.gp draws {0} of plot.dat.\n"
                        "set terminal {1} noenhanced background 'white'\n"
                        "set output '{0}'\n"
                        "set encoding utf8\n"
                        "set border 3 linewidth 0.7\n"
                        "set tics nomirror out scale 0.6\n",
                        files.picture,
                        Terminal());
        files.script += m_settings + (m_count == 1 ? SinglePanel() : Multiplot());
        if (LegendRows() > g_mostLegendRows && !m_look.isPageWide)
        {
            files.notes.push_back(
                fmt::format("the legend takes {} lines; --panels KEY or --width page "
                            "makes it smaller",
                            LegendRows()));
        }
    }

  private:
    /** What is set for a panel alone, and what is drawn in it. */
    struct Panel
    {
        std::string settings;
        std::vector<std::string> drawn;
    };

    static constexpr std::size_t g_mostLegendRows = 8;
    static constexpr double g_titleLines = 1.4;
    static constexpr double g_panelTitle = 2.4; ///< lines, with what is free around it

    static std::string PlotOf(const Panel& panel)
    {
        return panel.settings + fmt::format("plot {}\n", fmt::join(panel.drawn, ", \\\n     "));
    }

    /** @param place "tmargin center horizontal maxcols 2" */
    std::string Legend(const std::string& place) const
    {
        return m_titles.empty() ? "unset key\n" : "set key " + place + " Left reverse samplen 2\n";
    }

    std::string SinglePanel() const
    {
        return Legend(fmt::format("tmargin center horizontal maxcols {}", LegendColumns())) +
               (m_look.title.empty() ? "" : "set title " + Quoted(m_look.title) + "\n") +
               PlotOf(m_panels.front());
    }

    /** Panels side by side, of which the first alone names the axis of values, below the title and one legend. */
    std::string Multiplot() const
    {
        constexpr double left = 0.7; // inches, of ticks and the axis' title
        constexpr double gap = 0.42; // of ticks
        constexpr double right = 0.15;
        const auto fromTop = [this](double lines) { return 1 - g_line * lines / Height(); };
        auto text = fmt::format("set multiplot layout 1,{} margins screen "
                                "{:.4g},{:.4g},{:.4g},{:.4g} spacing screen {:.4g}{}\n",
                                m_count,
                                left / m_width,
                                1 - right / m_width,
                                g_line * (3.5 + m_nameLines) / Height(),
                                fromTop(HeadLines() + g_panelTitle),
                                gap / m_width,
                                m_look.title.empty() ? "" : " title " + Quoted(m_look.title));
        text += Legend(fmt::format("at screen 0.5,{:.4g} center top vertical maxrows {}",
                                   fromTop(m_look.title.empty() ? 0 : g_titleLines),
                                   LegendRows()));
        for (const auto& panel : m_panels)
        {
            text += PlotOf(panel) + "unset key\nunset label\nunset ylabel\n";
        }
        return text + "unset multiplot\n";
    }

    std::size_t LegendRows() const
    {
        const auto columns = LegendColumns();
        return (m_titles.size() + columns - 1) / columns;
    }

    /** Lines of text above the panels: the title and the legend. */
    double HeadLines() const
    {
        return static_cast<double>(LegendRows()) + (m_look.title.empty() ? 0 : g_titleLines);
    }

    double Height() const
    {
        const bool isHigh = m_look.isPageWide && m_count == 1;
        const auto panelTitles = m_count == 1 ? 0 : g_panelTitle;
        return (isHigh ? g_pageHeight : g_height) +
               g_line * (HeadLines() + m_nameLines + panelTitles);
    }

    std::string Terminal() const
    {
        const auto height = Height();
        constexpr double dotsPerInch = 96;
        constexpr double fine = 300 / dotsPerInch; // the dots of a PNG against those of an SVG
        return m_look.form == PictureForm::SVG
                   ? fmt::format(
                         "svg size {:.0f},{:.0f} fixed font 'sans-serif,{:.3g}' linewidth 1.2",
                         m_width * dotsPerInch,
                         height * dotsPerInch,
                         g_points * dotsPerInch / 72)
               : m_look.form == PictureForm::PNG
                   ? fmt::format("pngcairo size {:.0f},{:.0f} font 'Sans,{}' fontscale {} "
                                 "linewidth 3.5 pointscale 3.5",
                                 m_width * dotsPerInch * fine,
                                 height * dotsPerInch * fine,
                                 g_points,
                                 fine)
                   : fmt::format("pdfcairo size {:.3g}in,{:.3g}in font 'Sans,{}' fontscale 0.75 "
                                 "linewidth 1.2 pointscale 0.8",
                                 m_width,
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
        const auto line =
            static_cast<std::size_t>(g_lineCharacters * m_width / g_columnWidth + 0.5);
        return std::clamp<std::size_t>(
            line / (longest + g_samplesCharacters), 1, std::max<std::size_t>(1, m_titles.size()));
    }

    const PlotLook& m_look;
    double m_width;
    std::size_t m_count; ///< of panels
    std::string m_settings;
    std::vector<Panel> m_panels;
    std::vector<std::string> m_titles; ///< of the legend
    std::string m_data;
    std::size_t m_blocks{0};
    double m_nameLines{0}; ///< lines of text that upright ticks take more than others
};

/** Draws lines, bars side by side, or stacks of parts, in the units of their axes. */
class SeriesPicture
{
  public:
    SeriesPicture(const PlotData& data, Page& page)
        : m_data(data),
          m_page(page),
          m_isLine(GoesOverNumbers(data.kind)),
          m_isCurve(data.kind == PlotKind::CURVE),
          m_isPareto(data.kind == PlotKind::PARETO),
          m_isStack(data.kind == PlotKind::STACK),
          m_x(data.xColumn, data.xIsNumber, data.xs)
    {
        std::vector<double> values;
        for (const auto& series : data.series)
        {
            for (const auto& [place, point] : series.points)
            {
                if (point.mean &&
                    !(m_isCurve && place == 0)) // before it begins a model knows nothing
                {
                    values.insert(values.end(), {point.from, point.to});
                }
            }
        }
        m_y = UnitFor(data.column, values);
        m_yScale = ValueScale(Scaled(values, m_y.factor), !m_isLine);
        if (m_isLine)
        {
            m_xScale = PlaceScale(m_x.numbers, m_page.PanelLength());
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
    }

    void DrawPanel(std::size_t panel)
    {
        m_page.BeginPanel();
        m_labels.clear();
        if (m_data.panels.size() > 1)
        {
            m_page.Set("title " + Quoted(Shortened(m_data.panels[panel])));
        }
        for (std::size_t i = 0; i < m_data.series.size(); ++i)
        {
            DrawSeries(i, panel);
        }
        if (m_isPareto)
        {
            DrawFront(panel);
        }
    }

    /**
     * Marks where two series cross in a panel. Lines are straight between two points, as they are drawn: on the axes' own
     * scales. Only what both have an x of counts.
     * @return a sentence for each crossing, with the points between which it lies
     */
    std::vector<std::string> MarkCrossings(std::size_t panel,
                                           const PlotSeries& a,
                                           const PlotSeries& b)
    {
        std::vector<std::string> crossings;
        std::array<double, 3> last{}; // at which they differ: x, a and a - b in shares of the axes
        std::array<double, 3> next{}; // after it
        for (std::size_t place = 0; place < m_data.xs.size(); ++place)
        {
            const auto point = a.points.find(m_data.IndexOf(panel, place));
            const auto other = b.points.find(m_data.IndexOf(panel, place));
            if (point == a.points.end() || !point->second.mean || other == b.points.end() ||
                !other->second.mean)
            {
                continue;
            }
            const auto y = m_yScale.ShareOf(*point->second.mean * m_y.factor);
            const std::array<double, 3> here{
                m_xScale.ShareOf(m_x.numbers[place]),
                y,
                y - m_yScale.ShareOf(*other->second.mean * m_y.factor)};
            next = last == next ? here : next;
            if (last[2] * here[2] < 0)
            {
                const auto share = last[2] / (last[2] - next[2]);
                const auto x = last[0] + share * (next[0] - last[0]);
                const auto about =
                    fmt::format("about {:.2g}{}", m_xScale.At(x), WithBlank(m_x.unit.unit));
                MarkCrossing(x, last[1] + share * (next[1] - last[1]), a.name, b.name, about);
                crossings.push_back(fmt::format("{} and {} cross at {}, between {} and {}",
                                                a.name,
                                                b.name,
                                                about,
                                                ShortFigure(m_xScale.At(last[0])),
                                                ShortFigure(m_xScale.At(here[0]))));
            }
            if (here[2] != 0)
            {
                last = here;
                next = here;
            }
        }
        return crossings;
    }

    /** Draws a line at @p target in a panel, and a dot on each curve where its mean is that or more for the first time. */
    void MarkTarget(std::size_t panel, double target)
    {
        const auto y = target * m_y.factor;
        m_page.Set(
            fmt::format("arrow from graph 0, first {0} to graph 1, first {0} nohead dashtype 2 "
                        "linewidth 0.7 linecolor rgb '#333333'",
                        Figure(y)));
        for (std::size_t i = 0; i < m_data.series.size(); ++i)
        {
            const auto rows = RowsOf(i, panel);
            const auto first = std::find_if(
                rows.begin(), rows.end(), [y](const auto& row) { return row[1] >= y; });
            if (first != rows.end())
            {
                m_page.Set(fmt::format("label '' at {},{} front point pointtype 7 pointsize 0.8 "
                                       "linecolor rgb {}",
                                       Figure((*first)[0]),
                                       Figure((*first)[1]),
                                       ColourOf(i)));
            }
        }
    }

  private:
    static std::string WithBlank(const std::string& unit)
    {
        return unit.empty() ? "" : " " + unit;
    }

    std::string ColourOf(std::size_t series) const
    {
        const auto& colours = m_isStack ? g_partColours : g_colours;
        return colours[series % colours.size()];
    }

    /** Every line has marks and dashes of its own. */
    std::string StyleOf(std::size_t i) const
    {
        constexpr std::array<int, 8> marks{7, 5, 9, 13, 11, 6, 4, 8}; // gnuplot's: full ones first
        constexpr std::size_t dashes = 4;
        return m_isCurve  ? fmt::format("with lines linecolor rgb {} linewidth 1.3", ColourOf(i))
               : m_isLine ? fmt::format("with {} linecolor rgb {} pointtype {} pointsize "
                                        "0.6 linewidth 1.3 dashtype {}",
                                        m_isPareto ? "points" : "linespoints",
                                        ColourOf(i),
                                        marks.at((i + i / marks.size()) % marks.size()),
                                        i % dashes + 1)
                          : fmt::format("with {} fillstyle solid 1 border linecolor rgb "
                                        "'#333333' linewidth 0.4 fillcolor rgb {}",
                                        m_isStack ? "boxxyerror" : "boxes",
                                        ColourOf(i));
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

    /** Does @p step with every point of a series in a panel and its place. */
    template <class Step>
    void ForEachPoint(std::size_t series, std::size_t panel, Step step) const
    {
        const auto& points = m_data.series[series].points;
        const auto end = points.lower_bound(m_data.IndexOf(panel + 1, 0));
        for (auto point = points.lower_bound(m_data.IndexOf(panel, 0)); point != end; ++point)
        {
            step(PlaceOf(point->first - m_data.IndexOf(panel, 0), series), point->second);
        }
    }

    /** Place, mean, and from where to where; a line has a gap where there is no result. */
    PlotRows RowsOf(std::size_t series, std::size_t panel) const
    {
        constexpr double gap = std::numeric_limits<double>::quiet_NaN();
        PlotRows rows;
        ForEachPoint(series, panel, [&](double at, const PlotPoint& point) {
            if (point.mean)
            {
                const auto y = Scaled({*point.mean, point.from, point.to}, m_y.factor);
                rows.push_back({at, y[0], y[1], y[2]});
            }
            else if (m_isLine)
            {
                rows.push_back({at, gap, gap, gap});
            }
        });
        return rows;
    }

    void DrawSeries(std::size_t i, std::size_t panel)
    {
        const auto& series = m_data.series[i];
        const auto rows = RowsOf(i, panel);
        const bool hasHeight =
            std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row[3] > row[2]; });
        const bool hasAny =
            std::any_of(series.points.begin(), series.points.end(), [](const auto& point) {
                return point.second.to > point.second.from;
            });
        if (m_isStack && !hasAny) // a part that no bar has is left out
        {
            return;
        }
        const auto named = series.name.empty() ? "" : series.name + ": ";
        m_page.Draw(fmt::format("{}{}{}, {}, {}from, to",
                                m_data.panels.size() > 1 ? m_data.panels[panel] + "; " : "",
                                named,
                                m_isLine ? m_x.unit.title : "place",
                                m_y.title,
                                m_isStack || m_isCurve ? "" : "95 % "),
                    rows,
                    m_isLine    ? "1:2"
                    : m_isStack ? "1:3:($1-0.4):($1+0.4):3:4"
                                : fmt::format("1:2:({})", Figure(BarWidth())),
                    StyleOf(i),
                    series.name);
        if (hasHeight && m_isCurve)
        {
            m_page.DrawAgain("1:3:4",
                             "with filledcurves fillstyle transparent solid 0.2 noborder "
                             "fillcolor rgb " +
                                 ColourOf(i));
        }
        else if (hasHeight && !m_isStack) // gnuplot's own error bars leave a hole in the middle
        {
            m_page.DrawAgain("1:3:(0):($4-$3)",
                             "with vectors heads size graph 0.01,90 fixed linewidth 1 linecolor "
                             "rgb " +
                                 (m_isLine ? ColourOf(i) : "'black'"));
        }
    }

    /** A line through the points of all series that no other one is below and left of. */
    void DrawFront(std::size_t panel)
    {
        PlotRows all;
        for (std::size_t i = 0; i < m_data.series.size(); ++i)
        {
            const auto rows = RowsOf(i, panel);
            std::copy_if(rows.begin(), rows.end(), std::back_inserter(all), [](const auto& row) {
                return !std::isnan(row[1]);
            });
        }
        std::sort(all.begin(), all.end());
        PlotRows front;
        for (const auto& row : all)
        {
            if (front.empty() || row[1] < front.back()[1])
            {
                front.push_back({row[0], row[1]});
            }
        }
        m_page.Draw("no other one is better in both",
                    front,
                    "1:2",
                    "with lines linecolor rgb '#333333' linewidth 0.7 dashtype 2");
    }

    /** Where a label may stand beside its mark, in lines of text above it; below, if negative. */
    struct LabelPlace
    {
        double lines;
        bool isLeft;
    };

    /** A rectangle in shares of the axes. */
    struct Box
    {
        double left;
        double right;
        double bottom;
        double top;

        bool Meets(const Box& other) const
        {
            return left < other.right && other.left < right && bottom < other.top &&
                   other.bottom < top;
        }
    };

    /** @return the first place of two lines of @p characters that lies in the plot, and on no other label */
    LabelPlace FreePlace(double x, double y, std::size_t characters)
    {
        const double width = static_cast<double>(characters) / (45 * m_page.PanelLength());
        constexpr double line = 0.065; // of the height
        constexpr double gap = 0.02;
        for (const double lines : {1.0, -1.0, 3.2, -3.2, 5.4, -5.4})
        {
            for (const bool isLeft : {false, true})
            {
                const auto left = isLeft ? x - gap - width : x + gap;
                const auto bottom = y + line * (lines > 0 ? lines - 0.5 : lines - 1.5);
                const Box box{left, left + width, bottom, bottom + 2 * line};
                const bool isInside =
                    box.left >= 0 && box.right <= 1 && bottom >= 0 && box.top <= 1;
                if (isInside && std::none_of(m_labels.begin(),
                                             m_labels.end(),
                                             [&box](const Box& other) { return other.Meets(box); }))
                {
                    m_labels.push_back(box);
                    return {lines, isLeft};
                }
            }
        }
        return {1, x > 0.5};
    }

    /** Draws a circle with the pair and about where they cross. */
    void MarkCrossing(
        double x, double y, const std::string& a, const std::string& b, const std::string& about)
    {
        const auto most = static_cast<std::size_t>(20 * m_page.PanelLength());
        const auto names = Shortened(a, most) + ", " + Shortened(b, most);
        const auto free = FreePlace(x, y, std::max(names.size(), about.size()));
        const auto label = [&](const std::string& text, double lines, const char* mark) {
            m_page.Set(fmt::format("label {} at {},{} {} offset {},{} front{}",
                                   Quoted(text),
                                   Figure(m_xScale.At(x)),
                                   Figure(m_yScale.At(y)),
                                   free.isLeft ? "right" : "left",
                                   free.isLeft ? -0.5 : 0.5,
                                   lines,
                                   mark));
        };
        const bool isAbove = free.lines > 0;
        label(about,
              isAbove ? free.lines : free.lines - 1,
              " point pointtype 6 pointsize 1.2 linewidth 1.5");
        label(names, isAbove ? free.lines + 1 : free.lines, "");
    }

    const PlotData& m_data;
    Page& m_page;
    bool m_isLine;
    bool m_isCurve;
    bool m_isPareto;
    bool m_isStack;
    Places m_x;
    AxisUnit m_y;
    AxisScale m_xScale; ///< of lines
    AxisScale m_yScale;
    std::vector<Box> m_labels; ///< of the panel's crossings
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

/** Two keys, each value a colour; none where there is no result. */
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
        }
    }
    const auto unit = UnitFor(data.column, values);
    std::for_each(done.begin(), done.end(), [&](auto& row) { row[2] *= unit.factor; });
    const bool isRatio = data.column == "gain";
    page.BeginPanel();
    page.Set(isRatio ? g_ratioPalette : g_palette);
    page.Set("border 0");
    page.Set("cbtics scale 0");
    page.SetPlaces("x", {data.xColumn, data.xIsNumber, data.xs});
    page.SetPlaces("y", {data.seriesColumns.front(), data.seriesAreNumbers, names});
    page.SetTitle("cb", unit.title);
    if (isRatio && *std::min_element(values.begin(), values.end()) > 0) // as far below 1 as above
    {
        double most = std::log(1.1);
        for (const auto value : values)
        {
            most = std::max(most, std::abs(std::log(value)));
        }
        AxisScale scale{true, std::exp(-most), std::exp(most), {}};
        page.SetScale("cb", scale);
        std::vector<std::string> ticks;
        for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
        {
            ticks.push_back(Tick(fmt::format("{:.2g}", scale.At(share)), scale.At(share)));
        }
        page.Set(fmt::format("cbtics ({})", fmt::join(ticks, ", ")));
    }
    else if (const auto scale = ValueScale(Scaled(values, unit.factor)); scale.isLog)
    {
        page.SetScale("cb", scale);
    }
    page.Draw(fmt::format("column, row, {}", unit.title),
              done,
              "1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3",
              "with boxxyerror fillstyle solid 1 border linecolor rgb 'white' fillcolor palette");
}

/** Draws all panels, and marks the targets and crossings that are asked for in each; what there is to be said of them goes to @p files. */
void
DrawPanels(const PlotData& data, const PlotLook& look, Page& page, PlotFiles& files)
{
    SeriesPicture picture(data, page);
    for (std::size_t panel = 0; panel < data.panels.size(); ++panel)
    {
        picture.DrawPanel(panel);
        const auto where = data.panels.size() > 1 ? data.panels[panel] + ": " : "";
        for (const auto target : look.targets)
        {
            picture.MarkTarget(panel, target);
        }
        for (const auto& names : look.crossovers)
        {
            const auto [a, b] = SeriesNamed(data, names);
            const auto marked = picture.MarkCrossings(panel, *a, *b);
            for (const auto& sentence : marked)
            {
                files.crossings.push_back(where + sentence);
            }
            if (marked.empty())
            {
                files.notes.push_back(fmt::format(
                    "{}{} and {} do not cross in this picture", where, a->name, b->name));
            }
        }
    }
}

} // namespace

PlotFiles
ScriptOf(const PlotData& data, const PlotLook& look)
{
    if (!look.crossovers.empty() && data.kind != PlotKind::LINE)
    {
        throw InputError("--crossover: lines cross; this is --kind " + PlotKindName(data.kind));
    }
    if (!look.targets.empty() && data.kind != PlotKind::CURVE)
    {
        throw InputError("--target: curves come to targets; this is --kind " +
                         PlotKindName(data.kind));
    }
    Page page(look, data.panels.size());
    PlotFiles files;
    for (const auto& [status, count] : data.notDone)
    {
        files.notes.push_back(fmt::format("left out: {} that {} {}",
                                          count == 1 ? "a row" : fmt::format("{} rows", count),
                                          count == 1 ? "is" : "are",
                                          status));
    }
    data.kind == PlotKind::HEAT ? DrawHeat(data, page) : DrawPanels(data, look, page, files);
    page.Write(files);
    return files;
}

} // namespace inca
