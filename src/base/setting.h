/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_SETTING_H
#define INCA_BASE_SETTING_H

#include "inca/base/attribute-text.h"
#include "inca/base/value-form.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inca
{

/** The texts of settings by their keys; what is not there has its default. */
using SettingValues = std::map<std::string, std::string>;

/** Which ns-3 attributes a setting sets, all to the same value: "inca::SlotClient::Timeout". */
struct SettingAttributes
{
    std::vector<std::string> paths;
    AttributeForm form;
};

/**
 * A setting that a catalogue's row brings: everything that reading, listing, sweeping and recording it
 * as a key of the scenario needs. Rows that share a setting share its value.
 */
struct Setting
{
    std::string key;    ///< "switch.slots": table, point, key
    std::string column; ///< of a result row, with the unit in it: "adder_rate_values_per_s"
    std::string meaning;
    ValueType type;
    std::string values; ///< what may stand there, for people
    std::string defaultText;
    /** @return the text that says the same as @p text in one way. @throws UnitError */
    std::function<std::string(std::string_view text)> normalised;
    /** @return the column's text for a normalised one */
    std::function<std::string(std::string_view text)> columnText;

    SettingAttributes attributes{};
    /** @return why it cannot matter beside the others, or empty if it can; unset = it always can */
    std::function<std::string(const SettingValues&)> idle{};
    bool ofFrames{false}; ///< it matters only where messages are frames, and no flows
};

/** What a setting has, as a column of the result row. */
struct SettingColumn
{
    std::string name; ///< with the unit in it: "bandwidth_gbps"
    std::string text; ///< empty: does not apply
};

/** One setting of a scenario as a run's documents show it. */
struct ResolvedSetting
{
    std::string table;
    std::string key;
    std::string text;
    bool quoted{true}; ///< a text of TOML and JSON, not a number or true or false
};

/** What a setting says, whatever its kind. */
struct SettingWords
{
    const char* key;
    const char* column;
    const char* meaning;
};

/** A setting, and how whoever brings it reads it. */
template <class Value>
struct SettingOf
{
    ValueForm<Value> form;
    Setting setting;

    SettingOf(SettingWords words, ValueForm<Value> valueForm, const Value& byDefault)
        : form(std::move(valueForm)),
          setting{words.key,
                  words.column,
                  words.meaning,
                  form.type,
                  form.values,
                  form.text(byDefault),
                  [f = form](std::string_view text) { return f.text(f.parse(text)); },
                  [f = form](std::string_view text) { return f.columnText(f.parse(text)); }}
    {
    }

    /** @return its value. @throws UnitError if its text says none */
    Value In(const SettingValues& values) const
    {
        const auto found = values.find(setting.key);
        return form.parse(found == values.end() ? setting.defaultText : found->second);
    }
};

} // namespace inca

#endif // INCA_BASE_SETTING_H
