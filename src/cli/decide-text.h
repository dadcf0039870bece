/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_DECIDE_TEXT_H
#define INCA_CLI_DECIDE_TEXT_H

#include "sweep/decision.h"

#include <string>

namespace inca
{

/** "ring, homomorphic, 25MiB" */
std::string CandidateTitle(const Candidate& candidate);

/**
 * What is best and against what, the ranking of all that was run, and what was not, and why.
 * @param command that runs the scenario: "inca run ring.toml"
 */
std::string FormatDecision(const Decision& decision, const std::string& command);

} // namespace inca

#endif // INCA_CLI_DECIDE_TEXT_H
