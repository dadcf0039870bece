/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_KEY_H
#define INCA_SCENARIO_KEY_H

#include "inca/base/value-form.h"
#include "inca/scenario/scenario.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** The ns-3 attributes that a key sets, all to the same value. */
struct KeyAttributes
{
    std::vector<std::string> paths; ///< "inca::Transport::Window"; several: both sides must know

    /** @return their value, as ns-3 reads it exactly */
    std::function<std::string(const Scenario&)> text;

    /** Each of the paths may be set to a value of its own, which is written as the key's. */
    bool apart{false};
};

/** Something that must hold so that a key matters. */
struct KeyCondition
{
    std::function<bool(const Scenario&)> holds;
    std::string otherwise; ///< why the key cannot matter; "{codec.name}" is that key's value
};

/** All must hold; the first that does not gives the reason. */
using KeyConditions = std::vector<KeyCondition>;

/** One key of a scenario: everything that reading, building, listing, sweeping and recording it needs. */
struct Key
{
    std::string name;   ///< "cluster.bandwidth": table, point, key
    std::string column; ///< its column of a result row, with the unit in it: "bandwidth_gbps"
    std::string meaning;
    ValueType type;
    std::string values; ///< what may stand there, for people: "1..1000000", "such as \"10Gbps\""

    /** Sets the field from its text. @throws UnitError saying what would be right */
    std::function<void(Scenario&, std::string_view text)> set{};
    /** @return the text that sets it to what it is; empty = not given */
    std::function<std::string(const Scenario&)> text{};
    /** @return the plain number or name of the result row, in the column's unit; empty = none */
    std::function<std::string(const Scenario&)> columnText{};
    KeyConditions conditions{}; ///< under which it matters
    /** @return why it cannot matter although they hold, or empty if it can; unset = it can */
    std::function<std::string(const Scenario&)> idle{};

    KeyAttributes attributes{}; ///< that it sets

    bool isPreset{
        false}; ///< it sets all others of its table, but for those that are set themselves
};

} // namespace inca

#endif // INCA_SCENARIO_KEY_H
