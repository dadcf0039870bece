/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_IMPORT_SUMS_H
#define INCA_CLI_IMPORT_SUMS_H

#include "import/import-formats.h"

namespace inca
{

/**
 * Puts a table of the recorded all-reduces into the report, with the buckets beside them that INCA makes of
 * the trace by default, and says whether the two are the same.
 */
void ReportSums(ImportedTrace& imported);

} // namespace inca

#endif // INCA_CLI_IMPORT_SUMS_H
