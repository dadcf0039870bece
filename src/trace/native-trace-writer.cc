/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/printable.h"
#include "base/whole-file.h"
#include "trace/csv-fields.h"
#include "trace/native-trace.h"
#include "trace/trace-columns.h"
#include "trace/trace-metadata.h"

#include <algorithm>
#include <set>

namespace inca
{

namespace
{

/** The required columns, and of the others those that some layer has a value for. */
std::vector<TraceColumn>
ColumnsOf(const GradientTrace& trace)
{
    auto columns = TraceColumns();
    std::set<unsigned> bounds;
    for (const auto& layer : trace.layers)
    {
        for (const auto& entry : layer.statistics.widths)
        {
            bounds.insert(entry.first);
        }
    }
    for (const auto bound : bounds)
    {
        for (std::size_t i = 0; i < g_publishedWidths.size(); ++i)
        {
            columns.push_back(WidthColumn(bound, i));
        }
    }
    const auto isUnused = [&trace](const TraceColumn& column) {
        return !column.required &&
               std::all_of(trace.layers.begin(), trace.layers.end(), [&column](const auto& layer) {
                   return column.write(layer).empty();
               });
    };
    columns.erase(std::remove_if(columns.begin(), columns.end(), isUnused), columns.end());
    return columns;
}

template <typename FieldOf>
std::string
FormatLine(const std::vector<TraceColumn>& columns, FieldOf fieldOf)
{
    std::string line;
    for (const auto& column : columns)
    {
        line += (line.empty() ? "" : ",") + QuoteCsv(PrintableAscii(fieldOf(column)));
    }
    return line + "\n";
}

std::string
FormatMetadata(const std::string& key, const std::string& value)
{
    return PrintableAscii("# " + key + ": " + value) + "\n";
}

} // namespace

std::string
FormatTrace(const GradientTrace& trace)
{
    std::string text = "#inca-trace v1\n";
    for (const auto& key : TraceKeys())
    {
        if (const auto value = key.write(trace); !value.empty())
        {
            text += FormatMetadata(key.name, value);
        }
    }
    for (const auto& [key, value] : trace.notes)
    {
        text += FormatMetadata(key, value);
    }
    const auto columns = ColumnsOf(trace);
    text += FormatLine(columns, [](const auto& column) { return column.name; });
    for (const auto& layer : trace.layers)
    {
        text += FormatLine(columns, [&layer](const auto& column) { return column.write(layer); });
    }
    return text;
}

void
WriteTrace(const GradientTrace& trace, const std::string& path)
{
    WriteWholeFile(path, FormatTrace(trace));
}

} // namespace inca
