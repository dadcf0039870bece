/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_ATTRIBUTES_H
#define INCA_EXPERIMENT_ATTRIBUTES_H

#include "scenario/scenario.h"

namespace inca
{

/**
 * Makes a scenario the defaults of all ns-3 objects that are made from now on: what its keys say, and its
 * [attributes].
 * @throws InputError with every attribute that does not exist (and the nearest) or refuses its value
 */
void SetAttributeDefaults(const Scenario& scenario);

} // namespace inca

#endif // INCA_EXPERIMENT_ATTRIBUTES_H
