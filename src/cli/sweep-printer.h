/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_SWEEP_PRINTER_H
#define INCA_CLI_SWEEP_PRINTER_H

#include "inca/cli/row-output.h"
#include "inca/report/sweep-table.h"
#include "inca/sweep/point-result.h"
#include "inca/sweep/points.h"
#include "inca/sweep/result-store.h"
#include "inca/sweep/sweep.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace inca
{

/** Where the rows of a sweep are shown as they come. */
struct SweepOutput
{
    RowFormat format;
    std::string csv;     ///< rows are added to this file; empty: to none
    bool table{false};   ///< a table to stdout instead of rows
    std::string against; ///< the system that gains are over; empty: rows have no column of gains
    bool repeats{false}; ///< whether points are repeated with other seeds
    bool quiet{false};   ///< nothing goes to stdout or stderr
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

    /** After the last point: a table of those that are repeated. */
    void Finish();

  private:
    void WarnOf(const SweepPoint& point, const PointResult& result);

    bool m_quiet;
    bool m_showsTable;
    bool m_repeats;
    Summaries m_summaries; ///< of what is repeated
    SweepTable m_table{{}};
    RowFormat m_format;
    std::vector<RowSink> m_sinks; ///< of rows
    bool m_isFirst{true};         ///< of the table's lines
    std::set<std::string> m_warned;
};

/** How many rows there are. */
struct RowCounts
{
    std::int64_t all{0};
    std::int64_t failed{0}; ///< or timed out
};

/**
 * Writes results.csv of the store's results into @p directory, and summary.csv if points are repeated, both whole or none.
 * @throws RunError, InputError
 */
RowCounts WriteSweepFiles(StoredSweep& store,
                          const RowFormat& format,
                          const std::string& directory);

} // namespace inca

#endif // INCA_CLI_SWEEP_PRINTER_H
