/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_ATTRIBUTES_H
#define INCA_EXPERIMENT_ATTRIBUTES_H

#include "inca/plan/resolved.h"

namespace inca
{

/**
 * Makes what keys and [attributes] say the defaults of all ns-3 objects that are made from now on.
 * @throws InputError with every attribute that does not exist (and the nearest) or refuses its value
 */
void SetAttributeDefaults(const Resolved& resolved);

} // namespace inca

#endif // INCA_EXPERIMENT_ATTRIBUTES_H
