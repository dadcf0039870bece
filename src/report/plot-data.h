/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_DATA_H
#define INCA_REPORT_PLOT_DATA_H

#include "report/csv-table.h"
#include "report/plot-choice.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace inca
{

/** Columns of a single value that was published as a range: its ends. @{ */
constexpr const char* RANGE_FROM{"range_from"};
constexpr const char* RANGE_TO{"range_to"};
/** @} */

/** One place of a series: the runs of one point with all its seeds. */
struct PlotCell
{
    std::string notDone; ///< "refused", "failed" or "timeout" if a row is that
    std::vector<std::vector<double>>
        values;                  ///< for each of what is drawn, of each run; empty: none
    std::vector<double> range{}; ///< of a single value that was published as one: from, to
    std::map<std::string, unsigned> lines; ///< of the table, by their seeds
};

/** What shares a colour. */
struct PlotSeries
{
    std::string name;                      ///< empty: the only one
    std::string text;                      ///< of its first column
    std::size_t colour{0};                 ///< its number, unless it is another's shade
    std::size_t shade{0};                  ///< 0: the full colour
    std::map<std::size_t, PlotCell> cells; ///< by the index of their place
};

/** What is drawn, in the units of the columns. */
struct PlotData
{
    PlotKind kind{PlotKind::LINE};
    std::string xColumn; ///< empty: there is none
    bool xIsNumber{false};
    std::vector<std::string> xs;      ///< numbers in their order, names as they come
    std::string seriesColumn;         ///< empty: series differ in none or several
    bool seriesAreNumbers{false};     ///< that column's
    std::vector<std::string> columns; ///< of the values
    std::vector<PlotSeries> series;
};

/**
 * @throws InputError if two rows that are no runs of different seeds are at the same place, or there are no
 *         values, or too many series
 */
PlotData CollectPlot(const CsvTable& table, const PlotChoice& choice);

/** What is said of points that have no result: "refused", "failed, refused". */
std::string NotDoneNames(const PlotData& data);

} // namespace inca

#endif // INCA_REPORT_PLOT_DATA_H
