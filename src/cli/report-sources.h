/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_REPORT_SOURCES_H
#define INCA_CLI_REPORT_SOURCES_H

#include "cli/result-place.h"
#include "report/report-data.h"

namespace inca
{

/**
 * What a page shows of the results at @p place, whatever they are of.
 * @throws InputError if they cannot be read
 */
ReportData CollectReport(const ResultPlace& place);

} // namespace inca

#endif // INCA_CLI_REPORT_SOURCES_H
