/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_SWEEP_TABLE_H
#define INCA_REPORT_SWEEP_TABLE_H

#include "record/run-record.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * A sweep for people, line by line as its runs end: what was varied, then iteration time,
 * communication, aggregation throughput and what limits the run. Plain text, one line each, with
 * its line feed.
 * @{
 */
/** @param varied "key=value" of the first run; the others vary the same keys */
std::string SweepTableHeader(const std::vector<std::string>& varied);
std::string SweepTableRow(const std::vector<std::string>& varied, const RunRecord& record);
/** @} */

} // namespace inca

#endif // INCA_REPORT_SWEEP_TABLE_H
