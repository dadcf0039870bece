/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_CSV_TABLE_H
#define INCA_REPORT_CSV_TABLE_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** One row of a CSV file. */
struct CsvTableRow
{
    unsigned line; ///< of the file, from 1: where it begins
    std::vector<std::string> fields;
};

/** A CSV file with a header, as the program writes them (RFC 4180), or a script. */
struct CsvTable
{
    std::string path;
    std::vector<std::string> columns;
    std::vector<CsvTableRow> rows; ///< each with as many fields as there are columns

    /** @return the index of that column */
    std::optional<std::size_t> Find(std::string_view column) const;
};

/** @throws InputError naming file and line; Interrupted */
CsvTable ReadCsvTable(const std::string& path);

/** The same of what a file holds. @param path for complaints */
CsvTable ParseCsvTable(const std::string& path, std::string_view text);

/** @return the finite number that all of @p text is */
std::optional<double> NumberOf(std::string_view text);

} // namespace inca

#endif // INCA_REPORT_CSV_TABLE_H
