/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_DETAIL_TABLES_H
#define INCA_RECORD_DETAIL_TABLES_H

#include "record/run-record.h"

#include <string>

namespace inca
{

/** layers.csv, with its header. */
std::string LayersCsv(const RunRecord& record);

/** links.csv, with its header; one drops_REASON column for each reason. */
std::string LinksCsv(const RunRecord& record);

/** switches.csv, with its header: the switches that add. */
std::string SwitchesCsv(const RunRecord& record);

} // namespace inca

#endif // INCA_RECORD_DETAIL_TABLES_H
