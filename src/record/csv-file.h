/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_CSV_FILE_H
#define INCA_RECORD_CSV_FILE_H

#include <string>

#include <sys/types.h>

namespace inca
{

/**
 * Adds rows to a CSV file, or to a pipe, a terminal or another device: its header first, unless the file has it. Each
 * row is in the file as a whole or not at all; several processes may add rows to the same file.
 */
class CsvOutput
{
  public:
    /**
     * Opens it, and so waits until somebody reads, if it is a pipe.
     * @param header of all rows, a whole line as CsvLine makes it
     * @throws InputError if the path is no place for a file, the file has another header or its last line has no line
     *         feed; Interrupted
     */
    CsvOutput(std::string path, std::string header);

    /** Removes the file again if it was made for rows that have not come. */
    ~CsvOutput();

    CsvOutput(const CsvOutput&) = delete;
    CsvOutput& operator=(const CsvOutput&) = delete;

    /**
     * @param row a whole line
     * @throws as the constructor; RunError if it cannot be written; Interrupted while a pipe's reader keeps it waiting
     */
    void Append(const std::string& row);

  private:
    off_t CheckedSize() const;
    void Write(const std::string& text) const;
    void Require(bool succeeded, const char* what) const;

    std::string m_path;
    std::string m_header;
    int m_file{-1};
    bool m_isFile{true}; ///< no pipe and no device
    bool m_isNew{false}; ///< made by this
};

} // namespace inca

#endif // INCA_RECORD_CSV_FILE_H
