/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_SWEEP_PRINTER_H
#define INCA_CLI_SWEEP_PRINTER_H

#include "cli/row-output.h"
#include "report/sweep-table.h"
#include "report/text-table.h"
#include "sweep/point-result.h"
#include "sweep/points.h"
#include "sweep/sweep.h"

#include <set>
#include <string>
#include <vector>

namespace inca
{

/** Where the rows of a sweep are shown as they come. */
struct SweepOutput
{
    RowFormat format;
    std::string csv;    ///< rows are added to this file; empty: to none
    bool table{false};  ///< a table to stdout instead of rows
    bool gains{false};  ///< whether the rows have the column of gains
    bool quiet{false};  ///< nothing goes to stdout or stderr
    bool colour{false}; ///< of the table
};

/**
 * Shows points in their order: rows to a CSV file if one is asked for, and to stdout a table, lines of JSON or
 * rows of CSV; tells on stderr what there is to say of them, each text once.
 */
class SweepPrinter
{
  public:
    /** @throws as AppendRows */
    SweepPrinter(const SweepOutput& output, const std::vector<SweepPoint>& points);

    void Print(const SweepPoint& point, const PointResult& result);

    /** After the last point. @param summaries none unless points are repeated */
    void Finish(const Summaries& summaries);

  private:
    void WarnOf(const SweepPoint& point, const PointResult& result);

    bool m_quiet;
    bool m_showsTable;
    TableInk m_ink;
    SweepTable m_table{{}};
    std::vector<RowChoice> m_rows;
    bool m_isFirst{true}; ///< of the table's lines
    std::set<std::string> m_warned;
};

/** results.csv of a sweep's directory, and summary.csv if points are repeated. */
class SweepFiles
{
  public:
    SweepFiles(const RowFormat& format, bool summarized);

    /** As Summaries::Add. */
    void Add(const std::string& label,
             const std::vector<std::string>& varied,
             const Row& settings,
             const Row& row);

    /** Of all points that are repeated. */
    const Summaries& Repeated() const
    {
        return m_summaries;
    }

    /** Writes both whole, or leaves what was there. @throws RunError, InputError */
    void Write(const std::string& directory);

  private:
    bool m_summarized;
    Summaries m_summaries;
    std::string m_text;
    RowChoice m_rows;
};

} // namespace inca

#endif // INCA_CLI_SWEEP_PRINTER_H
