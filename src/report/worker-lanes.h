/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_WORKER_LANES_H
#define INCA_REPORT_WORKER_LANES_H

#include "record/run-record.h"
#include "report/csv-table.h"

#include <cstddef>
#include <string>
#include <vector>

namespace inca
{

/** Workers whose layers have the same times, and these. */
struct WorkerLane
{
    std::string workers; ///< "0", "0 to 3", "0, 2 to 7"
    std::vector<LayerRow> layers;
};

/** The timeline of one run's last iteration. */
using WorkerLanes = std::vector<WorkerLane>;

/** @param layers worker by worker @return a lane for those that are alike, in the order of their first workers */
WorkerLanes LanesOf(const std::vector<LayerRow>& layers);

/** The rows of a layers.csv. @throws InputError naming file and line */
std::vector<LayerRow> LayersOf(const CsvTable& table);

/** Timelines of many runs, as far as a page has room for them. */
class LaneCollection
{
  public:
    /** @param most layers of all lanes */
    explicit LaneCollection(std::size_t most);

    /** Of the next run. Where not all fit, of each run the lane that ends last is kept; then, none of further runs. */
    void Add(WorkerLanes lanes);

    /** Run by run; empty of those that do not fit. */
    const std::vector<WorkerLanes>& Runs() const;

    /** What was left out, for people; empty: nothing. */
    std::string LeftOut() const;

  private:
    void Reduce();

    std::size_t m_most;
    std::size_t m_count{0}; ///< layers that are kept
    bool m_isReduced{false};
    std::size_t m_without{0}; ///< runs
    std::vector<WorkerLanes> m_runs;
};

} // namespace inca

#endif // INCA_REPORT_WORKER_LANES_H
