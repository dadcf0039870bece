/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_ATTRIBUTES_H
#define INCA_EXPERIMENT_ATTRIBUTES_H

#include "scenario/scenario.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * Makes a scenario the defaults of all ns-3 objects that are made from now on: first what its keys
 * say, then its [attributes], which therefore win.
 * @throws InputError with every attribute that does not exist (and the nearest) or refuses its value
 */
void SetAttributeDefaults(const Scenario& scenario);

/**
 * The scenario with its keys as the attributes left them: what [attributes] override is read back
 * from the defaults that SetAttributeDefaults has set. Links are not: they may differ by host.
 */
Scenario AsBuilt(const Scenario& scenario);

/** @return a warning for every attribute of [attributes] that overrides a key of the scenario */
std::vector<std::string> AttributeWarnings(const Scenario& scenario);

} // namespace inca

#endif // INCA_EXPERIMENT_ATTRIBUTES_H
