/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_SWEEP_TABLE_H
#define INCA_REPORT_SWEEP_TABLE_H

#include "inca/record/result-row.h"

#include <cstddef>
#include <string>
#include <vector>

namespace inca
{

/** What sets a point apart: "key=value" each; all points of a sweep have the same keys. */
using Coordinates = std::vector<std::string>;

/**
 * A sweep for people, line by line as its runs end: what was varied, then iteration time,
 * communication, aggregation throughput, what limits the run, the vNMSE of its sums, gain, and what it loses. Plain text, one line each, with
 * its line feed.
 */
class SweepTable
{
  public:
    /**
     * @param points all that will be shown: the columns are as wide as they need
     * @param against the system that gains are over, if their rows have the column of gains
     * @param hasErrors whether some have values, and so errors of their sums
     * @param hasLosses whether some may lose something
     */
    explicit SweepTable(const std::vector<Coordinates>& points,
                        const std::string& against = "",
                        bool hasErrors = false,
                        bool hasLosses = false);

    std::string Header() const;
    std::string Line(const Coordinates& point, const Row& row) const;

    /** The same of summaries (sweep/sweep.h): how many runs, mean, deviation, 95 % of what is likely. */
    std::string SummaryHeader() const;
    std::string SummaryLine(const Coordinates& point, const Row& summary) const;

  private:
    std::string Begin(const Coordinates& point) const;
    std::string End(const std::string& gain, const std::string& loses) const;

    std::string m_gain; ///< title of the gains; empty: there are none
    bool m_hasErrors;
    bool m_hasLosses;
    std::string m_titles;
    std::vector<std::size_t> m_widths; ///< of the coordinates
};

} // namespace inca

#endif // INCA_REPORT_SWEEP_TABLE_H
