/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/csv-table.h"

#include "base/errors.h"
#include "base/input-file.h"
#include "trace/csv-fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace inca
{

namespace
{

/** Takes the next record off @p rest, which ends at the first line feed that is in no quotes. */
std::string_view
NextRecord(std::string_view& rest)
{
    bool isQuoted = false;
    std::size_t end = 0;
    for (; end < rest.size() && (isQuoted || rest[end] != '\n'); ++end)
    {
        isQuoted = isQuoted != (rest[end] == '"');
    }
    auto record = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!record.empty() && record.back() == '\r')
    {
        record.remove_suffix(1);
    }
    return record;
}

std::vector<std::string>
FieldsOf(const std::string& path, unsigned line, std::string_view record)
{
    auto fields = SplitCsv(record);
    if (!fields)
    {
        throw InputError(InputPlace{path, line, 0, ""},
                         "is no CSV: a quote is not closed, or text follows it");
    }
    return *std::move(fields);
}

} // namespace

std::optional<std::size_t>
CsvTable::Find(std::string_view column) const
{
    const auto found = std::find(columns.begin(), columns.end(), column);
    return found == columns.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - columns.begin()));
}

CsvTable
ReadCsvTable(const std::string& path)
{
    constexpr std::size_t most = 1U << 28U;
    return ParseCsvTable(path,
                         ReadInputFile(path, most, "is no table of results: more than 256 MiB"));
}

CsvTable
ParseCsvTable(const std::string& path, std::string_view text)
{
    CsvTable table{path, {}, {}};
    for (unsigned line = 1; !text.empty();)
    {
        const auto before = text;
        const auto record = NextRecord(text);
        const auto begin = line;
        line += static_cast<unsigned>(
            std::count(before.begin(),
                       before.begin() + static_cast<std::ptrdiff_t>(before.size() - text.size()),
                       '\n'));
        if (record.empty())
        {
            continue;
        }
        auto fields = FieldsOf(path, begin, record);
        if (table.columns.empty())
        {
            table.columns = std::move(fields);
            continue;
        }
        if (fields.size() != table.columns.size())
        {
            throw InputError(InputPlace{path, begin, 0, ""},
                             fmt::format("has {} fields, but the header has {}",
                                         fields.size(),
                                         table.columns.size()));
        }
        table.rows.push_back({begin, std::move(fields)});
    }
    if (table.rows.empty())
    {
        throw InputError(path + ": has no rows");
    }
    return table;
}

std::optional<double>
NumberOf(std::string_view text)
{
    double number = 0;
    const auto* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    const bool isNumber = error == std::errc() && last == end && std::isfinite(number);
    return isNumber ? std::optional(number) : std::nullopt;
}

} // namespace inca
