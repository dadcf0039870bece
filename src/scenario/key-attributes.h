/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_KEY_ATTRIBUTES_H
#define INCA_SCENARIO_KEY_ATTRIBUTES_H

#include "inca/scenario/scenario.h"

#include <string_view>

namespace inca
{

/**
 * The engines of one direction: what [engine] says, or attributes of @p ofClass.
 * @param ofClass "inca::CompressionEngine" or "inca::DecompressionEngine"
 */
EngineSettings EngineOf(const Scenario& scenario, std::string_view ofClass);

/** @throws InputError with all entries of [attributes] that are wrong, as a key says what they say */
void CheckAttributes(const Scenario& scenario);

} // namespace inca

#endif // INCA_SCENARIO_KEY_ATTRIBUTES_H
