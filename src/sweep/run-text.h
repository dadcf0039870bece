/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_RUN_TEXT_H
#define INCA_SWEEP_RUN_TEXT_H

#include "record/run-record.h"

#include <functional>
#include <string>

namespace inca
{

/** @return what @p run has found, or how it failed, for another process of the same program */
std::string TellOf(const std::function<RunRecord()>& run);

/**
 * @param text of TellOf
 * @throws InputError, UnitError, RunError, Interrupted or std::bad_alloc as the run has thrown it;
 *         InvariantError for all else that it has thrown
 */
RunRecord RecordTold(const std::string& text);

} // namespace inca

#endif // INCA_SWEEP_RUN_TEXT_H
