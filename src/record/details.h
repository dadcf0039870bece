/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_DETAILS_H
#define INCA_RECORD_DETAILS_H

#include "inca/record/run-record.h"

#include <string>

namespace inca
{

/** Tables of a run, with their headers. @{ */
std::string LayersCsv(const RunRecord& record); ///< layers.csv
std::string LinksCsv(
    const RunRecord& record); ///< links.csv; one drops_REASON column for each reason
std::string SwitchesCsv(const RunRecord& record); ///< switches.csv: the switches that add
std::string PathCsv(const RunRecord& record);     ///< path.csv: the critical path
std::string ErrorsCsv(const RunRecord& record);   ///< errors.csv: by bucket and hop
/** @} */

} // namespace inca

#endif // INCA_RECORD_DETAILS_H
