/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_CROSSOVER_TEXT_H
#define INCA_CLI_CROSSOVER_TEXT_H

#include "sweep/crossover.h"

#include <string>

namespace inca
{

/** The answer in sentences, then a table of the values that were looked at first. */
std::string FormatCrossover(const CrossoverAnswer& answer);

/** The sentences alone: "a beats b up to 23.4Gbps, b beats a from 23.6Gbps on", a line each. */
std::string CrossoverSentences(const CrossoverAnswer& answer);

} // namespace inca

#endif // INCA_CLI_CROSSOVER_TEXT_H
