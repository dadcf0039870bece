/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_SCRIPT_H
#define INCA_REPORT_PLOT_SCRIPT_H

#include "report/plot-data.h"

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

/** How a picture looks, and what is marked in it. */
struct PlotLook
{
    PictureForm form{PictureForm::SVG};
    bool isPageWide{false};                ///< 7 inches, both columns of a paper; else 3.3, one
    std::string title{};                   ///< above all; empty: none
    std::vector<std::string> crossovers{}; ///< each "A,B", of lines: where these two series cross
};

/** A script of gnuplot's and the data that it draws; neither names any other file. */
struct PlotFiles
{
    std::string script;                 ///< plot.gp: reads plot.dat, writes the picture
    std::string data;                   ///< plot.dat: blocks of numbers, two empty lines between
    std::string picture;                ///< "plot.svg"
    std::vector<std::string> crossings; ///< a sentence for each that is marked
    std::vector<std::string> notes;     ///< what may be done better
};

/** What gnuplot draws of @p data. @throws InputError if a crossover cannot be marked */
PlotFiles ScriptOf(const PlotData& data, const PlotLook& look);

/**
 * Runs gnuplot in a folder of its own, which is gone afterwards.
 * @return the picture's bytes
 * @throws RunError if gnuplot is not there, saying how to install it, or draws no whole picture; Interrupted
 */
std::string DrawWithGnuplot(const PlotFiles& files);

} // namespace inca

#endif // INCA_REPORT_PLOT_SCRIPT_H
