/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_SUMMARY_H
#define INCA_SWEEP_SUMMARY_H

#include "record/result-row.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace inca
{

/** A point of which there are several runs that differ in their seeds. */
struct Summary
{
    std::vector<std::string> varied; ///< "key=value", without the seed
    Row row; ///< label, settings, runs; of some results mean, sd, low95, high95
};

/** Collects the rows of a sweep that repeats every point with some seeds. */
class Summaries
{
  public:
    /**
     * Rows that are not done do not count.
     * @param varied "key=value" of what sets the row's point apart, the seed last
     * @param settings the row's columns that say what was simulated
     */
    void Add(const std::string& label,
             std::vector<std::string> varied,
             const Row& settings,
             const Row& row);

    /** One for each point, in the order of their first rows. */
    std::vector<Summary> All() const;

  private:
    struct Group
    {
        std::string label;
        std::vector<std::string> varied;
        Row settings;
        std::vector<Row> rows;
    };

    static Summary Of(const Group& group);

    std::map<std::string, std::size_t> m_places; ///< in m_groups, by what sets them apart
    std::vector<Group> m_groups;
};

} // namespace inca

#endif // INCA_SWEEP_SUMMARY_H
