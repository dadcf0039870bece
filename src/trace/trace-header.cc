/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/trace-header.h"

#include <set>

namespace inca
{

namespace
{

/** @return the first missing column of a bound that has some of its four; empty if it has all or none */
std::string
MissingWidthColumn(unsigned bound, const std::set<std::string>& names)
{
    std::vector<std::string> missing;
    for (std::size_t i = 0; i < g_publishedWidths.size(); ++i)
    {
        if (const auto name = WidthColumn(bound, i).name; names.count(name) == 0)
        {
            missing.push_back(name);
        }
    }
    return missing.empty() || missing.size() == g_publishedWidths.size() ? "" : missing.front();
}

void
CheckRequired(const std::set<std::string>& names, unsigned line, ComplaintList& complaints)
{
    for (const auto& column : TraceColumns())
    {
        if (column.required && names.count(column.name) == 0)
        {
            complaints.Add(line, column.name, "this column is missing");
        }
    }
}

/** @return the columns of bounds that lack some of their four, each of which is complained of */
std::set<std::string>
CheckWidthColumns(const std::set<std::string>& names, unsigned line, ComplaintList& complaints)
{
    std::set<std::string> incomplete;
    for (unsigned bound = g_leastBound; bound <= g_mostBound; ++bound)
    {
        const auto missing = MissingWidthColumn(bound, names);
        if (missing.empty())
        {
            continue;
        }
        complaints.Add(line, missing, "this column is missing; a bound has all four or none");
        for (std::size_t i = 0; i < g_publishedWidths.size(); ++i)
        {
            incomplete.insert(WidthColumn(bound, i).name);
        }
    }
    return incomplete;
}

} // namespace

std::vector<std::optional<TraceColumn>>
ReadTraceHeader(const std::vector<std::string>& names, unsigned line, ComplaintList& complaints)
{
    std::vector<std::optional<TraceColumn>> columns;
    std::set<std::string> seen;
    for (const auto& name : names)
    {
        columns.push_back(FindTraceColumn(name));
        if (!columns.back())
        {
            complaints.Add(line, "", "column " + UnknownTraceColumn(name));
        }
        if (!seen.insert(name).second)
        {
            complaints.Add(line, name, "this column stands here a second time");
        }
    }
    CheckRequired(seen, line, complaints);
    const auto incomplete = CheckWidthColumns(seen, line, complaints);
    for (auto& column : columns)
    {
        if (column && incomplete.count(column->name) > 0)
        {
            column.reset(); // said once here, not again in every row
        }
    }
    return columns;
}

} // namespace inca
