/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>

namespace inca
{

namespace
{

__extension__ using Wide = unsigned __int128;

constexpr auto g_largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

constexpr UnitPrefix g_metric[] = {
    {"T", 1'000'000'000'000}, {"G", 1'000'000'000}, {"M", 1'000'000}, {"k", 1'000}, {"", 1}};
constexpr const UnitPrefix* g_upToGiga = g_metric + 1;
constexpr UnitPrefix g_binary[] = {
    {"Ti", 1ULL << 40U}, {"Gi", 1ULL << 30U}, {"Mi", 1ULL << 20U}, {"Ki", 1ULL << 10U}, {"", 1}};
constexpr UnitPrefix g_ofBytes[] = {{"Ti", 1ULL << 40U},
                                    {"T", 1'000'000'000'000},
                                    {"Gi", 1ULL << 30U},
                                    {"G", 1'000'000'000},
                                    {"Mi", 1ULL << 20U},
                                    {"M", 1'000'000},
                                    {"Ki", 1ULL << 10U},
                                    {"k", 1'000},
                                    {"", 1}};
/** The base unit is a picosecond. */
constexpr UnitPrefix g_ofSeconds[] = {
    {"", 1'000'000'000'000}, {"m", 1'000'000'000}, {"u", 1'000'000}, {"n", 1'000}, {"p", 1}};

[[noreturn]] void
Refuse(std::string_view text, const std::string& why)
{
    throw UnitError("'" + std::string(text.substr(0, 60)) + "': " + why);
}

/**
 * @p number, digits with at most one point, times @p size, exactly.
 * @param text for complaints, of which @p number is a part
 */
std::int64_t
Multiplied(std::string_view number,
           std::uint64_t size,
           std::string_view text,
           const std::string& base)
{
    std::uint64_t digits = 0;
    const auto point = number.find('.');
    for (std::size_t i = 0; i < number.size(); ++i)
    {
        const auto digit = static_cast<std::uint64_t>(number[i] - '0');
        if (digit > 9 && i != point)
        {
            Refuse(text, "no plain decimal number");
        }
        if (i != point && digits > (g_largest - digit) / 10)
        {
            Refuse(text, "too large or too many digits");
        }
        digits = i == point ? digits : digits * 10 + digit;
    }
    if (number.empty() || number == ".")
    {
        Refuse(text, "no number");
    }
    Wide value = static_cast<Wide>(digits) * size;
    for (auto places = number.size() - std::min(point, number.size() - 1) - 1; places > 0; --places)
    {
        if (value % 10 != 0)
        {
            Refuse(text, "must be a whole number of " + base);
        }
        value /= 10;
    }
    if (value > g_largest)
    {
        Refuse(text, "too large");
    }
    return static_cast<std::int64_t>(value);
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

bool
AreEqualButForCase(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char left, char right) {
        return std::tolower(static_cast<unsigned char>(left)) ==
               std::tolower(static_cast<unsigned char>(right));
    });
}

/** Refuses @p name if it is a unit in other letters: "gbps" of "Gbps", or "GBps", which counts bytes. */
void
RefuseOtherCase(const Quantity& quantity, std::string_view text, const std::string& name)
{
    for (const auto* prefix = quantity.prefixes;; ++prefix)
    {
        const auto full = std::string(prefix->name) + quantity.unit;
        const auto isUnit = [&](const char* unit) {
            return name == prefix->name + std::string(unit);
        };
        const bool isBits = quantity.unit == std::string_view("bps");
        if (isUnit("bps") || isUnit("Bps"))
        {
            Refuse(text,
                   isBits ? "'" + name + "' counts bytes, and this is in bits: '" + full + "'"
                          : "'" + name + "' counts bits, and this is in bytes: '" + full + "'");
        }
        if (AreEqualButForCase(name, full))
        {
            Refuse(text, "unknown unit; case matters: '" + full + "'");
        }
        if (prefix->size == 1)
        {
            return;
        }
    }
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
Human(std::uint64_t value, const UnitPrefix* prefix, const char* unit)
{
    while (value < prefix->size && prefix->size > 1)
    {
        ++prefix;
    }
    const auto name = std::string(prefix->name) + unit;
    const auto number =
        prefix->size == 1
            ? std::to_string(value)
            : FourDigits(static_cast<double>(value) / static_cast<double>(prefix->size));
    return name.empty() ? number : number + " " + name;
}

std::string
WithSign(std::int64_t ps, std::string (*format)(std::uint64_t))
{
    return ps < 0 ? "-" + format(static_cast<std::uint64_t>(-ps))
                  : format(static_cast<std::uint64_t>(ps));
}

} // namespace

const Quantity g_bitRate{g_metric, "bps", "10Gbps", 9};
const Quantity g_byteRate{g_metric, "Bps", "8.4GBps", 0};
const Quantity g_valueRate{g_metric, "values/s", "2.5Gvalues/s", 0};
const Quantity g_byteCount{g_ofBytes, "B", "25MiB", 0};
const Quantity g_frequency{g_upToGiga, "Hz", "100MHz", 6};
const Quantity g_nanoTime{g_ofSeconds, "s", "100ns", 3};
const Quantity g_microTime{g_ofSeconds, "s", "1us", 6};
const Quantity g_wholeTime{g_ofSeconds, "s", "10s", 12};

std::uint64_t
Quantity::Parse(std::string_view text) const
{
    const auto split = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto number = text.substr(0, split);
    const auto end = std::min(text.find_first_not_of(' ', split), text.size());
    const auto name = UnitOf(text.substr(end));
    if (number.empty())
    {
        Refuse(text, std::string("no quantity such as '") + example + "'");
    }
    std::string known;
    std::string full; // with its prefix
    const UnitPrefix* found = nullptr;
    for (const auto* prefix = prefixes; prefix == prefixes || prefix[-1].size > 1; ++prefix)
    {
        full = std::string(prefix->name) + unit;
        known += (known.empty() ? "" : ", ") + full;
        const bool isMeant = name.empty() && prefix->size == 1 && number == "0";
        found = name == full || isMeant ? prefix : found;
    }
    if (found == nullptr)
    {
        RefuseOtherCase(*this, text, name);
        Refuse(text,
               std::string(name.empty() ? "needs a unit" : "unknown unit") + ", as in '" + example +
                   "'; known are " + known);
    }
    return static_cast<std::uint64_t>(Multiplied(number, found->size, text, full));
}

std::string
Quantity::Format(std::uint64_t value) const
{
    for (const auto* prefix = prefixes;; ++prefix)
    {
        const auto number = value < prefix->size ? "" : ExactQuotient(value, prefix->size);
        if (!number.empty() || prefix->size == 1)
        {
            return (number.empty() ? "0" : number) + prefix->name + unit;
        }
    }
}

std::int64_t
ParseScaled(std::string_view text, unsigned powerOfTen)
{
    std::uint64_t size = 1;
    for (; powerOfTen > 0; --powerOfTen)
    {
        size *= 10;
    }
    return Multiplied(text, size, text, "the smallest unit");
}

std::string
FormatPicoseconds(std::int64_t ps)
{
    return WithSign(ps, [](std::uint64_t size) { return g_wholeTime.Format(size); });
}

std::string
HumanBytes(std::uint64_t bytes)
{
    return Human(bytes, g_binary, "B");
}

std::string
HumanBitRate(std::uint64_t bitsPerSecond)
{
    return Human(bitsPerSecond, g_metric, "bps");
}

std::string
HumanPicoseconds(std::int64_t ps)
{
    return WithSign(ps, [](std::uint64_t size) { return Human(size, g_ofSeconds, "s"); });
}

std::string
HumanSeconds(double seconds)
{
    constexpr double psPerSecond = 1e12;
    constexpr double most = 9e18;
    return HumanPicoseconds(std::llround(std::min(seconds * psPerSecond, most)));
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
