/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_PAGE_H
#define INCA_REPORT_PLOT_PAGE_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** What stands at an axis, and what its column's figures are multiplied by to be in that unit. */
struct AxisUnit
{
    std::string title; ///< "iteration time (ms)"
    std::string unit;  ///< "ms"; empty: counts something
    double factor{1};
};

/** The unit in which the largest of @p values has one to three digits before the point. */
AxisUnit UnitFor(const std::string& column, const std::vector<double>& values);

/** A figure or name of a column where none stands beside it: "10 Gbit/s", "4 workers", "ring". */
std::string ValueName(const std::string& column, const std::string& text);

/** Where an axis begins and ends. */
struct AxisScale
{
    bool isLog{false};
    double least{0};
    double most{1};
    std::vector<double> ticks; ///< empty: gnuplot chooses them

    /** @return what is that share of the axis' length from its beginning on */
    double At(double share) const;

    /** @return the share of the length at which @p value stands */
    double ShareOf(double value) const;
};

/**
 * The scale of values: logarithmic where they span a decade; from zero where they come near it.
 * @param values at least one
 * @param ofBars their lengths say how much: the scale is from zero, and logarithmic only over two decades
 */
AxisScale ValueScale(const std::vector<double>& values, bool ofBars = false);

/** The scale of what is varied: ticks where it was simulated, if there is room for them. */
AxisScale PlaceScale(const std::vector<double>& places);

/** What a picture is written as. */
enum class PictureForm
{
    SVG,
    PNG,
    PDF,
};

/** A script of gnuplot's and the data that it draws; neither names any other file. */
struct PlotFiles
{
    std::string script;             ///< plot.gp: reads plot.dat, writes the picture
    std::string data;               ///< plot.dat: blocks of numbers, two empty lines between
    std::string picture;            ///< "plot.svg"
    std::vector<std::string> notes; ///< to be told
};

using PlotRows = std::vector<std::vector<double>>;

/**
 * A text as gnuplot's scripts hold it: in single quotes, in which nothing else means anything; one that
 * has such quotes itself in double ones, what means anything there by its octal number. Control
 * characters, a line feed as well, become '?'.
 */
std::string Quoted(std::string_view text);

/** @return @p text with at most @p most characters, of which the last is "…" if some are left out */
std::string Shortened(std::string_view text, std::size_t most);

/** A number as scripts and data have it. */
std::string Figure(double number);

/** "4 significant digits at most", for ticks and labels: "0.25", "1e+06". */
std::string ShortFigure(double number);

/**
 * Puts a script together: what is set, then what is drawn. Pictures are 3.3 inches wide, a column of a
 * paper, with all text in 8 points; the legend stands above, and the picture grows with it.
 */
class PlotPage
{
  public:
    /** Adds a line before the drawing: "xlabel 'workers'". */
    void Set(const std::string& line);

    /** Names an axis. @param axis "x", "y" or "cb" */
    void SetTitle(const std::string& axis, const std::string& title);

    /** Sets an axis' ends, scale and ticks, in the axis' unit. */
    void SetScale(const std::string& axis, const AxisScale& scale);

    /** Sets ticks with names at 0, 1, ...; they are upright where there is no room side by side. */
    void SetNames(const std::string& axis, std::vector<std::string> names);

    /**
     * Draws rows of numbers; of none there is only the entry of the legend.
     * @param name says in the data what they are @param columns "1:2" @param style "with lines"
     * @param title of the legend; empty: there is no entry
     */
    void Draw(const std::string& name,
              const PlotRows& rows,
              const std::string& columns,
              const std::string& style,
              const std::string& title = "");

    /** Draws the rows of the last Draw() in another way, too. */
    void DrawAgain(const std::string& columns, const std::string& style);

    PlotFiles Files(PictureForm form) const;

  private:
    std::string Terminal(PictureForm form) const;
    std::size_t LegendColumns() const;

    std::string m_settings;
    std::vector<std::string> m_drawn;
    std::vector<std::string> m_titles; ///< of the legend
    std::string m_data;
    std::size_t m_blocks{0};
    double m_nameLines{0}; ///< lines of text that upright ticks take more than others
};

} // namespace inca

#endif // INCA_REPORT_PLOT_PAGE_H
