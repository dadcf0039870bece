/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_PRESETS_H
#define INCA_SCENARIO_PRESETS_H

#include <string>
#include <string_view>
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

/** A named set of values of a table's keys. Those that it leaves out have their own defaults. */
struct Preset
{
    std::string name;
    std::string meaning;
    std::vector<PresetValue> values;
};

/** All of a table; the first is "none", which sets nothing. @{ */
const std::vector<Preset>& HostPresets();
const std::vector<Preset>& SwitchPresets();
/** @} */

std::vector<std::string> PresetNames(const std::vector<Preset>& presets);

/** @return the one that @p text names. @throws UnitError if there is none */
const Preset& FindPreset(const std::vector<Preset>& presets, std::string_view text);

} // namespace inca

#endif // INCA_SCENARIO_PRESETS_H
