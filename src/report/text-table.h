/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_TEXT_TABLE_H
#define INCA_REPORT_TEXT_TABLE_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

constexpr int TABLE_LABEL_WIDTH{28};
constexpr double g_percent = 100; ///< of a share, as tables show it

/** A line of a run's tables: what it is, and how much; control characters become '?'. */
std::string TableLine(std::string_view label, const std::string& text);

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

/**
 * Rows of words in columns as wide as their widest cells, indented. If that is wider than @p width, the
 * last column is wrapped, to 28 characters at least.
 * @param rows as many cells in each
 * @param width characters of a line; 0: any
 */
std::string FormatListing(const std::vector<std::vector<std::string>>& rows, std::size_t width);

/** @return @p text in lines of up to @p width characters, broken at blanks; longer words stay whole */
std::vector<std::string> WrapText(const std::string& text, std::size_t width);

} // namespace inca

#endif // INCA_REPORT_TEXT_TABLE_H
