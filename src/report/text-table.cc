/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/text-table.h"

#include "base/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace inca
{

namespace
{

using Cells = std::vector<std::string>;

constexpr std::size_t g_leastLast = 28; ///< of the last column; less is no pleasure to read

/** Rows in columns as wide as their widest cells, of which the first @p words begin together, the others end. */
class Columns
{
  public:
    Columns(const std::vector<Cells>& rows, std::size_t words)
        : m_rows(rows),
          m_words(words),
          m_widths(rows.empty() ? 0 : rows.front().size())
    {
        for (const auto& row : rows)
        {
            for (std::size_t i = 0; i < row.size(); ++i)
            {
                m_widths[i] = std::max(m_widths[i], row[i].size());
            }
        }
    }

    /** @param width of a line, whose last column is wrapped; 0: any */
    std::string Text(const std::string& indent, std::size_t width) const
    {
        std::string text;
        for (const auto& row : m_rows)
        {
            auto line = indent;
            for (std::size_t i = 0; i + 1 < row.size(); ++i)
            {
                line += m_widths[i] == 0 ? "" : Cell(row, i) + "  ";
            }
            const auto left = std::max(width, line.size() + g_leastLast) - line.size();
            const auto last = Cell(row, row.size() - 1);
            for (const auto& part : width == 0 ? Cells{last} : WrapText(last, left))
            {
                line += part;
                text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
                line.assign(line.size() - part.size(), ' ');
            }
        }
        return text;
    }

  private:
    std::string Cell(const Cells& row, std::size_t i) const
    {
        return i < m_words ? fmt::format("{:<{}}", row[i], m_widths[i])
                           : fmt::format("{:>{}}", row[i], m_widths[i]);
    }

    const std::vector<Cells>& m_rows;
    std::size_t m_words;
    std::vector<std::size_t> m_widths;
};

} // namespace

std::string
TableLine(std::string_view label, const std::string& text)
{
    return fmt::format("  {:<{}}{}\n", label, TABLE_LABEL_WIDTH, Printable(text));
}

TextTable::TextTable(std::vector<std::string> titles, std::size_t words)
    : m_rows{std::move(titles)},
      m_words(words)
{
}

void
TextTable::AddRow(std::vector<std::string> cells)
{
    m_rows.push_back(std::move(cells));
}

std::string
TextTable::Text() const
{
    return Columns(m_rows, m_words).Text("", 0);
}

std::vector<std::string>
WrapText(const std::string& text, std::size_t width)
{
    std::istringstream words(text);
    std::vector<std::string> lines(1);
    for (std::string word; words >> word;)
    {
        auto& line = lines.back();
        if (line.empty() || line.size() + 1 + word.size() <= width)
        {
            line += (line.empty() ? "" : " ") + word;
        }
        else
        {
            lines.push_back(word);
        }
    }
    return lines;
}

std::string
FormatListing(const std::vector<std::vector<std::string>>& rows, std::size_t width)
{
    return Columns(rows, rows.empty() ? 0 : rows.front().size()).Text("  ", width);
}

} // namespace inca
