/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_SUPPORT_SETTINGS_H
#define INCA_TEST_SUPPORT_SETTINGS_H

#include "scenario/keys.h"

#include <sstream>
#include <string>

namespace inca
{

/** Sets "key=value" pairs, with blanks between them. */
inline void
SetKeys(Scenario& scenario, const std::string& settings)
{
    std::istringstream words(settings);
    for (std::string word; words >> word;)
    {
        const auto equals = word.find('=');
        SetKey(scenario, word.substr(0, equals), word.substr(equals + 1));
    }
}

/** @p scenario with such pairs set. */
inline Scenario
With(Scenario scenario, const std::string& settings)
{
    SetKeys(scenario, settings);
    return scenario;
}

} // namespace inca

#endif // INCA_TEST_SUPPORT_SETTINGS_H
