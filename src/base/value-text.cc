/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/value-text.h"

#include "base/nearest.h"
#include "base/text.h"
#include "base/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace inca
{

namespace
{

/** So much of a refused text is shown. */
constexpr std::size_t g_shownLength = 60;

[[noreturn]] void
Refuse(std::string_view text, const std::string& need)
{
    throw UnitError(Text("must be ", need, ", got '", text.substr(0, g_shownLength), "'"));
}

/** @return the number that all of @p text is, or nothing */
template <class Number>
std::optional<Number>
WholeNumber(std::string_view text)
{
    Number number{};
    const auto* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end ? std::optional<Number>(number) : std::nullopt;
}

template <class Number>
Number
NumberInRange(std::string_view text, Number least, Number most)
{
    const auto number = WholeNumber<Number>(text);
    if (!number || *number < least || *number > most)
    {
        Refuse(text, Text("a whole number of ", least, "..", most));
    }
    return *number;
}

std::uint64_t
AboveZero(std::string_view text, std::uint64_t rate)
{
    if (rate == 0)
    {
        Refuse(text, "above 0");
    }
    return rate;
}

} // namespace

bool
ParseBoolean(std::string_view text)
{
    if (text != "true" && text != "false")
    {
        Refuse(text, "true or false");
    }
    return text == "true";
}

std::uint64_t
ParseInteger(std::string_view text, std::uint64_t least, std::uint64_t most)
{
    return NumberInRange(text, least, most);
}

std::int64_t
ParseSigned(std::string_view text, std::int64_t least, std::int64_t most)
{
    return NumberInRange(text, least, most);
}

double
ParseDecimalNumber(std::string_view text, double least, double most)
{
    const auto number = WholeNumber<double>(text);
    if (!number || !(*number >= least && *number <= most)) // not a number is refused here, too
    {
        Refuse(text, Text("a number of ", DecimalText(least), "..", DecimalText(most)));
    }
    return *number;
}

double
ParseSomeShare(std::string_view text)
{
    const auto number = WholeNumber<double>(text);
    if (!number || !(*number > 0 && *number <= 1))
    {
        Refuse(text, "a number above 0, up to 1");
    }
    return *number;
}

std::uint64_t
ParseRate(std::string_view text)
{
    return AboveZero(text, ParseBytesPerSecond(text));
}

std::uint64_t
ParseValueRate(std::string_view text)
{
    return AboveZero(text, ParseValuesPerSecond(text));
}

std::string
KnownName(std::string_view text, const std::vector<std::string>& names)
{
    if (std::find(names.begin(), names.end(), text) == names.end())
    {
        throw UnitError(UnknownName(text, names));
    }
    return std::string(text);
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
DecimalText(const std::optional<double>& value)
{
    return value ? DecimalText(*value) : std::string();
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

void
RequireRange(std::string_view text,
             const RangedValue& ranged,
             const std::string& least,
             const std::string& most)
{
    if (ranged.value < ranged.least || ranged.value > ranged.most)
    {
        Refuse(text, least + " to " + most);
    }
}

} // namespace inca
