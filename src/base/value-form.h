/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_VALUE_FORM_H
#define INCA_BASE_VALUE_FORM_H

#include "inca/base/units.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** What a setting's value is in TOML. */
enum class ValueType
{
    TEXT,           ///< a name, a path, or a quantity with its unit
    INTEGER,        ///< a whole number
    DECIMAL,        ///< a number
    NUMBER_OR_NAME, ///< a number, or a text that stands for one
    BOOLEAN,        ///< true or false
};

/** The smallest and largest value that a setting takes. */
template <class Number>
struct ValueRange
{
    Number least;
    Number most;
};

/** How values of one kind stand in scenarios and in result rows. */
template <class Value>
struct ValueForm
{
    ValueType type;
    std::string values; ///< what may stand there, for people: "1..1000000", "such as \"10Gbps\""
    /** @throws UnitError saying what would be right */
    std::function<Value(std::string_view text)> parse;
    /** @return the text that reads back to @p value */
    std::function<std::string(const Value& value)> text;
    /** @return the plain number or name of the result row, in the column's unit; empty = none */
    std::function<std::string(const Value& value)> columnText;
};

/** Any text; what it means is checked elsewhere. @param values for people */
ValueForm<std::string> TextForm(std::string values);

/** One of @p names. */
ValueForm<std::string> NameForm(std::vector<std::string> names);

/** One of @p names, which stand for the values 0, 1, 2, ... of an enumeration, or for false and true. */
template <class Value>
ValueForm<Value>
ChoiceForm(const std::vector<std::string>& names)
{
    const auto form = NameForm(names);
    const auto parse = [=](std::string_view text) {
        const auto name = form.parse(text);
        return static_cast<Value>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    const auto text = [=](const Value& value) { return names.at(static_cast<std::size_t>(value)); };
    return {form.type, form.values, parse, text, text};
}

/** true or false */
ValueForm<bool> BooleanForm();

/** A number in a range. @{ */
ValueForm<std::uint64_t> WholeForm(ValueRange<std::uint64_t> range);
ValueForm<std::int64_t> SignedForm(ValueRange<std::int64_t> range);
ValueForm<double> DecimalForm(ValueRange<double> range);
/** @} */

/** A number above 0, up to @p most. */
ValueForm<double> PositiveForm(double most);

/** A share above 0, up to 1. */
ValueForm<double> SomeShareForm();

/** A quantity with a unit, in a range. */
ValueForm<std::uint64_t> QuantityForm(const Quantity& quantity, ValueRange<std::uint64_t> range);

/** A rate of 0 or more per second, where @p zero ("none" or "") is the text of 0. */
ValueForm<std::uint64_t> RateForm(const Quantity& rate, const std::string& zero);

/** The shortest text that reads back to the same. */
std::string DecimalText(double value);

/** @return "a, b or c" */
std::string JoinNames(const std::vector<std::string>& names);

/** value / 10^power, exactly, without trailing zeros: (2500000000, 9) is "2.5". */
std::string ScaledText(std::uint64_t value, unsigned power);

} // namespace inca

#endif // INCA_BASE_VALUE_FORM_H
