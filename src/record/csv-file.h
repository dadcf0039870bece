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
 * @throws InputError if the path is no place for a file, the file has another header or ends within
 *         a line; RunError if it cannot be written. A file that was not there is not there then.
 */
void AppendCsv(const std::string& path, const std::string& header, const std::string& row);

/**
 * Says before a long run what AppendCsv would say after it, as far as it is known then; writes
 * nothing.
 * @throws InputError as AppendCsv
 */
void CheckCsv(const std::string& path, const std::string& header);

} // namespace inca

#endif // INCA_RECORD_CSV_FILE_H
