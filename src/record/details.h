/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_DETAILS_H
#define INCA_RECORD_DETAILS_H

#include "record/run-record.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** Tables of a run, with their headers. @{ */
std::string LayersCsv(const RunRecord& record); ///< layers.csv
std::string LinksCsv(
    const RunRecord& record); ///< links.csv; one drops_REASON column for each reason
std::string SwitchesCsv(const RunRecord& record); ///< switches.csv: the switches that add
/** @} */

/** A stored result keeps at most so many rows of layers, worker by worker; of more, none. */
constexpr std::size_t MOST_DETAILS = 10'000;

/**
 * A list in JSON of lists. Layer by layer there is one for consecutive workers whose rows are equal: the first worker, their
 * number, and the layer's figures in the order of LayerRow.
 * @param layers worker by worker
 */
std::string LayersJson(const std::vector<LayerRow>& layers);

/** @return what LayersJson was made of @throws InvariantError if it is none, or has more layers than are kept */
std::vector<LayerRow> LayersOfJson(std::string_view json);

} // namespace inca

#endif // INCA_RECORD_DETAILS_H
