/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_TEXT_TABLE_H
#define INCA_REPORT_TEXT_TABLE_H

#include <string>
#include <vector>

namespace inca
{

/** Lines of text in columns as wide as their widest cell: words begin, and numbers end, together. */
class TextTable
{
  public:
    /**
     * @param titles one per column
     * @param words how many columns, from the first on, hold words; the others hold numbers
     */
    TextTable(std::vector<std::string> titles, std::size_t words);

    /** @param cells one per column */
    void AddRow(std::vector<std::string> cells);

    /** @return the titles and all rows, one a line */
    std::string Text() const;

  private:
    std::vector<std::vector<std::string>> m_rows; ///< the titles first
    std::size_t m_words;
};

} // namespace inca

#endif // INCA_REPORT_TEXT_TABLE_H
