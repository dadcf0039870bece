/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_EXPLANATION_JSON_H
#define INCA_RECORD_EXPLANATION_JSON_H

#include "inca/record/run-record.h"

#include <string>

namespace inca
{

/** @return one line: the critical path's parts, whole picoseconds of all measured iterations together, and what keys decide of it */
std::string ExplanationJson(const RunRecord& record);

} // namespace inca

#endif // INCA_RECORD_EXPLANATION_JSON_H
