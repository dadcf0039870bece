/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-lines.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "record/sample.h"
#include "report/plot-crossing.h"
#include "report/plot-labels.h"
#include "report/plot-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

namespace inca
{

namespace
{

constexpr double g_gap = std::numeric_limits<double>::quiet_NaN();

/** One series, in the units of the axes. */
struct Line
{
    std::vector<PlotPoint> points;
    std::vector<std::vector<double>>
        rows;                    ///< x, mean, and the interval's ends; gaps of what is not done
    std::vector<double> notDone; ///< their x
    bool hasIntervals{false};
};

std::string
MarkOf(std::size_t series)
{
    static const std::array<int, 8> marks{7, 5, 9, 13, 11, 6, 4, 8}; // gnuplot's: full ones first
    return fmt::format("linecolor rgb '{}' pointtype {}",
                       SeriesColour(series),
                       marks.at((series + series / marks.size()) % marks.size()));
}

std::string
StyleOf(std::size_t series)
{
    constexpr std::size_t dashes = 4;
    return fmt::format(
        "{} pointsize 0.6 linewidth 1.3 dashtype {}", MarkOf(series), series % dashes + 1);
}

/** Works on one picture of lines. */
class LinePicture
{
  public:
    LinePicture(const PlotData& data, PlotPage& page)
        : m_data(data),
          m_page(page)
    {
        Measure();
        for (const auto& series : data.series)
        {
            m_lines.push_back(LineOf(series));
        }
    }

    void Draw()
    {
        m_page.SetTitle("x", m_x.title);
        m_page.SetTitle("y", m_y.title);
        m_page.Set("grid ytics linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5");
        m_page.SetScale("x", m_xScale);
        m_page.SetScale("y", m_yScale);
        for (std::size_t i = 0; i < m_lines.size(); ++i)
        {
            DrawLine(i);
        }
        DrawNotDone();
    }

    void MarkCrossings(const std::string& names)
    {
        const auto [a, b] = PairOf(names);
        const auto crossings =
            Crossings(m_lines[a].points, m_lines[b].points, {m_xScale, m_yScale});
        if (crossings.empty())
        {
            m_page.Note(fmt::format("{} and {} do not cross in this picture",
                                    m_data.series[a].name,
                                    m_data.series[b].name));
            return;
        }
        std::vector<std::vector<double>> rows;
        for (const auto& crossing : crossings)
        {
            rows.push_back({crossing.x, crossing.y});
            m_labels.push_back(
                {fmt::format("{:.3g}{}{}", crossing.x, m_x.unit.empty() ? "" : " ", m_x.unit),
                 crossing});
        }
        const auto block = m_page.AddBlock("crossovers of " + names, rows);
        m_page.Draw(
            block,
            "using 1:2 with points pointtype 6 pointsize 1.2 linewidth 1.5 linecolor rgb 'black'");
    }

    /** Writes the values at the marks, where lines and other values leave room. */
    void LabelCrossings()
    {
        std::vector<std::vector<PlotPoint>> lines;
        for (const auto& line : m_lines)
        {
            lines.push_back(line.points);
        }
        for (const auto& label : PlaceLabels(m_labels, lines, {m_xScale, m_yScale}))
        {
            m_page.Set(fmt::format("label {} at {},{} {} front",
                                   Quoted(label.text),
                                   Figure(label.at.x),
                                   Figure(label.at.y),
                                   label.endsThere ? "right" : "left"));
        }
    }

  private:
    /** Units, from the figures as they are in the columns; then scales. */
    void Measure()
    {
        std::vector<double> xs;
        for (const auto& x : m_data.xs)
        {
            xs.push_back(*NumberOf(x));
        }
        std::vector<double> values;
        for (const auto& series : m_data.series)
        {
            for (const auto& cell : series.cells)
            {
                AddEnds(cell.values.front(), values);
            }
        }
        m_x = UnitFor(m_data.xColumn, xs);
        m_y = UnitFor(m_data.columns.front(), values);
        const auto scale = [](std::vector<double> figures, double factor) {
            for (auto& figure : figures)
            {
                figure *= factor;
            }
            return figures;
        };
        m_xScale = PlaceScale(scale(xs, m_x.factor));
        m_yScale = ValueScale(scale(values, m_y.factor));
    }

    static void AddEnds(const std::vector<double>& runs, std::vector<double>& values)
    {
        if (!runs.empty())
        {
            const auto sample = SampleOf(runs);
            values.push_back(sample.mean - sample.margin);
            values.push_back(sample.mean + sample.margin);
        }
    }

    Line LineOf(const PlotSeries& series) const
    {
        Line line;
        for (const auto& cell : series.cells)
        {
            const auto x = *NumberOf(m_data.xs[cell.x]) * m_x.factor;
            const auto& runs = cell.values.front();
            if (!cell.notDone.empty())
            {
                line.notDone.push_back(x);
            }
            if (runs.empty())
            {
                line.rows.push_back({x, g_gap, g_gap, g_gap});
                continue;
            }
            const auto sample = SampleOf(runs);
            const auto mean = sample.mean * m_y.factor;
            const auto margin = sample.margin * m_y.factor;
            line.points.push_back({x, mean});
            line.rows.push_back({x, mean, mean - margin, mean + margin});
            line.hasIntervals = line.hasIntervals || runs.size() > 1;
        }
        return line;
    }

    void DrawLine(std::size_t i)
    {
        const auto& line = m_lines[i];
        const auto& name = m_data.series[i].name;
        if (line.points.empty())
        {
            m_page.AddToLegend("with linespoints " + StyleOf(i), name);
            return;
        }
        const auto block = m_page.AddBlock((name.empty() ? "" : name + ": ") + m_x.title + ", " +
                                               m_y.title + ", 95 % from, to",
                                           line.rows);
        m_page.Draw(block, "using 1:2 with linespoints " + StyleOf(i), name);
        if (line.hasIntervals)
        {
            m_page.Draw(block, IntervalStyle(SeriesColour(i)));
        }
    }

    /** Crosses at the axis, those of each series a bit higher than those of the one before. */
    void DrawNotDone()
    {
        constexpr double step = 0.045; // of the axis' length
        std::size_t height = 0;
        for (std::size_t i = 0; i < m_lines.size(); ++i)
        {
            std::vector<std::vector<double>> rows;
            for (const auto x : m_lines[i].notDone)
            {
                rows.push_back({x, m_yScale.At(step * static_cast<double>(height + 1))});
            }
            if (!rows.empty())
            {
                ++height;
                const auto block = m_page.AddBlock(m_data.series[i].name + ": not done", rows);
                m_page.Draw(
                    block,
                    fmt::format("using 1:2 with points pointtype 2 pointsize 0.8 linewidth 1.5 "
                                "linecolor rgb '{}'",
                                SeriesColour(i)));
            }
        }
        if (height > 0)
        {
            m_page.AddToLegend(
                "with points pointtype 2 pointsize 0.8 linewidth 1.5 linecolor rgb 'black'",
                NotDoneNames(m_data));
        }
    }

    /** Names may hold commas: any of them may be the one between. */
    std::pair<std::size_t, std::size_t> PairOf(const std::string& text) const
    {
        for (auto comma = text.find(','); comma != std::string::npos;
             comma = text.find(',', comma + 1))
        {
            const auto a = Find(text.substr(0, comma));
            const auto b = Find(text.substr(comma + 1));
            if (a < m_lines.size() && b < m_lines.size())
            {
                return {a, b};
            }
        }
        throw InputError("--crossover: must be the names of two series, A,B; " + Complaint(text));
    }

    std::size_t Find(const std::string& name) const
    {
        const auto found =
            std::find_if(m_data.series.begin(), m_data.series.end(), [&name](const auto& series) {
                return series.name == name;
            });
        return static_cast<std::size_t>(found - m_data.series.begin());
    }

    std::string Complaint(const std::string& text) const
    {
        std::vector<std::string> names;
        for (const auto& series : m_data.series)
        {
            names.push_back(series.name);
        }
        const auto comma = text.find(',');
        const auto first = text.substr(0, comma);
        return comma == std::string::npos            ? "got '" + text + "'"
               : Find(first) == m_data.series.size() ? UnknownName(first, names)
                                                     : UnknownName(text.substr(comma + 1), names);
    }

    const PlotData& m_data;
    PlotPage& m_page;
    AxisUnit m_x;
    AxisUnit m_y;
    AxisScale m_xScale;
    AxisScale m_yScale;
    std::vector<Line> m_lines;
    std::vector<PlotLabel> m_labels; ///< of crossovers
};

} // namespace

void
DrawLines(const PlotData& data, const std::vector<std::string>& crossovers, PlotPage& page)
{
    LinePicture picture(data, page);
    picture.Draw();
    for (const auto& crossover : crossovers)
    {
        picture.MarkCrossings(crossover);
    }
    picture.LabelCrossings();
}

} // namespace inca
