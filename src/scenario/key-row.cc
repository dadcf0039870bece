/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/key-row.h"

#include "scenario/specs.h"

namespace inca
{

const KeyCondition g_hasCompute{HasCompute, "a lone tensor has no compute"};
const KeyCondition g_hasMessages{HasMessages,
                                 "with {exchange.algorithm} nothing travels but what switches add"};
const KeyCondition g_showsZeros{
    [](const Scenario& s) { return s.training.values || HasSketch(s) || IsSizedByStatistics(s); },
    "only sizes travel, and none depends on which values are 0"};
const KeyCondition g_hasFrameLevel{
    [](const Scenario& s) { return s.simulation.mode != SimulationMode::FLOW; },
    "simulation.mode is flow"};
const KeyCondition g_hasValues{[](const Scenario& s) { return s.training.values; },
                               "only sizes travel (training.values is false)"};

KeyAttributes
AttributesOf(const SettingAttributes& attributes,
             const std::function<std::string(const Scenario&)>& text)
{
    return {attributes.paths,
            [form = attributes.form, text](const Scenario& s) { return form(text(s)); }};
}

} // namespace inca
