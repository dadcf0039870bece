/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_SWITCH_EXCHANGES_H
#define INCA_VALIDATION_SWITCH_EXCHANGES_H

#include "validation/validation-part.h"

#include <string>

namespace inca
{

/**
 * Single exchanges over slots beside closed forms: every bucket of the reference's models alone, at
 * 10 and 100 Gb/s, within 0.1 % of (packets - 1) x frame time + round trip; and pools of 1, 4 and 32
 * slots at 100 Gb/s within 1 % of slots x values / round trip.
 * @param name the figures' model
 */
ValidationPart ExchangeAlonePart(const std::string& name);

/** Line rate with 64 and 256 values per packet at 10 and 100 Gb/s, within 1 %. */
ValidationPart LineRatePart(const std::string& name);

/**
 * What SwitchML has measured with 4, 8 and 16 workers at 100 Gb/s, within 3 %; and NCCL on the same
 * hosts beside our ring, which is not judged: our hosts have neither its protocol nor its GPUs.
 */
ValidationPart SwitchMlPart(const std::string& name);

} // namespace inca

#endif // INCA_VALIDATION_SWITCH_EXCHANGES_H
