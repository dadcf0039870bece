/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PRECISION_TABLE_H
#define INCA_REPORT_PRECISION_TABLE_H

#include "record/precision.h"

#include <string>

namespace inca
{

/** How far a run is off packet level, for people. @param exact what the run says of itself */
std::string FormatPrecision(const Precision& precision, bool exact);

} // namespace inca

#endif // INCA_REPORT_PRECISION_TABLE_H
