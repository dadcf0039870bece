/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_EXPLANATION_TABLE_H
#define INCA_REPORT_EXPLANATION_TABLE_H

#include "inca/record/run-record.h"

#include <cstddef>
#include <string>

namespace inca
{

/**
 * What `inca explain` prints: the critical path of an iteration by kind and place, and what changes of keys save.
 * @param most rows of each table
 */
std::string FormatExplanation(const RunRecord& record, std::size_t most);

/** The keys that save most of an iteration: "10 % more cluster.bandwidth", and how much at most; of @p record, @p most of them. */
std::string FormatHelp(const RunRecord& record, std::size_t most);

} // namespace inca

#endif // INCA_REPORT_EXPLANATION_TABLE_H
