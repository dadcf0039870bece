/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_SUMMARY_H
#define INCA_SWEEP_SUMMARY_H

#include "record/result-row.h"
#include "sweep/points.h"

#include <cstddef>
#include <string>
#include <vector>

namespace inca
{

/** What several values say of the mean of all that might be drawn. */
struct Sample
{
    std::size_t count{0};
    double mean{0};
    double deviation{0}; ///< standard, with count - 1; 0 of one value
    double margin{
        0}; ///< the mean is off by less with 95 % of confidence, by Student's t; 0 of one value
};

/** @param values at least one */
Sample SampleOf(const std::vector<double>& values);

/** A point of which there are several runs that differ in their seeds. */
struct Summary
{
    std::vector<std::string> varied; ///< "key=value", without the seed
    Row row; ///< label, the first run's settings, runs; of some results mean, sd, low95, high95
};

/** Collects the rows of a sweep that repeats every point with some seeds. */
class Summaries
{
  public:
    /** @param repeat rows that follow each other are of one point */
    explicit Summaries(std::size_t repeat);

    /** Rows in the order of points; those that are not done do not count. */
    void Add(const SweepPoint& point, const Row& row);

    /** One for each point, in their order. */
    const std::vector<Summary>& All() const;

  private:
    void Finish();

    std::size_t m_repeat;
    SweepPoint m_first; ///< of the rows that are being collected
    std::vector<Row> m_rows;
    std::vector<Summary> m_all;
};

} // namespace inca

#endif // INCA_SWEEP_SUMMARY_H
