/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_HOST_PRESETS_H
#define INCA_SCENARIO_HOST_PRESETS_H

#include <string>
#include <vector>

namespace inca
{

/** What a preset says of one key. */
struct PresetValue
{
    std::string key;
    std::string text;
    std::string source; ///< where the number comes from
};

/** A named set of what hosts cost. Keys of [host] that it leaves out have their own defaults. */
struct HostPreset
{
    std::string name;
    std::string meaning;
    std::vector<PresetValue> values;
};

/** All presets; the first is "none", which sets nothing. */
const std::vector<HostPreset>& HostPresets();

std::vector<std::string> HostPresetNames();

/** @param name one of HostPresetNames */
const HostPreset& FindHostPreset(const std::string& name);

} // namespace inca

#endif // INCA_SCENARIO_HOST_PRESETS_H
