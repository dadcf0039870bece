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

/** @return how many layers all lanes have together */
std::size_t CountLayers(const WorkerLanes& lanes);

} // namespace inca

#endif // INCA_REPORT_WORKER_LANES_H
