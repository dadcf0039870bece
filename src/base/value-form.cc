/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/value-form.h"

#include "base/units.h"
#include "base/value-text.h"

#include <utility>

namespace inca
{

namespace
{

std::uint64_t
ParseTime(std::string_view text)
{
    return static_cast<std::uint64_t>(ParsePicoseconds(text));
}

std::string
FormatTime(std::uint64_t ps)
{
    return FormatPicoseconds(static_cast<std::int64_t>(ps));
}

std::string
SuchAs(const char* example)
{
    return std::string("such as \"") + example + "\"";
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

/** Numbers from range.least to range.most. */
template <class Number>
ValueForm<Number>
RangeForm(ValueType type,
          ValueRange<Number> range,
          Number (*parse)(std::string_view text, Number least, Number most),
          std::string (*text)(const Number&))
{
    return PlainForm<Number>(
        type,
        text(range.least) + ".." + text(range.most),
        [parse, range](std::string_view given) { return parse(given, range.least, range.most); },
        text);
}

template <class Number>
std::string
WholeText(const Number& number)
{
    return std::to_string(number);
}

std::string
TextOfDecimal(const double& value)
{
    return DecimalText(value);
}

std::string
Itself(const std::string& text)
{
    return text;
}

} // namespace

const Quantity g_bitRate{ParseBitsPerSecond, FormatBitsPerSecond, 9, "10Gbps"};
const Quantity g_byteRate{ParseRate, FormatBytesPerSecond, 0, "8.4GBps"};
const Quantity g_valueRate{ParseValueRate, FormatValuesPerSecond, 0, "2.5Gvalues/s"};
const Quantity g_byteCount{ParseBytes, FormatBytes, 0, "25MiB"};
const Quantity g_frequency{ParseHertz, FormatHertz, 6, "100MHz"};
const Quantity g_nanoTime{ParseTime, FormatTime, 3, "100ns"};
const Quantity g_microTime{ParseTime, FormatTime, 6, "1us"};
const Quantity g_wholeTime{ParseTime, FormatTime, 12, "10s"};

ValueForm<std::string>
TextForm(std::string values)
{
    const auto parse = [](std::string_view text) { return std::string(text); };
    return PlainForm<std::string>(ValueType::TEXT, std::move(values), parse, Itself);
}

ValueForm<std::string>
NameForm(std::vector<std::string> names)
{
    auto values = JoinNames(names);
    const auto parse = [names = std::move(names)](std::string_view text) {
        return KnownName(text, names);
    };
    return PlainForm<std::string>(ValueType::TEXT, std::move(values), parse, Itself);
}

ValueForm<bool>
BooleanForm()
{
    return PlainForm<bool>(ValueType::BOOLEAN,
                           "true or false",
                           ParseBoolean,
                           [](const bool& value) { return std::string(value ? "true" : "false"); });
}

ValueForm<std::uint64_t>
WholeForm(ValueRange<std::uint64_t> range)
{
    return RangeForm(ValueType::INTEGER, range, ParseInteger, WholeText<std::uint64_t>);
}

ValueForm<std::int64_t>
SignedForm(ValueRange<std::int64_t> range)
{
    return RangeForm(ValueType::INTEGER, range, ParseSigned, WholeText<std::int64_t>);
}

ValueForm<double>
DecimalForm(ValueRange<double> range)
{
    return RangeForm(ValueType::DECIMAL, range, ParseDecimalNumber, TextOfDecimal);
}

ValueForm<double>
SomeShareForm()
{
    return PlainForm<double>(ValueType::DECIMAL, "above 0, up to 1", ParseSomeShare, TextOfDecimal);
}

ValueForm<std::uint64_t>
QuantityForm(const Quantity& quantity, ValueRange<std::uint64_t> range)
{
    const auto parse = [quantity, range](std::string_view text) {
        const auto value = quantity.parse(text);
        RequireRange(text,
                     {value, range.least, range.most},
                     quantity.format(range.least),
                     quantity.format(range.most));
        return value;
    };
    const auto columnText = [quantity](const std::uint64_t& value) {
        return ScaledText(value, quantity.columnPower);
    };
    return {ValueType::TEXT, SuchAs(quantity.example), parse, quantity.format, columnText};
}

ValueForm<std::uint64_t>
RateForm(const Quantity& rate, const std::string& zero)
{
    const bool mayBeNone = !zero.empty();
    const auto parse = [rate, mayBeNone](std::string_view text) {
        return mayBeNone && text == "none" ? 0 : rate.parse(text);
    };
    const auto text = [rate, zero](const std::uint64_t& value) {
        return value == 0 ? zero : rate.format(value);
    };
    const auto columnText = [](const std::uint64_t& value) {
        return value == 0 ? std::string() : std::to_string(value);
    };
    return {ValueType::TEXT,
            SuchAs(rate.example) + (mayBeNone ? ", or \"none\"" : ""),
            parse,
            text,
            columnText};
}

} // namespace inca
