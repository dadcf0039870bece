/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot.h"

#include "base/errors.h"
#include "base/printable.h"
#include "record/result-row.h"

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

constexpr double g_columnWidth = 3.3; // inches, a column of a paper
constexpr double g_pageWidth = 7;     // inches, both columns
constexpr double g_height = 2.2;      // inches, of panels with an axis' title and one line of ticks
constexpr double g_pageHeight = 3;    // inches, of one panel over both columns
constexpr double g_line = 0.175;      // inches, of text in 8 points
constexpr double g_dotsPerInch = 96;  // of an SVG
constexpr double g_smallPoints = 5.5; // of figures in a heat map
constexpr double g_lineCharacters = 48;        // of usual text in 8 points, in a column
constexpr std::size_t g_samplesCharacters = 9; // what a legend's sample and its margin take
constexpr std::size_t g_mostName = 40;         // characters of a name that are shown

/** Light enough for black figures; lightness falls evenly. */
constexpr const char* g_palette = "palette defined (0 '#FFF7D6', 0.5 '#A9CFA4', 1 '#4FA3B5')";

/** For ratios: lower than 1, 1, and higher; for all eyes. */
constexpr const char* g_ratioPalette = "palette defined (0 '#F4A45C', 0.5 '#F7F7F7', 1 '#9F96C8')";

/** The colours of series, by Okabe and Ito, then others: for all eyes; neighbours differ in grey, too. */
constexpr std::string_view g_colours = "#0072B2#E69F00#595959#56B4E9#D55E00#CC79A7#009E73#999999"
                                       "#000000#B8A300#003F66#80CDC1#8C510A#A6D854#762A83#B2182B";

/** Colours of parts, as --share-0 and so on of the report's page.css. Communication is dark. */
constexpr std::string_view g_partColours = "#0072B2#56B4E9#F0E442#D55E00#E69F00#009E73#333333";

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
 * wide, or two, with all text in 8 points. Title and legend stand above the panels, and notes below: the picture grows with
 * them.
 */
class Page
{
  public:
    Page(const PlotLook& look, std::size_t panels)
        : m_look(look),
          m_width(look.isPageWide ? g_pageWidth : g_columnWidth),
          m_count(static_cast<double>(panels))
    {
    }

    /** @return how wide a panel is, against a picture of one column */
    double PanelLength() const
    {
        return m_width / g_columnWidth / m_count;
    }

    /** @return what the picture's form calls that size; those of an SVG are dots */
    double FontSize(double points) const
    {
        return m_look.form == "svg" ? points * g_dotsPerInch / 72 : points;
    }

    /** What is set and drawn from here on is of another panel. @param name empty: it is alone */
    void BeginPanel(const std::string& name)
    {
        m_panels.emplace_back();
        if (!name.empty())
        {
            Set("title " + Quoted(Shortened(name)));
        }
    }

    /** Adds a line of text below all panels. */
    void AddNote(const std::string& note)
    {
        m_notes.push_back(note);
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

    /** @return whether so many texts of @p characters fit side by side below or in a panel */
    bool HasRoomFor(std::size_t texts, double characters) const
    {
        constexpr double ticks = 10; // characters, left of the panel
        return static_cast<double>(texts) * (characters + 1) <
               g_lineCharacters * PanelLength() - ticks;
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
        const bool stands = axis == "x" && !HasRoomFor(ticks.size(), static_cast<double>(longest));
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
            m_panels.back().drawn.push_back(
                fmt::format("NaN notitle, keyentry {} {}", style, entry));
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
        files.picture = "plot." + m_look.form;
        files.data = m_data;
        files.script =
            fmt::format("# Written by inca plot: gnuplot plot.gp draws {0} of plot.dat.\n"
                        "set terminal {1} noenhanced background 'white'\n"
                        "set output '{0}'\n"
                        "set encoding utf8\n"
                        "set border 3 linewidth 0.7\n"
                        "set tics nomirror out scale 0.6\n"
                        "set xlabel offset 0,0.4\n"
                        "set title offset 0,-0.6\n"
                        "set tmargin {2}\n",
                        files.picture,
                        Terminal(),
                        m_count > 1 ? 1.5 : 0.6);
        files.script += m_settings + Around();
        for (std::size_t i = 0; i < m_panels.size(); ++i)
        {
            files.script += Placed(m_panels[i], static_cast<double>(i));
        }
        files.script += "unset multiplot\n";
    }

  private:
    /** What is set for a panel alone, and what is drawn in it. */
    struct Panel
    {
        std::string settings;
        std::vector<std::string> drawn;
    };

    static constexpr double g_titleLines = 1.4;
    static constexpr double g_topLines = 0.3;

    /** @return which share of the height so many lines of text take */
    double Share(double lines) const
    {
        return g_line * lines / Height();
    }

    double TitleLines() const
    {
        return g_topLines + (m_look.title.empty() ? 0 : g_titleLines);
    }

    /** What stands above the panels, and below. */
    std::string Around() const
    {
        auto text = m_titles.empty()
                        ? "unset key\n"
                        : fmt::format("set key at screen 0.5,{:.4g} center top vertical maxrows {} "
                                      "Left reverse samplen 2\n",
                                      1 - Share(TitleLines()),
                                      LegendRows());
        const auto label = [&text](const std::string& line, double height) {
            text += fmt::format(
                "set label {} at screen 0.5,{:.4g} center front\n", Quoted(line), height);
        };
        if (!m_look.title.empty())
        {
            label(m_look.title, 1 - Share(g_titleLines / 2));
        }
        for (std::size_t i = 0; i < m_notes.size(); ++i)
        {
            label(Shortened(m_notes[i], LineCharacters()),
                  Share(static_cast<double>(m_notes.size() - i) - 0.4));
        }
        return text + "set multiplot\n";
    }

    /** Panels stand side by side, of which the first alone names the axis of values, and is wider by that. */
    std::string Placed(const Panel& panel, double number) const
    {
        const double axis = m_count > 1 ? g_line / m_width : 0;
        const auto width = (1 - axis) / m_count;
        const auto below = Share(static_cast<double>(m_notes.size()));
        return fmt::format("set origin {:.4g},{:.4g}\nset size {:.4g},{:.4g}\n{}plot {}\n"
                           "unset key\nunset label\nunset object\nunset ylabel\n",
                           number > 0 ? axis + number * width : 0,
                           below,
                           number > 0 ? width : axis + width,
                           1 - below - Share(TitleLines() + static_cast<double>(LegendRows())),
                           panel.settings,
                           fmt::join(panel.drawn, ", \\\n     "));
    }

    std::size_t LineCharacters() const
    {
        return static_cast<std::size_t>(g_lineCharacters * m_width / g_columnWidth + 0.5);
    }

    std::size_t LegendRows() const
    {
        std::size_t longest = 0;
        for (const auto& title : m_titles)
        {
            longest = std::max(longest, LengthOf(title));
        }
        const auto columns =
            std::max<std::size_t>(1, LineCharacters() / (longest + g_samplesCharacters));
        return (m_titles.size() + columns - 1) / columns;
    }

    double Height() const
    {
        const auto lines = TitleLines() + static_cast<double>(LegendRows() + m_notes.size());
        return (m_look.isPageWide && m_count == 1 ? g_pageHeight : g_height) +
               g_line * (lines + m_nameLines + (m_count > 1 ? 1 : 0));
    }

    /** Of text in 8 points, and lines of the same width. */
    std::string Terminal() const
    {
        const bool isSvg = m_look.form == "svg";
        const bool isPng = m_look.form == "png";
        const auto* const terminal =
            isSvg   ? "svg fixed font 'sans-serif,10.7' linewidth 1.2 size {:.0f},{:.0f}"
            : isPng ? "pngcairo font 'Sans,8' fontscale 3.125 linewidth 3.5 pointscale 3.5 size "
                      "{:.0f},{:.0f}"
                    : "pdfcairo font 'Sans,8' fontscale 0.75 linewidth 1.2 pointscale 0.8 size "
                      "{:.3g}in,{:.3g}in";
        const double dots = isSvg ? g_dotsPerInch : isPng ? 300 : 1;
        return fmt::format(fmt::runtime(terminal), m_width * dots, Height() * dots);
    }

    const PlotLook& m_look;
    double m_width;
    double m_count; ///< of panels
    std::string m_settings;
    std::vector<Panel> m_panels;
    std::vector<std::string> m_titles; ///< of the legend
    std::vector<std::string> m_notes;
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
        m_y = UnitFor(data.column, values, data.words);
        m_yScale = ValueScale(Scaled(values, m_y.factor), !m_isLine);
        if (m_isLine)
        {
            m_page.SetTitle("x", m_x.unit.title);
            m_page.SetScale("x", PlaceScale(m_x.numbers, m_page.PanelLength()));
        }
        else
        {
            m_page.SetPlaces("x", m_x);
        }
        m_page.Set("rmargin 1.5");
        m_page.SetTitle("y", m_y.title);
        m_page.Set("grid ytics linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5");
        m_page.SetScale("y", m_yScale);
    }

    void DrawPanel(std::size_t panel)
    {
        m_page.BeginPanel(m_data.panels[panel]);
        for (std::size_t i = 0; i < m_data.series.size(); ++i)
        {
            DrawSeries(i, panel);
        }
        if (m_data.kind == PlotKind::PARETO)
        {
            DrawFront(panel);
        }
    }

    /**
     * Draws a box around each pair of neighbouring points of a panel between which two series change places, and says so.
     * Only points of both that differ count.
     */
    void MarkCrossings(std::size_t panel,
                       const PlotSeries& a,
                       const PlotSeries& b,
                       PlotFiles& files)
    {
        const auto& name = m_data.panels[panel];
        const auto who = (name.empty() ? "" : name + ": ") + a.name + " and " + b.name;
        constexpr double margin = 0.02; // of the axis
        const auto before = files.crossings.size();
        std::array<double, 3> last{}; // the last place at which they differ, and both values there
        for (std::size_t place = 0; place < m_data.xs.size(); ++place)
        {
            const auto one = a.MeanAt(m_data.IndexOf(panel, place));
            const auto other = b.MeanAt(m_data.IndexOf(panel, place));
            if (!one || !other || *one == *other)
            {
                continue;
            }
            const std::array<double, 3> here{
                m_x.numbers[place], *one * m_y.factor, *other * m_y.factor};
            if ((last[1] - last[2]) * (here[1] - here[2]) < 0)
            {
                const auto [least, most] = std::minmax({last[1], last[2], here[1], here[2]});
                m_page.Set(
                    fmt::format("object rectangle from {},{} to {},{} front fillstyle empty border "
                                "linecolor rgb '#000000' linewidth 0.8",
                                Figure(last[0]),
                                Figure(m_yScale.At(m_yScale.ShareOf(least) - margin)),
                                Figure(here[0]),
                                Figure(m_yScale.At(m_yScale.ShareOf(most) + margin))));
                files.crossings.push_back(fmt::format("{} cross between {} and {}{}{}",
                                                      who,
                                                      ShortFigure(last[0]),
                                                      ShortFigure(here[0]),
                                                      m_x.unit.unit.empty() ? "" : " ",
                                                      m_x.unit.unit));
                m_page.AddNote(files.crossings.back());
            }
            last = here;
        }
        if (files.crossings.size() == before)
        {
            files.notes.push_back(who + " do not cross in this picture");
        }
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
    std::string ColourOf(std::size_t series) const
    {
        constexpr std::size_t length = 7; // "#0072B2"
        const auto colours = m_isStack ? g_partColours : g_colours;
        return Quoted(colours.substr(length * series % colours.size(), length));
    }

    /** Every line has marks and dashes of its own. */
    std::string StyleOf(std::size_t i) const
    {
        constexpr std::size_t marks =
            15; // gnuplot's: full ones first, then empty ones, then crosses
        const auto mark = i % marks;
        constexpr std::size_t dashes = 5;
        return m_isLine ? fmt::format("with {} linecolor rgb {} linewidth 1.3 dashtype {} "
                                      "pointtype {} pointsize 0.6",
                                      m_isCurve                         ? "lines"
                                      : m_data.kind == PlotKind::PARETO ? "points"
                                                                        : "linespoints",
                                      ColourOf(i),
                                      i % dashes + 1,
                                      mark < 6    ? 2 * mark + 5
                                      : mark < 12 ? 2 * mark - 8
                                                  : mark - 11)
                        : fmt::format("with boxxyerror fillstyle solid 1 border linecolor rgb "
                                      "'#333333' linewidth 0.4 fillcolor rgb {}",
                                      ColourOf(i));
    }

    double BarWidth() const
    {
        constexpr double used = 0.8; // of a place
        return m_isStack ? used : used / static_cast<double>(m_data.series.size());
    }

    double PlaceOf(std::size_t place, std::size_t series) const
    {
        const auto fromCentre = m_isStack ? 0
                                          : static_cast<double>(series) -
                                                static_cast<double>(m_data.series.size() - 1) / 2;
        return m_isLine ? m_x.numbers[place] : static_cast<double>(place) + fromCentre * BarWidth();
    }

    /** Place, mean, and from where to where, of a series in a panel; a line has a gap where there is no result. */
    PlotRows RowsOf(std::size_t series, std::size_t panel) const
    {
        PlotRows rows;
        const auto& points = m_data.series[series].points;
        const auto end = points.lower_bound(m_data.IndexOf(panel + 1, 0));
        for (auto point = points.lower_bound(m_data.IndexOf(panel, 0)); point != end; ++point)
        {
            const auto& [mean, from, to] = point->second;
            if (mean || m_isLine)
            {
                const auto gap = std::numeric_limits<double>::quiet_NaN();
                const auto factor = mean ? m_y.factor : gap;
                rows.push_back({PlaceOf(point->first - m_data.IndexOf(panel, 0), series),
                                mean.value_or(gap) * factor,
                                from * factor,
                                to * factor});
            }
        }
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
        const auto half = Figure(BarWidth() / 2);
        m_page.Draw(
            fmt::format("{}{}{}, {}, {}from, to",
                        m_data.panels[panel].empty() ? "" : m_data.panels[panel] + "; ",
                        series.name.empty() ? "" : series.name + ": ",
                        m_isLine ? m_x.unit.title : "place",
                        m_y.title,
                        m_isStack || m_isCurve ? "" : "95 % "),
            rows,
            m_isLine ? "1:2"
                     : fmt::format("1:2:($1-{0}):($1+{0}):{1}",
                                   half,
                                   m_isStack
                                       ? "3:4"
                                       : "(" + Figure(m_yScale.isLog ? m_yScale.least : 0) + "):2"),
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

    const PlotData& m_data;
    Page& m_page;
    bool m_isLine;
    bool m_isCurve;
    bool m_isStack;
    Places m_x;
    AxisUnit m_y;
    AxisScale m_yScale;
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
    throw InputError(
        fmt::format("--crossover: must be the names of two series, A,B, of '{}'; got '{}'",
                    fmt::join(known, "', '"),
                    names));
}

/** Two keys, each value a colour and a figure; none where there is no result. */
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
    for (const auto& one : series)
    {
        names.push_back(one.text);
        for (const auto& [place, point] : one.points)
        {
            values.insert(values.end(), point.mean.has_value(), point.mean.value_or(0));
        }
    }
    const auto unit = UnitFor(data.column, values, data.words);
    auto scale = ValueScale(Scaled(values, unit.factor));
    const bool isRatio = data.column == GAIN_COLUMN;
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    if (isRatio && *least > 0) // as far below 1 as above
    {
        const auto most = std::max({1.1, *greatest, 1 / *least});
        scale = {true, 1 / most, most, {1 / most, 1, most}};
    }
    page.Set(isRatio ? g_ratioPalette : g_palette);
    page.Set("border 0");
    page.Set("cbtics scale 0");
    page.SetPlaces("x", {data.xColumn, data.xIsNumber, data.xs});
    page.SetPlaces("y", {data.seriesColumns.front(), data.seriesAreNumbers, names});
    page.AddNote("cells: " + unit.title);
    page.SetScale("cb", scale);
    for (std::size_t panel = 0; panel < data.panels.size(); ++panel)
    {
        PlotRows rows; // column, row, mean
        for (std::size_t i = 0; i < series.size() * data.xs.size(); ++i)
        {
            const auto place = i % data.xs.size();
            const auto row = i / data.xs.size();
            if (const auto mean = series[row].MeanAt(data.IndexOf(panel, place)))
            {
                rows.push_back(
                    {static_cast<double>(place), static_cast<double>(row), *mean * unit.factor});
            }
        }
        page.BeginPanel(data.panels[panel]);
        page.Draw(
            fmt::format("column, row, {}", unit.title),
            rows,
            "1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3",
            "with boxxyerror fillstyle solid 1 border linecolor rgb 'white' fillcolor palette");
        if (constexpr double figure = 2.7; !rows.empty() && page.HasRoomFor(data.xs.size(), figure))
        {
            page.DrawAgain("1:2:(sprintf($3<10?'%.2g':'%.0f',$3))",
                           fmt::format("with labels font ',{:.3g}'", page.FontSize(g_smallPoints)));
        }
    }
}

/** Draws all panels, and marks the targets and crossings that are asked for in each; what there is to be said of them goes to @p files. */
void
DrawPanels(const PlotData& data, const PlotLook& look, Page& page, PlotFiles& files)
{
    SeriesPicture picture(data, page);
    for (std::size_t panel = 0; panel < data.panels.size(); ++panel)
    {
        picture.DrawPanel(panel);
        for (const auto target : look.targets)
        {
            picture.MarkTarget(panel, target);
        }
        for (const auto& names : look.crossovers)
        {
            const auto [a, b] = SeriesNamed(data, names);
            picture.MarkCrossings(panel, *a, *b, files);
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
        files.notes.push_back(fmt::format("rows left out as {}: {}", status, count));
    }
    data.kind == PlotKind::HEAT ? DrawHeat(data, page) : DrawPanels(data, look, page, files);
    page.Write(files);
    return files;
}

} // namespace inca
