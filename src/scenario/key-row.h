/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_KEY_ROW_H
#define INCA_SCENARIO_KEY_ROW_H

#include "base/setting.h"
#include "base/units.h"
#include "exchange/aggregation-scheme-catalog.h"
#include "scenario/key.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace inca
{

/** The answer to "why can this key not matter here?": empty if it can. */
using Why = std::function<std::string(const Scenario&)>;

/** A field of one of a scenario's tables. */
template <class Table, class Value>
auto
At(Table Scenario::*table, Value Table::*field)
{
    return [=](auto& scenario) -> auto&
    {
        return scenario.*table.*field;
    };
}

/** @return attributes that are set to what @p text says */
KeyAttributes AttributesOf(const SettingAttributes& attributes,
                           const std::function<std::string(const Scenario&)>& text);

/**
 * One row of the key table.
 * @param words name, column and meaning
 * @param form what its values are, and how they are written
 * @param at the field that it sets, of the form's type, another number or an optional one (At)
 * @param attributes that it sets
 */
template <class Value, class Field>
Key
Row(SettingWords words,
    const ValueForm<Value>& form,
    Field at,
    Why idle = {},
    const SettingAttributes& attributes = {})
{
    const auto reader = [at](const auto& text) {
        return [at, text](const Scenario& s) {
            const std::optional<Value> value(at(s));
            return value ? text(*value) : std::string();
        };
    };
    Key key{words.key, words.column, words.meaning, form.type, form.values};
    key.set = [at, parse = form.parse](Scenario& s, std::string_view text) {
        using Target = std::remove_reference_t<decltype(at(s))>;
        at(s) = static_cast<Target>(parse(text));
    };
    key.text = reader(form.text);
    key.columnText = reader(form.columnText);
    key.idle = std::move(idle);
    key.attributes = AttributesOf(attributes, key.text);
    return key;
}

/** @return @p form, whose values may also be @p name, as complaints say: it stands for @p named */
template <class Value>
ValueForm<std::optional<Value>>
OrName(const ValueForm<Value>& form, const std::string& name, std::optional<Value> named = {})
{
    using MayBe = std::optional<Value>;
    const auto orName = [=](const auto& text) {
        return [=](const MayBe& value) {
            return value == named ? name : value ? text(*value) : std::string();
        };
    };
    const auto parse = [=](std::string_view text) {
        try
        {
            return text == name ? named : MayBe(form.parse(text));
        }
        catch (const UnitError& error)
        {
            throw UnitError(std::string(error.what()) + "; it may also be \"" + name + "\"");
        }
    };
    const auto type = form.type == ValueType::TEXT ? ValueType::TEXT : ValueType::NUMBER_OR_NAME;
    const auto values = form.values + ", or \"" + name + "\"";
    return {type, values, parse, orName(form.text), orName(form.columnText)};
}

/** @return @p key with another text in its column */
Key WithColumn(Key key, std::function<std::string(const Scenario&)> columnText);

/** @return @p reason unless the key @p matters */
std::string Unless(bool matters, std::string reason);

/** Answers that rows of several files give. @{ */
std::string WhyNoMessages(const Scenario& scenario); ///< hosts send nothing to each other
std::string WhyNoZeros(const Scenario& scenario);    ///< nothing tells zeros from other values
/** @} */

/** The range of a link's bandwidth (bit/s). */
constexpr ValueRange<std::uint64_t> LINK_RATES{1'000, 100'000'000'000'000};

/** The longest time of a cost or latency (ps). */
constexpr std::uint64_t LONGEST_COST_PS{1'000'000'000'000};

/** The rows of TOML tables. @{ */
std::vector<Key> WorkloadKeys(); ///< [training] to [tree], and switch.latency
/** What the aggregation programs bring, each key once. @throws InputError if two describe one unlike */
std::vector<Key> AggregationKeys(const std::vector<AggregationSchemeEntry>& schemes);
std::vector<Key> HostKeys(); ///< [codec] to [simulation]
/** @} */

} // namespace inca

#endif // INCA_SCENARIO_KEY_ROW_H
