/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/sweep-printer.h"

#include "base/atomic-file.h"
#include "base/printable.h"
#include "cli/standard-streams.h"
#include "plan/losses.h"

#include <fmt/format.h>

#include <algorithm>

namespace inca
{

namespace
{

Coordinates
CoordinatesOf(const std::string& label, const std::vector<std::string>& varied)
{
    Coordinates coordinates;
    if (!label.empty())
    {
        coordinates.push_back("label=" + label);
    }
    coordinates.insert(coordinates.end(), varied.begin(), varied.end());
    return coordinates;
}

/** Adds a row to a text of CSV, which has a header. */
void
AddRow(std::string& csv, const Row& row)
{
    csv += (csv.empty() ? CsvHeader(row) : "") + CsvRow(row);
}

} // namespace

SweepPrinter::SweepPrinter(const SweepOutput& output, const std::vector<SweepPoint>& points)
    : m_quiet(output.quiet),
      m_showsTable(output.table && !output.quiet),
      m_repeats(output.repeats),
      m_format(output.format)
{
    std::vector<Coordinates> all;
    for (const auto& point : points)
    {
        all.push_back(CoordinatesOf(point.label, point.varied));
    }
    const auto some = [&points](const auto& holds) {
        return std::any_of(points.begin(), points.end(), [&holds](const SweepPoint& point) {
            return point.refusal.empty() && holds(point.scenario);
        });
    };
    const bool hasErrors = some([](const Scenario& s) { return s.training.values; });
    m_table = SweepTable(all, output.against, hasErrors, some(MayLose));
    if (!output.csv.empty())
    {
        m_sinks.push_back(AppendRows(m_format, !output.against.empty(), output.csv));
    }
    if (!m_showsTable && !m_quiet)
    {
        m_sinks.push_back(PrintRows(m_format));
    }
}

void
SweepPrinter::Print(const SweepPoint& point, const PointResult& result)
{
    const auto row = RowOf(point, result);
    for (const auto& sink : m_sinks)
    {
        sink(Picked(m_format, row));
    }
    if (m_showsTable)
    {
        const auto line = m_table.Line(CoordinatesOf(point.label, point.varied), row);
        fmt::print("{}{}", m_isFirst ? PrintableLines(m_table.Header()) : "", PrintableLines(line));
        FlushOutput();
        m_isFirst = false;
    }
    if (m_repeats)
    {
        m_summaries.Add(point.label, point.varied, {}, row);
    }
    WarnOf(point, result);
}

void
SweepPrinter::Finish()
{
    const auto all = m_summaries.All();
    if (m_showsTable && !all.empty())
    {
        fmt::print("\n{}", PrintableLines(m_table.SummaryHeader()));
        for (const auto& summary : all)
        {
            auto coordinates = CoordinatesOf(CellText(summary.row, "label"), summary.varied);
            coordinates.push_back("simulation.seed=");
            fmt::print("{}", PrintableLines(m_table.SummaryLine(coordinates, summary.row)));
        }
    }
    FlushOutput();
}

/** Each text once, with the first point that it is said of. */
void
SweepPrinter::WarnOf(const SweepPoint& point, const PointResult& result)
{
    for (const auto& warning : result.warnings)
    {
        if (!m_quiet && m_warned.insert(warning).second)
        {
            const auto status = result.status == PointStatus::DONE
                                    ? ""
                                    : fmt::format("{}: ", StatusName(result.status));
            Warn(fmt::format("at {}: {}{}", NameOf(point), status, warning));
        }
    }
}

RowCounts
WriteSweepFiles(StoredSweep& store, const RowFormat& format, const std::string& directory)
{
    RowCounts counts;
    std::string rows;
    Summaries repeated;
    const bool repeats = store.IsRepeated();
    store.ForEachPoint([&](const StoredPoint& point) {
        if (!point.result)
        {
            return;
        }
        const auto row = RowOf(point);
        AddRow(rows, Picked(format, row));
        if (repeats)
        {
            repeated.Add(point.label, point.arguments, point.settings, row);
        }
        ++counts.all;
        counts.failed += HasFailed(*point.result) ? 1 : 0;
    });
    std::string summaries;
    for (const auto& summary : repeated.All())
    {
        AddRow(summaries, summary.row);
    }
    std::vector<FileText> files{{directory + "/results.csv", rows}};
    if (repeats)
    {
        files.push_back({directory + "/summary.csv", summaries});
    }
    WriteAtomically(files);
    return counts;
}

} // namespace inca
