/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_CSV_FILE_H
#define INCA_RECORD_CSV_FILE_H

#include <memory>
#include <string>

namespace inca
{

class OpenFile;

/**
 * Adds one line to a CSV file: makes the file, with @p header, if it is not there or empty. Either
 * the whole line is in the file afterwards, or the file is as it was. Several processes may append
 * to the same file. A line without a line feed at the file's end is one that a killed process has left:
 * it is cut off, if the lines before it, or it itself, begin with @p header.
 * @param header, row whole lines, as CsvLine makes them
 * @return what was cut off, to be told; usually empty
 * @throws InputError if the path is no place for a file, the file has another header or ends within a
 *         line that cannot be cut off; RunError if it cannot be written. A file that was not there is
 *         not there then.
 */
std::string AppendCsv(const std::string& path, const std::string& header, const std::string& row);

/**
 * Says before a long run what AppendCsv would say after it, as far as it is known then; writes
 * nothing.
 * @throws InputError as AppendCsv
 */
void CheckCsv(const std::string& path, const std::string& header);

/**
 * Where the rows of one or of many runs go: a file, by AppendCsv, so that it may be moved away
 * meanwhile; or a pipe, a terminal or another device, which stays open from the first row to the last
 * and takes them directly.
 */
class CsvOutput
{
  public:
    /**
     * @param header of all rows
     * @throws InputError as CheckCsv; RunError if it is a pipe, and nobody comes to read it within a second
     */
    CsvOutput(std::string path, std::string header);
    ~CsvOutput();
    CsvOutput(const CsvOutput&) = delete;
    CsvOutput& operator=(const CsvOutput&) = delete;

    /** @return as AppendCsv @throws as AppendCsv; Interrupted while a pipe's reader keeps it waiting */
    std::string Append(const std::string& row);

  private:
    std::string m_path;
    std::string m_header;
    std::unique_ptr<OpenFile> m_stream; ///< null: it is a file, or will be
};

} // namespace inca

#endif // INCA_RECORD_CSV_FILE_H
