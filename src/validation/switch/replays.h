/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_SWITCH_REPLAYS_H
#define INCA_VALIDATION_SWITCH_REPLAYS_H

#include "validation/validation-part.h"

#include <cstdint>
#include <string>

namespace inca
{

/**
 * Ten iterations of @p trace over slots at 10 and 100 Gb/s. Beside the reference, where there is one:
 * with the trace's own times 10 iterations are judged within 1.5 %; over @p seeds runs with drawn
 * times the reference's 10 iterations within 1 % of the mean, and each of its ten points within 3.5
 * standard deviations of that point. A run of 10 iterations passes through all ten points.
 * @param seeds at least 2; they are 1, 2, ...
 * @throws InputError if there is no such trace
 */
ValidationPart SwitchReplayPart(const std::string& trace, std::uint32_t seeds);

} // namespace inca

#endif // INCA_VALIDATION_SWITCH_REPLAYS_H
