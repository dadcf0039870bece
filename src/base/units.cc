/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/units.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

__extension__ using Wide = unsigned __int128;

constexpr auto g_largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

/** One unit: how many base units it stands for. */
struct Unit
{
    const char* name;
    std::uint64_t size;
};

/** Units of one quantity, largest first, and an example for messages. */
struct Units
{
    std::vector<Unit> units;
    const char* example;
};

const Units&
BitRateUnits()
{
    static const Units units{{{"Tbps", 1'000'000'000'000},
                              {"Gbps", 1'000'000'000},
                              {"Mbps", 1'000'000},
                              {"kbps", 1'000},
                              {"bps", 1}},
                             "10Gbps"};
    return units;
}

const Units&
ByteRateUnits()
{
    static const Units units{{{"TBps", 1'000'000'000'000},
                              {"GBps", 1'000'000'000},
                              {"MBps", 1'000'000},
                              {"kBps", 1'000},
                              {"Bps", 1}},
                             "8.4GBps"};
    return units;
}

const Units&
ByteUnits()
{
    static const Units units{{{"TiB", 1ULL << 40U},
                              {"TB", 1'000'000'000'000},
                              {"GiB", 1ULL << 30U},
                              {"GB", 1'000'000'000},
                              {"MiB", 1ULL << 20U},
                              {"MB", 1'000'000},
                              {"KiB", 1ULL << 10U},
                              {"kB", 1'000},
                              {"B", 1}},
                             "16MiB"};
    return units;
}

const Units&
TimeUnits()
{
    static const Units units{{{"s", 1'000'000'000'000},
                              {"ms", 1'000'000'000},
                              {"us", 1'000'000},
                              {"ns", 1'000},
                              {"ps", 1}},
                             "1us"};
    return units;
}

const Units&
FrequencyUnits()
{
    static const Units units{
        {{"GHz", 1'000'000'000}, {"MHz", 1'000'000}, {"kHz", 1'000}, {"Hz", 1}}, "100MHz"};
    return units;
}

const Units&
ValueRateUnits()
{
    static const Units units{{{"Tvalues/s", 1'000'000'000'000},
                              {"Gvalues/s", 1'000'000'000},
                              {"Mvalues/s", 1'000'000},
                              {"kvalues/s", 1'000},
                              {"values/s", 1}},
                             "2.5Gvalues/s"};
    return units;
}

[[noreturn]] void
Refuse(std::string_view text, const std::string& why)
{
    throw UnitError("'" + std::string(text.substr(0, 60)) + "': " + why);
}

bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

/** A decimal number as digits and how many of them stand after the point. */
struct Decimal
{
    std::uint64_t digits{0};
    unsigned places{0};
};

/** @throws UnitError unless @p number is digits with at most one point, within 18 significant digits */
Decimal
ParseDecimal(std::string_view number, std::string_view whole)
{
    Decimal decimal;
    bool point = false;
    bool any = false;
    for (const char c : number)
    {
        if (c == '.' && !point)
        {
            point = true;
            continue;
        }
        if (!IsDigit(c))
        {
            Refuse(whole, "no plain decimal number");
        }
        any = true;
        const auto digit = static_cast<std::uint64_t>(c - '0');
        if (decimal.digits > (g_largest - digit) / 10)
        {
            Refuse(whole, "too large or too many digits");
        }
        decimal.digits = decimal.digits * 10 + digit;
        decimal.places += point ? 1 : 0;
    }
    if (!any)
    {
        Refuse(whole, "no number");
    }
    return decimal;
}

std::int64_t
Scale(Decimal decimal, std::uint64_t size, std::string_view text, const char* base)
{
    Wide value = static_cast<Wide>(decimal.digits) * size;
    for (; decimal.places > 0; --decimal.places)
    {
        if (value % 10 != 0)
        {
            Refuse(text, std::string("must be a whole number of ") + base);
        }
        value /= 10;
    }
    if (value > g_largest)
    {
        Refuse(text, "too large");
    }
    return static_cast<std::int64_t>(value);
}

std::string
UnitNames(const Units& units)
{
    std::string names;
    for (const auto& unit : units.units)
    {
        names += (names.empty() ? "" : ", ") + std::string(unit.name);
    }
    return names;
}

/** A unit as INCA writes it, whichever way it is spelled: "Gbit/s" and "Gb/s" are "Gbps", "GB/s" is "GBps". */
std::string
UnitOf(std::string_view name)
{
    for (const auto& [ending, ours] : std::array<std::pair<std::string_view, const char*>, 3>{
             {{"bit/s", "bps"}, {"b/s", "bps"}, {"B/s", "Bps"}}})
    {
        const auto stem = name.size() - std::min(name.size(), ending.size());
        if (name.substr(stem) == ending)
        {
            return std::string(name.substr(0, stem)) + ours;
        }
    }
    return std::string(name);
}

std::int64_t
ParseQuantity(std::string_view text, const Units& units, bool bareAllowed)
{
    std::size_t split = 0;
    while (split < text.size() && (IsDigit(text[split]) || text[split] == '.'))
    {
        ++split;
    }
    const auto number = text.substr(0, split);
    auto name = text.substr(split);
    while (!name.empty() && name.front() == ' ')
    {
        name.remove_prefix(1);
    }
    const char* base = units.units.back().name;
    if (number.empty())
    {
        Refuse(text, std::string("no quantity such as '") + units.example + "'");
    }
    if (name.empty() && (bareAllowed || number == "0"))
    {
        return Scale(ParseDecimal(number, text), 1, text, base);
    }
    const auto known = UnitOf(name);
    for (const auto& unit : units.units)
    {
        if (known == unit.name)
        {
            return Scale(ParseDecimal(number, text), unit.size, text, base);
        }
    }
    Refuse(text,
           std::string(name.empty() ? "needs a unit" : "unknown unit") + ", as in '" +
               units.example + "'; known are " + UnitNames(units));
}

/** value / size, exactly, or nothing if that takes more than three places. */
std::string
ExactQuotient(std::uint64_t value, std::uint64_t size)
{
    auto text = std::to_string(value / size);
    Wide rest = value % size;
    for (unsigned places = 0; rest != 0 && places < 3; ++places)
    {
        rest *= 10;
        text += places == 0 ? "." : "";
        text += static_cast<char>('0' + static_cast<int>(rest / size));
        rest %= size;
    }
    return rest == 0 ? text : "";
}

std::string
FormatQuantity(std::uint64_t value, const Units& units)
{
    for (const auto& unit : units.units)
    {
        const auto number = value < unit.size ? "" : ExactQuotient(value, unit.size);
        if (!number.empty())
        {
            return number + unit.name;
        }
    }
    return std::to_string(value) + units.units.back().name;
}

/** Four significant digits of value / size. */
std::string
FourDigits(double value)
{
    std::array<char, 40> text{};
    const int places = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
    std::snprintf(text.data(), text.size(), "%.*f", places, value);
    return text.data();
}

std::string
Human(std::uint64_t value, const std::vector<Unit>& units)
{
    for (const auto& unit : units)
    {
        if (value >= unit.size && unit.size > 1)
        {
            return FourDigits(static_cast<double>(value) / static_cast<double>(unit.size)) + " " +
                   unit.name;
        }
    }
    const std::string name = units.back().name;
    return std::to_string(value) + (name.empty() ? "" : " " + name);
}

} // namespace

std::uint64_t
ParseBitsPerSecond(std::string_view text)
{
    return static_cast<std::uint64_t>(ParseQuantity(text, BitRateUnits(), false));
}

std::uint64_t
ParseBytesPerSecond(std::string_view text)
{
    return static_cast<std::uint64_t>(ParseQuantity(text, ByteRateUnits(), false));
}

std::uint64_t
ParseBytes(std::string_view text)
{
    return static_cast<std::uint64_t>(ParseQuantity(text, ByteUnits(), true));
}

std::int64_t
ParsePicoseconds(std::string_view text)
{
    return ParseQuantity(text, TimeUnits(), false);
}

std::uint64_t
ParseHertz(std::string_view text)
{
    return static_cast<std::uint64_t>(ParseQuantity(text, FrequencyUnits(), false));
}

std::uint64_t
ParseValuesPerSecond(std::string_view text)
{
    return static_cast<std::uint64_t>(ParseQuantity(text, ValueRateUnits(), false));
}

std::int64_t
ParseScaled(std::string_view text, unsigned powerOfTen)
{
    std::uint64_t size = 1;
    for (; powerOfTen > 0; --powerOfTen)
    {
        size *= 10;
    }
    return Scale(ParseDecimal(text, text), size, text, "the smallest unit");
}

std::string
FormatBitsPerSecond(std::uint64_t bitsPerSecond)
{
    return FormatQuantity(bitsPerSecond, BitRateUnits());
}

std::string
FormatBytesPerSecond(std::uint64_t bytesPerSecond)
{
    return FormatQuantity(bytesPerSecond, ByteRateUnits());
}

std::string
FormatBytes(std::uint64_t bytes)
{
    return FormatQuantity(bytes, ByteUnits());
}

std::string
FormatPicoseconds(std::int64_t ps)
{
    const auto text = FormatQuantity(static_cast<std::uint64_t>(ps < 0 ? -ps : ps), TimeUnits());
    return ps < 0 ? "-" + text : text;
}

std::string
FormatHertz(std::uint64_t hertz)
{
    return FormatQuantity(hertz, FrequencyUnits());
}

std::string
FormatValuesPerSecond(std::uint64_t valuesPerSecond)
{
    return FormatQuantity(valuesPerSecond, ValueRateUnits());
}

std::string
HumanBytes(std::uint64_t bytes)
{
    static const std::vector<Unit> units{{"TiB", 1ULL << 40U},
                                         {"GiB", 1ULL << 30U},
                                         {"MiB", 1ULL << 20U},
                                         {"KiB", 1ULL << 10U},
                                         {"B", 1}};
    return Human(bytes, units);
}

std::string
HumanPicoseconds(std::int64_t ps)
{
    const auto text = Human(static_cast<std::uint64_t>(ps < 0 ? -ps : ps), TimeUnits().units);
    return ps < 0 ? "-" + text : text;
}

std::string
HumanCount(std::uint64_t count)
{
    static const std::vector<Unit> units{
        {"G", 1'000'000'000}, {"M", 1'000'000}, {"k", 1'000}, {"", 1}};
    return Human(count, units);
}

std::int64_t
MulDivCeil(std::uint64_t numerator, std::uint64_t factor, std::uint64_t denominator)
{
    const Wide product = static_cast<Wide>(numerator) * factor;
    const Wide quotient = product / denominator + (product % denominator != 0 ? 1 : 0);
    return quotient > g_largest ? std::numeric_limits<std::int64_t>::max()
                                : static_cast<std::int64_t>(quotient);
}

std::int64_t
AddSaturated(std::int64_t a, std::int64_t b)
{
    const auto sum = static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b);
    return static_cast<std::int64_t>(std::min(sum, g_largest));
}

std::int64_t
SerialisationPs(std::uint64_t bytes, std::uint64_t bitsPerSecond)
{
    return MulDivCeil(bytes, 8'000'000'000'000, bitsPerSecond);
}

std::int64_t
WorkPs(std::uint64_t bytes, std::uint64_t bytesPerSecond)
{
    return bytesPerSecond == 0 ? 0 : MulDivCeil(bytes, 1'000'000'000'000, bytesPerSecond);
}

} // namespace inca
