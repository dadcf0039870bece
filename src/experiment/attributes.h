/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_ATTRIBUTES_H
#define INCA_EXPERIMENT_ATTRIBUTES_H

#include "scenario/scenario.h"

namespace inca
{

/**
 * Makes a scenario the defaults of all ns-3 objects that are made from now on: first what its keys
 * say, then its [attributes], which therefore win.
 * @throws InputError if an attribute does not exist (it names the nearest) or refuses its value
 */
void SetAttributeDefaults(const Scenario& scenario);

} // namespace inca

#endif // INCA_EXPERIMENT_ATTRIBUTES_H
