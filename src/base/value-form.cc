/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/value-form.h"

#include "base/nearest.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <type_traits>
#include <utility>

namespace inca
{

namespace
{

/** What a number in another form means: "5%" is 0.05. */
std::string
Hint(std::string_view text)
{
    constexpr double percent = 100;
    double number = 0;
    const auto* end = text.data() + text.size() - (text.empty() ? 0 : 1);
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return !text.empty() && text.back() == '%' && error == std::errc() && stop == end
               ? "; " + std::string(text) + " is " + DecimalText(number / percent)
               : "";
}

[[noreturn]] void
RefuseValue(std::string_view text, const std::string& need)
{
    constexpr std::size_t shownLength = 60;
    throw UnitError(
        Text("must be ", need, ", got '", text.substr(0, shownLength), "'", Hint(text)));
}

/** A form whose text is its column, too. */
template <class Value>
ValueForm<Value>
PlainForm(ValueType type,
          std::string values,
          std::function<Value(std::string_view)> parse,
          const std::function<std::string(const Value&)>& text)
{
    return {type, std::move(values), std::move(parse), text, text};
}

ValueForm<std::string>
PlainText(std::string values, std::function<std::string(std::string_view)> parse)
{
    return PlainForm<std::string>(ValueType::TEXT,
                                  std::move(values),
                                  std::move(parse),
                                  [](const auto& text) { return text; });
}

template <class Number>
std::string
NumberIn(const Number& number)
{
    if constexpr (std::is_floating_point_v<Number>)
    {
        return DecimalText(number);
    }
    else
    {
        return std::to_string(number);
    }
}

/** Numbers that @p fits; @p values says which these are. */
template <class Number, class Fits>
ValueForm<Number>
NumberForm(std::string values, const std::string& need, Fits fits)
{
    const auto parse = [need, fits](std::string_view text) {
        Number number{};
        const auto* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        if (error != std::errc() || stop != end || !fits(number))
        {
            RefuseValue(text, need);
        }
        return number;
    };
    constexpr auto type =
        std::is_floating_point_v<Number> ? ValueType::DECIMAL : ValueType::INTEGER;
    return PlainForm<Number>(type, std::move(values), parse, NumberIn<Number>);
}

template <class Number>
ValueForm<Number>
RangeForm(ValueRange<Number> range, const char* kind)
{
    const auto values = NumberIn(range.least) + ".." + NumberIn(range.most);
    return NumberForm<Number>(values, kind + values, [range](Number number) {
        return number >= range.least && number <= range.most; // no NaN is
    });
}

std::string
SuchAs(const char* example)
{
    return std::string("such as \"") + example + "\"";
}

} // namespace

ValueForm<std::string>
TextForm(std::string values)
{
    return PlainText(std::move(values), [](std::string_view text) { return std::string(text); });
}

ValueForm<std::string>
NameForm(std::vector<std::string> names)
{
    auto values = JoinNames(names);
    return PlainText(std::move(values), [names = std::move(names)](std::string_view text) {
        if (std::find(names.begin(), names.end(), text) == names.end())
        {
            throw UnitError(UnknownName(text, names));
        }
        return std::string(text);
    });
}

ValueForm<bool>
BooleanForm()
{
    const auto parse = [](std::string_view text) {
        if (text != "true" && text != "false")
        {
            RefuseValue(text, "true or false");
        }
        return text == "true";
    };
    const auto text = [](bool value) { return std::string(value ? "true" : "false"); };
    return {ValueType::BOOLEAN, "true or false", parse, text, text};
}

ValueForm<std::uint64_t>
WholeForm(ValueRange<std::uint64_t> range)
{
    return RangeForm(range, "a whole number of ");
}

ValueForm<std::int64_t>
SignedForm(ValueRange<std::int64_t> range)
{
    return RangeForm(range, "a whole number of ");
}

ValueForm<double>
DecimalForm(ValueRange<double> range)
{
    return RangeForm(range, "a number of ");
}

ValueForm<double>
PositiveForm(double most)
{
    const auto values = "above 0, up to " + NumberIn(most);
    return NumberForm<double>(values, "a number " + values, [most](double number) {
        return number > 0 && number <= most;
    });
}

ValueForm<double>
SomeShareForm()
{
    return PositiveForm(1);
}

ValueForm<std::uint64_t>
QuantityForm(const Quantity& quantity, ValueRange<std::uint64_t> range)
{
    const auto parse = [quantity, range](std::string_view text) {
        const auto value = quantity.Parse(text);
        if (value < range.least || value > range.most)
        {
            RefuseValue(text, quantity.Format(range.least) + " to " + quantity.Format(range.most));
        }
        return value;
    };
    return {ValueType::TEXT,
            SuchAs(quantity.example),
            parse,
            [quantity](std::uint64_t value) { return quantity.Format(value); },
            [quantity](std::uint64_t value) { return ScaledText(value, quantity.columnPower); }};
}

ValueForm<std::uint64_t>
RateForm(const Quantity& rate, const std::string& zero)
{
    const bool mayBeNone = !zero.empty();
    const auto parse = [rate, mayBeNone](std::string_view text) -> std::uint64_t {
        if (mayBeNone && text == "none")
        {
            return 0;
        }
        const auto value = rate.Parse(text);
        if (value == 0)
        {
            RefuseValue(text, "above 0");
        }
        return value;
    };
    return {ValueType::TEXT,
            SuchAs(rate.example) + (mayBeNone ? ", or \"none\"" : ""),
            parse,
            [rate, zero](std::uint64_t value) { return value == 0 ? zero : rate.Format(value); },
            [](std::uint64_t value) { return value == 0 ? "" : std::to_string(value); }};
}

std::string
DecimalText(double value)
{
    // Exponents only where a number would be long without.
    constexpr double leastPlain = 1e-4;
    constexpr double leastWithExponent = 1e16;
    const auto size = std::fabs(value);
    const bool plain = value == 0 || (size >= leastPlain && size < leastWithExponent);
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(),
                                   text.data() + text.size(),
                                   value,
                                   plain ? std::chars_format::fixed : std::chars_format::scientific)
                         .ptr;
    return {text.data(), end};
}

std::string
JoinNames(const std::vector<std::string>& names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        text += i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
        text += names[i];
    }
    return text;
}

std::string
ScaledText(std::uint64_t value, unsigned power)
{
    auto text = std::to_string(value);
    text.insert(0, std::max<std::size_t>(text.size(), power + 1) - text.size(), '0');
    text.insert(text.size() - power, ".");
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
    {
        text.pop_back();
    }
    return text;
}

} // namespace inca
