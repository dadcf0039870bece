/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/csv-fields.h"

#include <algorithm>
#include <cstddef>

namespace inca
{

namespace
{

constexpr auto g_blanks = " \t";

/** Reads the quoted field that begins at @p at and leaves @p at behind it; nothing if it never ends. */
std::optional<std::string>
ReadQuoted(std::string_view line, std::size_t& at)
{
    std::string field;
    for (++at; at < line.size(); ++at)
    {
        if (line[at] != '"')
        {
            field += line[at];
            continue;
        }
        ++at;
        if (at == line.size() || line[at] != '"')
        {
            return field;
        }
        field += '"';
    }
    return std::nullopt;
}

std::size_t
SkipBlanks(std::string_view line, std::size_t at)
{
    return std::min(line.find_first_not_of(g_blanks, at), line.size());
}

} // namespace

std::string_view
Trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(g_blanks);
    if (first == std::string_view::npos)
    {
        return {};
    }
    return text.substr(first, text.find_last_not_of(g_blanks) - first + 1);
}

std::optional<std::vector<std::string>>
SplitCsv(std::string_view line)
{
    std::vector<std::string> fields;
    std::size_t at = 0;
    while (true)
    {
        at = SkipBlanks(line, at);
        if (at < line.size() && line[at] == '"')
        {
            const auto field = ReadQuoted(line, at);
            if (!field)
            {
                return std::nullopt;
            }
            fields.push_back(*field);
            at = SkipBlanks(line, at);
        }
        else
        {
            const auto end = std::min(line.find(',', at), line.size());
            fields.emplace_back(Trimmed(line.substr(at, end - at)));
            at = end;
        }
        if (at == line.size())
        {
            return fields;
        }
        if (line[at] != ',')
        {
            return std::nullopt;
        }
        ++at;
    }
}

std::string
QuoteCsv(const std::string& field)
{
    if (field.find_first_of(",\"#") == std::string::npos && Trimmed(field).size() == field.size())
    {
        return field;
    }
    std::string quoted = "\"";
    for (const char c : field)
    {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + '"';
}

} // namespace inca
