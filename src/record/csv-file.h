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
 * to the same file.
 * @param header, row whole lines, as CsvLine makes them
 * @throws InputError if the path is no place for a file, the file has another header or its last line has no line
 *         feed; RunError if it cannot be written. A file that was not there is not there then.
 */
void AppendCsv(const std::string& path, const std::string& header, const std::string& row);

/**
 * Reports before a long run what AppendCsv would report after it, as far as it is known then; writes
 * nothing.
 * @throws InputError as AppendCsv
 */
void CheckCsv(const std::string& path, const std::string& header);

/**
 * Where the rows of one or of many runs go: a file, by AppendCsv, so that it may be moved away
 * meanwhile; or a pipe, a terminal or another device, which stays open from the first row to the last.
 */
class CsvOutput
{
  public:
    /**
     * Waits until somebody reads, if it is a pipe.
     * @param header of all rows
     * @throws InputError as CheckCsv; Interrupted
     */
    CsvOutput(std::string path, std::string header);
    ~CsvOutput();
    CsvOutput(const CsvOutput&) = delete;
    CsvOutput& operator=(const CsvOutput&) = delete;

    /** @throws as AppendCsv; Interrupted while a pipe's reader keeps it waiting */
    void Append(const std::string& row);

  private:
    std::string m_path;
    std::string m_header;
    std::unique_ptr<OpenFile> m_stream; ///< null: it is a file, or will be
};

} // namespace inca

#endif // INCA_RECORD_CSV_FILE_H
