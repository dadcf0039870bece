/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/text-table.h"

#include "base/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace inca
{

std::string
TableLine(std::string_view label, const std::string& text)
{
    return fmt::format("  {:<{}}{}\n", label, TABLE_LABEL_WIDTH, Printable(text));
}

TableInk::TableInk(bool isOn)
    : m_isOn(isOn)
{
}

std::string
TableInk::operator()(const std::string& text, TableColour colour) const
{
    static const std::array<const char*, 5> escapes{"1", "36", "32", "1;31", "33"};
    if (!m_isOn || text.empty())
    {
        return text;
    }
    const auto length = text.size() - (text.back() == '\n' ? 1 : 0);
    return fmt::format("\x1b[{}m{}\x1b[0m{}",
                       escapes.at(static_cast<std::size_t>(colour)),
                       text.substr(0, length),
                       text.substr(length));
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
    std::vector<std::size_t> widths(m_rows.front().size());
    for (const auto& row : m_rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    std::string text;
    for (const auto& row : m_rows)
    {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            line += i == 0 ? "" : "  ";
            line += i < m_words ? fmt::format("{:<{}}", row[i], widths[i])
                                : fmt::format("{:>{}}", row[i], widths[i]);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

} // namespace inca
