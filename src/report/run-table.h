/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_RUN_TABLE_H
#define INCA_REPORT_RUN_TABLE_H

#include "inca/record/run-record.h"

#include <string>

namespace inca
{

/**
 * What `inca run` prints: what was run, its iteration time beside the lower bound, where the time
 * went, how the exchange did, the busiest link, and what the reader should know. Plain text of at
 * most 100 columns; the same record gives the same text.
 */
std::string FormatRunTable(const RunRecord& record);

} // namespace inca

#endif // INCA_REPORT_RUN_TABLE_H
