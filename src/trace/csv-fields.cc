/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/csv-fields.h"

#include <algorithm>

namespace inca
{

namespace
{

constexpr auto g_blanks = " \t";

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
    const auto skipBlanks = [&line] {
        line.remove_prefix(std::min(line.find_first_not_of(g_blanks), line.size()));
    };
    std::vector<std::string> fields;
    while (true)
    {
        skipBlanks();
        auto& field = fields.emplace_back();
        if (line.empty() || line.front() != '"')
        {
            const auto end = std::min(line.find(','), line.size());
            field = Trimmed(line.substr(0, end));
            line.remove_prefix(end);
        }
        while (!line.empty() &&
               line.front() == '"') // again for a doubled quote, which stands for one
        {
            const auto end = line.find('"', 1);
            if (end == std::string_view::npos)
            {
                return std::nullopt;
            }
            field += line.substr(1, end - 1);
            line.remove_prefix(end + 1);
            field += !line.empty() && line.front() == '"' ? "\"" : "";
        }
        skipBlanks();
        if (line.empty())
        {
            return fields;
        }
        if (line.front() != ',')
        {
            return std::nullopt;
        }
        line.remove_prefix(1);
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
