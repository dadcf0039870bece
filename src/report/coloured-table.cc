/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/coloured-table.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <string_view>

namespace inca
{

namespace
{

bool
IsHeading(std::string_view line)
{
    return !line.empty() && line.front() != ' ' && line.front() != '\n';
}

/** @param paint turns a line, with its line feed, into its coloured form */
std::string
LineByLine(const std::string& table, const std::function<std::string(const std::string&)>& paint)
{
    std::string text;
    for (std::size_t begin = 0; begin < table.size();)
    {
        const auto end = std::min(table.find('\n', begin), table.size() - 1) + 1;
        text += paint(table.substr(begin, end - begin));
        begin = end;
    }
    return text;
}

/** @p line with the part from @p begin to @p end in a colour. */
std::string
WithColour(const std::string& line, std::size_t begin, std::size_t end, TableColour colour)
{
    return line.substr(0, begin) + Coloured(line.substr(begin, end - begin), colour) +
           line.substr(end);
}

} // namespace

std::string
Coloured(const std::string& text, TableColour colour)
{
    static const std::array<const char*, 5> escapes{"1", "36", "32", "1;31", "33"};
    const auto length = text.size() - (text.empty() || text.back() != '\n' ? 0 : 1);
    return std::string("\x1b[") + escapes.at(static_cast<std::size_t>(colour)) + "m" +
           text.substr(0, length) + "\x1b[0m" + text.substr(length);
}

std::string
ColouredRunTable(const std::string& table)
{
    bool areWarnings = false;
    return LineByLine(table, [&areWarnings](const std::string& line) {
        if (IsHeading(line))
        {
            areWarnings = line == "warnings\n";
            return Coloured(line, areWarnings ? TableColour::WARNING : TableColour::HEADING);
        }
        if (areWarnings && line.size() > 1)
        {
            return Coloured(line, TableColour::WARNING);
        }
        const auto bar = line.find(" %  #");
        return bar == std::string::npos
                   ? line
                   : WithColour(line, bar + 4, line.find_last_not_of('\n') + 1, TableColour::BAR);
    });
}

std::string
ColouredValidation(const std::string& table)
{
    return LineByLine(table, [](const std::string& line) {
        const std::string good = " %  ok ";
        const std::string bad = "MISS ";
        if (const auto at = line.find(good); at != std::string::npos)
        {
            return WithColour(line, at + 4, at + 6, TableColour::GOOD);
        }
        if (const auto at = line.find(bad); at != std::string::npos)
        {
            return WithColour(line, at, at + 4, TableColour::BAD);
        }
        return IsHeading(line) ? Coloured(line, TableColour::HEADING) : line;
    });
}

} // namespace inca
