/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_RESULT_ROW_H
#define INCA_RECORD_RESULT_ROW_H

#include "inca/record/run-record.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** One column of results or origin: the only place that knows its name, and how its text is made. */
struct ResultColumn
{
    std::string name;                                  ///< with the unit in it
    std::function<std::string(const RunRecord&)> text; ///< empty: does not apply
    std::string meaning;                               ///< for people
    bool isName{false};                                ///< a text, even if it looks like a number
};

/** Results, then origin, in the order of a row; the scenario's settings stand before them. */
const std::vector<ResultColumn>& ResultColumns();

/** @return what a column of a row means, for people; empty if it is none */
std::string MeaningOfColumn(std::string_view name);

/** How a column's name ends, and what unit that is. */
struct ColumnUnit
{
    std::string_view ending; ///< "_gbps"
    std::string_view unit;   ///< "Gbit/s"
    std::string_view base{}; ///< "bit/s", which takes prefixes; empty: the unit takes none
    double factor{1};        ///< of the column's figures, to be in the base
};

/** @return what @p name ends in, or null */
const ColumnUnit* FindColumnUnit(std::string_view name);

/** @return the unit that a column's name ends in: "Gbit/s" of "busbw_gbps"; empty if it has none */
std::string UnitOfColumn(std::string_view name);

/** One figure or name of a row. */
struct RowCell
{
    std::string column;
    std::string text; ///< empty: does not apply
    bool isName{false};
};

/** A result as it stands in CSV files, JSON lines and tables. */
using Row = std::vector<RowCell>;

/** Whose row it is, and how it went: the first columns of every row. */
struct RowHead
{
    std::string label;                  ///< of its system
    std::optional<std::uint64_t> point; ///< number in its sweep; empty: it is of none
    std::string status{"done"};         ///< done, refused, failed or timeout
    std::vector<std::string> warnings;  ///< of a point that is not done: why not
};

/** The head's columns: label, point, status, warnings (one after the other, with " | " between them). */
Row HeadCells(const RowHead& head);

/** Results, without their origin. */
Row FigureCells(const RunRecord& record);

/** The columns of ResultColumns(). */
Row ResultCells(const RunRecord& record);

/** The same columns of a point without results: its origin alone. */
Row OriginCells(const RunOrigin& origin);

/** The whole row: @p head, @p settings, @p results, in this order. */
Row JoinRow(const RowHead& head, const Row& settings, const Row& results);

/** The last columns of a sweep that compares its points with a system (`inca sweep --against`). @{ */
constexpr const char* GAIN_COLUMN = "gain";
constexpr const char* GAIN_LOW_COLUMN = "gain_low";
constexpr const char* GAIN_HIGH_COLUMN = "gain_high";
/** @} */

/** @return the column of one end of a figure's range: "iteration_time_low_s" of "iteration_time_s" and "low" */
std::string FigureColumn(const std::string& column, const std::string& figure);

/** The row of a run that is no part of a sweep. */
Row RowOf(const RunRecord& record);

/** @return the text of that column, empty if there is none */
std::string CellText(const Row& row, std::string_view column);

/** The line of the columns' names; the same for all rows of one version. @{ */
std::string CsvHeader(const Row& row);
std::string CsvHeader(const RunRecord& record);
/** @} */

/** The line of the columns' texts. @{ */
std::string CsvRow(const Row& row);
std::string CsvRow(const RunRecord& record);
/** @} */

/** The line as a JSON object: numbers as they stand in CSV, null for what does not apply, warnings as a list. */
std::string JsonLineOf(const Row& row);

} // namespace inca

#endif // INCA_RECORD_RESULT_ROW_H
