/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/sweep-printer.h"

#include "base/atomic-file.h"
#include "base/printable.h"
#include "cli/standard-streams.h"

#include <fmt/format.h>

#include <utility>

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

/** Collects CSV with its header. */
RowSink
CollectRows(std::string& text)
{
    return [&text](const Row& row) { text += (text.empty() ? CsvHeader(row) : "") + CsvRow(row); };
}

} // namespace

SweepPrinter::SweepPrinter(const SweepOutput& output, const std::vector<SweepPoint>& points)
    : m_quiet(output.quiet),
      m_showsTable(output.table && !output.format.json && !output.quiet),
      m_ink(output.colour)
{
    std::vector<Coordinates> all;
    for (const auto& point : points)
    {
        all.push_back(CoordinatesOf(point.label, point.varied));
    }
    m_table = SweepTable(all, output.gains);
    if (!output.csv.empty())
    {
        m_rows.emplace_back(output.format, AppendRows(output.format, output.gains, output.csv));
    }
    if (!m_showsTable && !m_quiet)
    {
        m_rows.emplace_back(output.format, PrintRows(output.format));
    }
}

void
SweepPrinter::Print(const SweepPoint& point, const PointResult& result)
{
    const auto row = RowOf(point, result);
    for (auto& rows : m_rows)
    {
        rows.Add(row);
    }
    if (m_showsTable)
    {
        const auto line = m_table.Line(CoordinatesOf(point.label, point.varied), row);
        const bool isDone = result.status == PointStatus::DONE;
        fmt::print("{}{}",
                   m_isFirst ? m_ink(PrintableLines(m_table.Header()), TableColour::HEADING) : "",
                   isDone ? PrintableLines(line) : m_ink(PrintableLines(line), TableColour::BAD));
        FlushOutput();
        m_isFirst = false;
    }
    WarnOf(point, result);
}

void
SweepPrinter::Finish(const Summaries& summaries)
{
    for (auto& rows : m_rows)
    {
        rows.Finish();
    }
    const auto all = summaries.All();
    if (m_showsTable && !all.empty())
    {
        fmt::print("\n{}", m_ink(PrintableLines(m_table.SummaryHeader()), TableColour::HEADING));
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

SweepFiles::SweepFiles(const RowFormat& format, bool summarized)
    : m_summarized(summarized),
      m_rows(format, CollectRows(m_text))
{
}

void
SweepFiles::Add(const std::string& label,
                const std::vector<std::string>& varied,
                const Row& settings,
                const Row& row)
{
    m_rows.Add(row);
    if (m_summarized)
    {
        m_summaries.Add(label, varied, settings, row);
    }
}

void
SweepFiles::Write(const std::string& directory)
{
    m_rows.Finish();
    std::vector<FileText> files{{directory + "/results.csv", m_text}};
    std::string summaries;
    for (const auto& summary : m_summaries.All())
    {
        summaries += (summaries.empty() ? CsvHeader(summary.row) : "") + CsvRow(summary.row);
    }
    if (m_summarized)
    {
        files.push_back({directory + "/summary.csv", summaries});
    }
    WriteAtomically(files);
}

} // namespace inca
