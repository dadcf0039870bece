/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_PAGE_H
#define INCA_REPORT_PLOT_PAGE_H

#include "report/plot-axis.h"

#include <cstddef>
#include <string>
#include <vector>

namespace inca
{

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

/** The most characters of a series' or a tick's name that are shown whole. */
constexpr std::size_t MOST_NAME{40};

/** The colours of series, by Okabe and Ito: for all eyes; neighbours differ in grey, too. */
std::string SeriesColour(std::size_t series);

/** The same, each shade lighter than the one before; 0: the colour itself. */
std::string SeriesColour(std::size_t series, std::size_t shade);

/** How intervals are drawn of a block whose third and fourth figures are their ends. */
std::string IntervalStyle(const std::string& colour);

/**
 * Puts a script together: what is set, then what is drawn. Pictures are 3.3 inches wide, a column of a
 * paper, with all text in 8 points; the legend stands above, and the picture grows with it.
 */
class PlotPage
{
  public:
    /** A line before the drawing. @{ */
    void Set(const std::string& line);
    void Unset(const std::string& line);
    /** @} */

    /** The title of an axis. @param axis "x", "y" or "cb" */
    void SetTitle(const std::string& axis, const std::string& title);

    /** An axis' ends, scale and ticks. @param factor of its unit, applied already */
    void SetScale(const std::string& axis, const AxisScale& scale);

    /** Ticks with names at 0, 1, ...; upright where there is no room side by side. */
    void SetNames(const std::string& axis,
                  const std::vector<double>& at,
                  std::vector<std::string> names);

    /** @param name says in the data what it is @param rows of numbers @return its number */
    std::size_t AddBlock(const std::string& name, const std::vector<std::vector<double>>& rows);

    /** Draws a block. @param how "using 1:2 with lines" @param title of the legend; empty: none */
    void Draw(std::size_t block, const std::string& how, const std::string& title = "");

    /** Something of the legend that is not drawn, or of which there are several. */
    void AddToLegend(const std::string& how, const std::string& title);

    /** To be told to the user. */
    void Note(const std::string& note);

    PlotFiles Files(PictureForm form) const;

  private:
    std::string Terminal(PictureForm form) const;
    std::string Legend() const;
    std::size_t LegendColumns() const;

    std::string m_settings;
    std::vector<std::string> m_drawn;
    std::vector<std::string> m_titles; ///< of the legend
    std::string m_data;
    std::size_t m_blocks{0};
    double m_nameLines{0}; ///< lines of text that ticks which stand take more than others
    std::vector<std::string> m_notes;
};

} // namespace inca

#endif // INCA_REPORT_PLOT_PAGE_H
