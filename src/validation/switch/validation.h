/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_SWITCH_VALIDATION_H
#define INCA_VALIDATION_SWITCH_VALIDATION_H

#include "validation/comparison.h"
#include "validation/validation-request.h"

#include <string>
#include <vector>

namespace inca
{

/** The ten A100 traces, then "exchange-alone", "line-rate" and "switchml". */
std::vector<std::string> SwitchPartNames();

/**
 * Slots in a switch beside an independent simulator, closed forms and what SwitchML has measured.
 * @throws InputError if a part is unknown, naming the nearest, or a setting cannot be applied or is
 *         one that the numbers beside it stand for
 */
ValidationReport ValidateSwitch(const ValidationRequest& request);

} // namespace inca

#endif // INCA_VALIDATION_SWITCH_VALIDATION_H
