/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_SCENARIO_SETTINGS_H
#define INCA_TEST_SCENARIO_SETTINGS_H

#include "base/errors.h"
#include "support/settings.h"

#include <string>
#include <vector>

namespace inca
{

/** A scenario of a trace. @param settings "key=value" each, with blanks between them */
inline Scenario
With(const std::string& settings)
{
    Scenario scenario;
    scenario.training.trace = "hdc";
    SetKeys(scenario, settings);
    return scenario;
}

inline std::string
ColumnOf(const Scenario& scenario, const std::string& name)
{
    for (const auto& column : SettingColumns(scenario))
    {
        if (column.name == name)
        {
            return column.text;
        }
    }
    return "no such column";
}

/** @return what @p action complains of in an InputError */
template <class Action>
std::vector<std::string>
ComplaintsIn(Action action)
{
    try
    {
        action();
    }
    catch (const InputError& error)
    {
        return error.Complaints();
    }
    return {};
}

} // namespace inca

#endif // INCA_TEST_SCENARIO_SETTINGS_H
