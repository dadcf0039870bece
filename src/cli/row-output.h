/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_ROW_OUTPUT_H
#define INCA_CLI_ROW_OUTPUT_H

#include "inca/record/result-row.h"

#include <functional>
#include <string>
#include <vector>

namespace CLI
{
class App;
} // namespace CLI

namespace inca
{

/** Which of many rows' columns are shown, and how. */
struct RowFormat
{
    std::vector<std::string> columns; ///< in this order; {} = all
    bool json{false};                 ///< lines of JSON, not CSV
};

/** A row whose columns are those of every row of this version; empty but for defaults. */
Row EmptyRow(bool hasGains = false);

/** Adds --columns and --json. */
void AddRowOptions(CLI::App& command, RowFormat& format);

/** @throws InputError if rows have no such column, naming the nearest */
void CheckColumns(const RowFormat& format);

/** @return @p row's columns as @p format picks them */
Row Picked(const RowFormat& format, const Row& row);

/** Takes rows that all have the same columns, as Picked has left them. */
using RowSink = std::function<void(const Row&)>;

/** Prints CSV, or JSON, to stdout. */
RowSink PrintRows(const RowFormat& format);

/**
 * Adds rows to a CSV file, those that are not there yet: a sweep that goes on doubles none.
 * @param hasGains whether the rows have the column of gains
 * @throws as CsvOutput, before a long run
 */
RowSink AppendRows(const RowFormat& format, bool hasGains, const std::string& path);

} // namespace inca

#endif // INCA_CLI_ROW_OUTPUT_H
