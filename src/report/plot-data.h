/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_DATA_H
#define INCA_REPORT_PLOT_DATA_H

#include "report/csv-table.h"
#include "report/plot-choice.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** Columns of a single value that was published as a range: its ends. @{ */
constexpr const char* RANGE_FROM{"range_from"};
constexpr const char* RANGE_TO{"range_to"};
/** @} */

/** One place of a series: the runs of one point with all its seeds. */
struct PlotPoint
{
    std::optional<double> mean; ///< of the runs; empty: none has the value
    double from{0}; ///< of 95 % of confidence, of what was published, or of a stack's part
    double to{0};
    std::string notDone; ///< "refused", "failed" or "timeout" if a row is that
};

/** What shares a colour. */
struct PlotSeries
{
    std::string name;                        ///< empty: the only one
    std::string text;                        ///< of its first column
    std::size_t colour{0};                   ///< its number
    std::size_t shade{0};                    ///< 0: the full colour
    std::map<std::size_t, PlotPoint> points; ///< by the index of their place
};

/** What is drawn: series of points at places, in the units of the columns. The series of a stack are its parts. */
struct PlotData
{
    PlotKind kind{PlotKind::LINE};
    std::string xColumn; ///< empty: places are names of nothing in particular
    bool xIsNumber{false};
    std::vector<std::string> xs; ///< numbers in their order, names as they come
    std::string seriesColumn;    ///< empty: series differ in none or several
    bool seriesAreNumbers{false};
    std::string column; ///< of the values
    std::vector<PlotSeries> series;
};

/**
 * @throws InputError if two rows that are no runs of different seeds are at the same place, or there are no
 *         values, or too many series
 */
PlotData CollectPlot(const CsvTable& table, const PlotChoice& choice);

/** @return whether a table is one of comparisons, as `inca validate --csv` writes them */
bool HoldsComparisons(const CsvTable& table);

/** One figure of a validation, a row for what is predicted and one for what is published. */
struct ComparisonRows
{
    CsvTable table;
    PlotNames names; ///< of its settings: system, model, source
    std::string y;   ///< the column of values: "communication_s"
    std::vector<std::string> notes;
};

/** Takes the first figure of @p table that something is published of; notes which others there are. */
ComparisonRows RowsOfComparisons(const CsvTable& table);

} // namespace inca

#endif // INCA_REPORT_PLOT_DATA_H
