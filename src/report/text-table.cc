/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/text-table.h"

#include "base/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <sstream>
#include <utility>

namespace inca
{

namespace
{

using Cells = std::vector<std::string>;

constexpr std::size_t g_gap = 2;
constexpr std::size_t g_below = 6;      ///< how far the cells below the first are indented
constexpr std::size_t g_leastLast = 28; ///< of the last column; less is no pleasure to read

/** Of every column, with the gap behind it; 0: nothing is in it. */
std::vector<std::size_t>
WidthsOf(const std::vector<Cells>& rows)
{
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const auto& row : rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            widths[i] = std::max(widths[i], row[i].empty() ? 0 : row[i].size() + g_gap);
        }
    }
    return widths;
}

std::string
Blanks(std::size_t count)
{
    return std::string(count, ' ');
}

std::string
WithoutTrailing(const std::string& line)
{
    return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string
BesideEachOther(const Cells& row, const std::vector<std::size_t>& widths, std::size_t lastWidth)
{
    auto line = Blanks(g_gap);
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
    {
        line += row[i] + Blanks(widths[i] - row[i].size());
    }
    const auto indent = Blanks(line.size());
    std::string text;
    for (const auto& part : WrapText(row.back(), lastWidth))
    {
        text += WithoutTrailing((text.empty() ? line : indent) + part);
    }
    return text;
}

/** All cells but the last in one line, as far as they fit; what does not, below it. */
std::string
BelowEachOther(const Cells& row, std::size_t width)
{
    const auto below = Blanks(g_below);
    std::string text;
    auto line = Blanks(g_gap) + row.front();
    for (std::size_t i = 1; i < row.size(); ++i)
    {
        const bool isLast = i + 1 == row.size();
        if (!isLast && line.size() + g_gap + row[i].size() <= width)
        {
            line += Blanks(g_gap) + row[i];
            continue;
        }
        for (const auto& part : WrapText(row[i], width - std::min(width, g_below)))
        {
            text += WithoutTrailing(line);
            line = below + part;
        }
    }
    return text + WithoutTrailing(line);
}

} // namespace

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
        text += WithoutTrailing(line);
    }
    return text;
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
    if (rows.empty())
    {
        return "";
    }
    const auto widths = WidthsOf(rows);
    const auto before = std::accumulate(widths.begin(), widths.end() - 1, g_gap);
    const auto whole = before + widths.back();
    const auto limit = width == 0 ? whole : width;
    const bool fits = limit + g_gap >= whole || limit >= before + g_leastLast;
    std::string text;
    for (const auto& row : rows)
    {
        text += fits ? BesideEachOther(row, widths, limit - std::min(limit, before))
                     : BelowEachOther(row, limit);
    }
    return text;
}

} // namespace inca
