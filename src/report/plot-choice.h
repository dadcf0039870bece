/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_CHOICE_H
#define INCA_REPORT_PLOT_CHOICE_H

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

/** Which columns are drawn, and how: indices of a table's columns. */
struct PlotChoice
{
    PlotKind kind{PlotKind::LINE};
    std::optional<std::size_t> x; ///< empty: a stack of rows in which nothing varies
    std::vector<std::size_t> y;   ///< one; several of a stack
    std::vector<std::size_t> series;
    std::optional<std::size_t> shade; ///< one of series
};

/** @return whether a column holds numbers; labels are names, whatever they look like */
bool IsNumeric(const CsvTable& table, std::size_t column);

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
 * Draws all that varies: over the numbers of which there are most, else over the first names; all else
 * sets series apart. Values are those of iteration_time_s.
 * @throws InputError for an unknown column, naming the nearest, and what cannot be drawn like that
 */
PlotChoice ChoosePlot(const CsvTable& table, const PlotNames& names, const PlotRequest& request);

/**
 * The rows for which an expression of SQL over columns and keys holds: "workers <= 64 and label != 'ring'".
 * What is a number counts as one, an empty field is NULL, with which no comparison holds.
 * @throws InputError naming --where if it is none, or holds for no row
 */
CsvTable RowsWhere(const CsvTable& table, const PlotNames& names, const std::string& expression);

} // namespace inca

#endif // INCA_REPORT_PLOT_CHOICE_H
