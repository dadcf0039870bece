/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_EXPLANATION_H
#define INCA_EXPERIMENT_EXPLANATION_H

#include "inca/experiment/simulation.h"
#include "inca/record/run-record.h"

#include <array>

namespace inca
{

/** What may hold up a run, as RunResults::limitedBy says it. "both engines": to raise either alone changes nothing. */
constexpr std::array<const char*, 13> LIMIT_NAMES{"link",
                                                  "trunk",
                                                  "compression engine",
                                                  "decompression engine",
                                                  "both engines",
                                                  "NVLink",
                                                  "host",
                                                  "compute",
                                                  "switch",
                                                  "window",
                                                  "slots",
                                                  "latency",
                                                  "timeout"};

/** Says what the critical path is spent on, which keys decide it, and what limits the run; nothing if none was kept. */
void AddExplanation(const Outcome& outcome, RunRecord& record);

} // namespace inca

#endif // INCA_EXPERIMENT_EXPLANATION_H
