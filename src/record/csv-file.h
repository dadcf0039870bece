/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_CSV_FILE_H
#define INCA_RECORD_CSV_FILE_H

#include <string>

namespace inca
{

/**
 * Adds one line to a CSV file: makes the file, with @p header, if it is not there or empty. Either
 * the whole line is in the file afterwards, or the file is as it was. Several processes may append
 * to the same file.
 * @param header, row whole lines, as CsvLine makes them
 * @throws InputError if the file has another header or ends within a line; RunError if it cannot be
 *         opened or written
 */
void AppendCsv(const std::string& path, const std::string& header, const std::string& row);

/**
 * Writes a file whole, or leaves what was there: a new file beside it takes its name at the end.
 * @throws RunError naming the file
 */
void WriteWholeFile(const std::string& path, const std::string& text);

} // namespace inca

#endif // INCA_RECORD_CSV_FILE_H
