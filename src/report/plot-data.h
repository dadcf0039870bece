/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_DATA_H
#define INCA_REPORT_PLOT_DATA_H

#include "report/csv-table.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** How values are drawn. */
enum class PlotKind
{
    LINE,  ///< over numbers
    BAR,   ///< side by side, over names or numbers
    STACK, ///< the parts of the time, one on the other
    HEAT,  ///< two keys, values as colours
};

/** Every kind's name: "line". */
const std::vector<std::string>& PlotKindNames();
const std::string& PlotKindName(PlotKind kind);

/** @throws InputError that names --kind and the nearest */
PlotKind PlotKindOf(const std::string& name);

/** What the user asks for; what is empty is chosen. */
struct PlotRequest
{
    std::string x;
    std::string y;
    std::string series;           ///< "label", or several: "label,cluster.workers"
    std::optional<PlotKind> kind; ///< of the picture
};

/** What a result row's columns are called in scenarios. */
struct PlotNames
{
    std::vector<std::string> settings;           ///< columns of settings, "label" first
    std::map<std::string, std::string> ofKeys{}; ///< column of a key: "cluster.bandwidth"
    std::string shade{}; ///< series that differ in this column alone have shades of one colour
};

/** Columns of a single value that is a range: its ends. @{ */
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

/** Points that share a colour. */
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
    std::vector<std::string> xs;            ///< numbers in their order, names as they come
    std::vector<std::string> seriesColumns; ///< in which series differ
    bool seriesAreNumbers{false};           ///< of the only such column
    std::string column;                     ///< of the values
    std::vector<PlotSeries> series;
};

/** @return the index of what the user calls @p name. @throws InputError naming @p option and the nearest */
std::size_t ColumnOf(const CsvTable& table,
                     const PlotNames& names,
                     const std::string& name,
                     const std::string& option);

/**
 * Settings in which rows differ, without those that others decide: where workers and bandwidth move
 * together, only workers. A setting that does not apply to a row says nothing there.
 * @param first columns that come before the others, whatever they hold
 */
std::vector<std::size_t> VariedColumns(const CsvTable& table,
                                       const PlotNames& names,
                                       const std::vector<std::size_t>& first = {});

/**
 * Takes all that varies: over the numbers of which there are most, else over the first names; all else
 * sets series apart. Values are those of iteration_time_s.
 * @throws InputError for an unknown column, naming the nearest; for what cannot be drawn like that; if two rows that
 *         are no runs of different seeds are at the same place, or there are no values, or too many series
 */
PlotData CollectPlot(const CsvTable& table, const PlotNames& names, const PlotRequest& request);

} // namespace inca

#endif // INCA_REPORT_PLOT_DATA_H
